// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/status.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::profiler {

/// Which part of a training step launched work, for which op call. 0 is what no op call launched: the optimizer, the
/// scaler, sums of gradients that meet.
using OpKey = std::uint64_t;
inline constexpr OpKey kOutsideOps = 0;
/// Launched in a step whose op calls are not marked: of which of them is not known.
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
  std::uint64_t launched = 0;  ///< when the program asked for it; 0: not known
};

struct KernelCounts {
  std::size_t kernels = 0;       ///< recorded
  std::size_t unattributed = 0;  ///< of them without an op call
  std::size_t dropped = 0;       ///< lost: by the driver, without times, or because nobody took them in time
};

/// A stream of kernel records. push() and pop() may be called from any thread, and mark that thread's launches, as may
/// now(); all else is for one thread. Never throws.
class KernelSource {
 public:
  virtual ~KernelSource() = default;

  virtual Status start() = 0;
  virtual void stop() = 0;

  /// By the clock of Kernel::launched.
  virtual std::uint64_t now() const noexcept = 0;
  /// What this thread launches until pop() belongs to `op`; nests.
  virtual void push(OpKey op) noexcept = 0;
  virtual void pop() noexcept = 0;

  /// Asks for what has finished to be handed over; may take a while, so not from a training thread. Answers what ended
  /// the stream, once nothing will come any more.
  virtual std::optional<Status> flush() = 0;
  /// The records whose op is known by now, in order of their arrival.
  virtual std::vector<Kernel> take() = 0;
  /// By Kernel::name; grows only.
  virtual std::vector<std::string> names() const = 0;
  virtual KernelCounts counts() const = 0;
};

}  // namespace binade::profiler
