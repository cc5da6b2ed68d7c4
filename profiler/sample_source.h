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

/// The quantities in a sample. Percentages refer to the peak over all elapsed cycles.
enum class Channel : std::uint8_t {
  kTensor,    ///< tensor pipes active, %
  kHmma,      ///< of that, float16, bfloat16, tfloat32, float8
  kImma,      ///< of that, int8
  kDmma,      ///< of that, float64
  kSmActive,  ///< multiprocessors with work, %
  kClock,     ///< GPU clock, Hz
};
inline constexpr std::size_t kChannels = 6;

inline constexpr float kNotMeasured = std::numeric_limits<float>::quiet_NaN();

/// One value per channel; NaN if not measured, never 0.
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

/// Origin of a device's figures; shown with every figure.
enum class Source : std::uint8_t {
  kNone,
  kPmSampling,  ///< hardware counters, through CUPTI
  kGpm,         ///< NVML's GPU performance monitoring: the whole device, ten times a second
  kRecorded,    ///< a recording
};

/// `pm-sampling`
std::string_view name(Source source);

/// Result of one SampleSource::drain().
struct Drained {
  bool overflow = false;       ///< samples were lost, because the interval is too short
  std::size_t discarded = 0;   ///< samples without usable times or values
  std::optional<Status> lost;  ///< why the source has ended, if it has
};

/// A stream of samples of one device. One thread must use it from start() to stop(). Never throws.
class SampleSource {
 public:
  virtual ~SampleSource() = default;

  virtual Source source() const = 0;
  /// How often drain() should be called.
  virtual std::chrono::milliseconds poll() const = 0;
  /// The shortest supported interval between samples; 0 if the source has a fixed one.
  virtual std::chrono::nanoseconds shortest() const = 0;
  /// The metric's name.
  virtual std::string metric() const = 0;

  /// Starts, or restarts after stop().
  virtual Status start(std::chrono::nanoseconds interval) = 0;
  /// Appends the samples since the last call to `into`.
  virtual Drained drain(std::vector<Sample>& into) = 0;
  /// Stops. One more drain() returns the remaining samples.
  virtual void stop() = 0;
};

}  // namespace binade::profiler
