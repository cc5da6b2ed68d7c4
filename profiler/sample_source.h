// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/status.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace binade::profiler {

/// What a sample tells. Percentages are of the peak over all elapsed cycles.
enum class Channel : std::uint8_t {
  kTensor,    ///< tensor pipes active, %
  kHmma,      ///< of it float16, bfloat16, tfloat32, float8
  kImma,      ///< of it int8
  kDmma,      ///< of it float64
  kSmActive,  ///< multiprocessors with work, %
  kIssue,     ///< instructions issued, %
  kClock,     ///< GPU clock, Hz
};
inline constexpr std::size_t kChannels = 7;

inline constexpr float kNotMeasured = std::numeric_limits<float>::quiet_NaN();

/// One value a channel; NaN where it is not measured, never 0.
struct Values {
  std::array<float, kChannels> all;
  Values() { all.fill(kNotMeasured); }
  float& operator[](Channel channel) { return all[static_cast<std::size_t>(channel)]; }
  float operator[](Channel channel) const { return all[static_cast<std::size_t>(channel)]; }
};

/// Means over a slice of time of one device. Times are nanoseconds of the system's real-time clock.
struct Sample {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  Values values;
};

/// Where a device's figures come from; every one that is shown says so.
enum class Source : std::uint8_t {
  kNone,
  kPmSampling,  ///< hardware counters, through CUPTI
  kGpm,         ///< NVML's GPU performance monitoring: the whole device, ten times a second
  kRecorded,    ///< a recording
};

/// `pm-sampling`
std::string_view name(Source source);

/// What came of one look into a source.
struct Drained {
  bool overflow = false;       ///< samples were lost: the interval is too short
  std::size_t discarded = 0;   ///< samples without usable times, or whose values could not be evaluated
  std::optional<Status> lost;  ///< the source is at its end
};

/// A stream of samples of one device. One thread uses it from start() to stop(); it never throws.
class SampleSource {
 public:
  virtual ~SampleSource() = default;

  virtual Source source() const = 0;
  /// How often drain() wants to be called.
  virtual std::chrono::milliseconds poll() const = 0;
  /// The interval between samples, where the source has one to choose; 0 where it has not.
  virtual std::chrono::nanoseconds shortest() const = 0;
  /// What is measured and how, in a phrase: the metric's name.
  virtual std::string metric() const = 0;

  /// Begins, or begins anew after stop().
  virtual Status start(std::chrono::nanoseconds interval) = 0;
  /// Appends what came since the last call.
  virtual Drained drain(std::vector<Sample>& into) = 0;
  /// Ends; a last drain() afterwards gives what was still under way.
  virtual void stop() = 0;
};

}  // namespace binade::profiler
