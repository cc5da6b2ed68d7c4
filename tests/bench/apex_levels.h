// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/policy/policy.h"
#include "tests/bench/ratio.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace binade::bench {

/// What one of Apex's levels makes of a training program, and what it costs here.
struct LevelFigures {
  policy::Base level = policy::Base::kApexO0;
  std::string runs;  ///< `float32`, `float16 emulated`, `float16 native`, `bfloat16 native`
  /// Names of the number formats that results in the forward, the weights, and what the optimizer steps are held in.
  std::set<std::string> values, weights, stepped;
  std::int64_t weight_bytes = 0;  ///< of the model's parameters and of the masters where the level has them
  std::int64_t peak_bytes = 0;    ///< tensors at the fullest: weights, gradients, activations, casts
  std::optional<Interval> time;   ///< a step ÷ a step of O0; nothing where it would be no speed
  std::string why_no_time;
  double first_loss = 0, last_loss = 0;
};

struct LevelOptions {
  std::string device = "cpu";
  std::int64_t batch = 0;  ///< 0: the sample's own
  int pairs = 40;          ///< of timed steps; at least 6
  int steps = 20;          ///< trained for the losses
};

/// One training program at O0 to O3, in float16; on a CPU whose arithmetic has bfloat16 also with the lists of O1 to O3
/// in bfloat16, whose time is a speed. Emulated float16 has memory and no time.
std::vector<LevelFigures> apex_levels(const std::string& sample, const LevelOptions& options);

/// `O2`
std::string level_name(policy::Base level);

}  // namespace binade::bench
