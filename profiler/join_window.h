// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/attribution.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace binade::profiler {

/// Buffers the newest kernels and samples until a stretch of time is complete in both and can be joined. Not
/// thread-safe.
class JoinWindow {
 public:
  explicit JoinWindow(std::size_t most = 200'000) : most_(most) {}

  void add(const std::vector<Kernel>& kernels);
  /// Samples must be in order of time.
  void add(const std::vector<Sample>& samples);

  /// Joins what lies more than `settle` nanoseconds before the newest kernel, and drops those samples. Records arrive
  /// in pieces and out of order, so the newest stretch is incomplete. Samples taken during steps with unmarked op calls
  /// are left out, since they cannot be attributed. Returns nullopt, and keeps the data, if there is too little.
  std::optional<Attribution> join(std::uint64_t settle);

  /// Drops all data up to now, including records that are still to be delivered.
  void begin_anew();

 private:
  /// Drops samples before `until` that fall under kernels of other steps, and those kernels.
  void leave_out_other_steps(std::uint64_t until);
  /// Attributes with the agreed shift.
  Attribution attribute_agreed(std::vector<Kernel> kernels, const std::vector<Sample>& samples);

  std::size_t most_;
  std::vector<Kernel> kernels_;
  std::vector<Sample> samples_;
  std::uint64_t newest_ = 0;  ///< end of the newest sample or kernel added
  std::uint64_t since_ = 0;   ///< data that started earlier is ignored
  /// Offset between the clocks in seconds, which does not change while a program runs. One stretch alone may fit a
  /// wrong one, if op calls repeat in a regular pattern: on an H100, work of one op call went to its neighbour. So a
  /// shift applies once two stretches in a row have found it.
  double agreed_shift_ = 0;
  std::optional<double> found_shift_;  ///< by the stretch before
};

}  // namespace binade::profiler
