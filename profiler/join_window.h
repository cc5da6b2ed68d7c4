// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/attribution.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace binade::profiler {

/// The newest kernels and samples, until both have seen a stretch of time and are joined there. For one thread.
class JoinWindow {
 public:
  explicit JoinWindow(std::size_t most = 200'000) : most_(most) {}

  void add(const std::vector<Kernel>& kernels);
  /// In order of time.
  void add(const std::vector<Sample>& samples);

  /// Joins what lies more than `settle` nanoseconds before the newest kernel, and forgets those samples: records come
  /// in pieces and not in order, so that the newest stretch still lacks some. What was sampled while steps ran whose
  /// op calls are not marked is left out: it says nothing of op calls. Nothing where there is too little; it is kept
  /// then until there is more.
  std::optional<Attribution> join(std::uint64_t settle);

  /// Forgets all that was before now, and what is still on its way from then.
  void begin_anew();

 private:
  /// Drops what was sampled before `until` under kernels of other steps, and these.
  void leave_out_other_steps(std::uint64_t until);

  std::size_t most_;
  std::vector<Kernel> kernels_;
  std::vector<Sample> samples_;
  std::uint64_t newest_ = 0;  ///< the end of the newest sample or kernel that was met
  std::uint64_t since_ = 0;   ///< what began before is not taken
};

}  // namespace binade::profiler
