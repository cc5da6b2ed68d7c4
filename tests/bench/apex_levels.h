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

/// Effects and cost of one of Apex's levels on a training program.
struct LevelFigures {
  policy::Base level = policy::Base::kApexO0;
  std::string runs;  ///< `float32`, `float16 emulated`, `float16 native`, `bfloat16 native`
  /// Formats of results in the forward, of the weights, and of the tensors that the optimizer updates.
  std::set<std::string> values, weights, stepped;
  std::int64_t weight_bytes = 0;  ///< the model's parameters, and master weights if the level has them
  std::int64_t peak_bytes = 0;    ///< peak of tensor memory: weights, gradients, activations, casts
  std::optional<Interval> time;   ///< time of a step ÷ a step of O0; nullopt if it would not measure speed
  std::string why_no_time;
  double first_loss = 0, last_loss = 0;
};

struct LevelOptions {
  std::string device = "cpu";
  std::int64_t batch = 0;  ///< 0: the sample's own batch size
  int pairs = 40;          ///< pairs of timed steps; at least 6
  int steps = 20;          ///< steps trained for the losses
};

/// Measures one training program at O0 to O3 in float16. On a CPU with native bfloat16 but no native float16, also
/// measures the lists of O1 to O3 in bfloat16, with times. Emulated float16 has memory figures and no time.
std::vector<LevelFigures> apex_levels(const std::string& sample, const LevelOptions& options);

/// Returns `O2` for kApexO2.
std::string level_name(policy::Base level);

}  // namespace binade::bench
