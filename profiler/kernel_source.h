// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/status.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::profiler {

/// The op call, and its phase in a training step, that launched work. 0: launched by no op call, such as the optimizer,
/// the scaler, and sums of several gradients.
using OpKey = std::uint64_t;
inline constexpr OpKey kOutsideOps = 0;
/// Launched in a step whose op calls are not marked.
inline constexpr OpKey kOtherSteps = ~OpKey{0};

enum class Phase : std::uint8_t {
  kForward,     ///< the op, its casts and rounding
  kBackward,    ///< its nodes of the autograd graph
  kAccumulate,  ///< adding its parameter's gradient to .grad
  kObserve,     ///< Binade's own statistics of it
};
inline constexpr std::size_t kPhases = 4;

constexpr OpKey op_key(int site, Phase phase) {
  return (static_cast<OpKey>(site) + 1) << 2U | static_cast<OpKey>(phase);
}
constexpr int site_of(OpKey key) {
  return static_cast<int>(key >> 2U) - 1;
}
constexpr Phase phase_of(OpKey key) {
  return static_cast<Phase>(key & 3U);
}

/// One run of a kernel on the device. Times are nanoseconds of the system's real-time clock.
struct Kernel {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  OpKey op = kOutsideOps;
  std::uint32_t name = 0;  ///< index into KernelSource::names()
  std::uint32_t stream = 0;
  std::uint64_t launched = 0;  ///< when the program launched it; 0: unknown
};

struct KernelCounts {
  std::size_t kernels = 0;       ///< recorded
  std::size_t unattributed = 0;  ///< recorded, but without an op call
  std::size_t dropped = 0;       ///< lost: by the driver, without times, or not taken in time
};

/// A stream of kernel records. push() and pop() mark the calling thread's launches and are thread-safe, as is now().
/// All other functions belong to one thread. Never throws.
class KernelSource {
 public:
  virtual ~KernelSource() = default;

  virtual Status start() = 0;
  virtual void stop() = 0;

  /// Returns the time by the clock of Kernel::launched.
  virtual std::uint64_t now() const noexcept = 0;
  /// Assigns this thread's launches until pop() to `op`. May be nested.
  virtual void push(OpKey op) noexcept = 0;
  virtual void pop() noexcept = 0;

  /// Requests delivery of finished records. May block, so do not call it on a training thread. Returns why the stream
  /// ended once no more records will come.
  virtual std::optional<Status> flush() = 0;
  /// Returns the records whose op is determined, in order of arrival.
  virtual std::vector<Kernel> take() = 0;
  /// Kernel names, indexed by Kernel::name; only grows.
  virtual std::vector<std::string> names() const = 0;
  virtual KernelCounts counts() const = 0;
};

}  // namespace binade::profiler
