// SPDX-License-Identifier: Apache-2.0
#include "tests/wire/samples.h"

#include <limits>

namespace binade::test {

wire::Trial sampleTrial(std::int64_t step) {
  const double infinity = std::numeric_limits<double>::infinity();
  wire::Trial trial;
  trial.name = "fc1 in float32";
  trial.before = samplePolicy(1);
  trial.after = samplePolicy(2);
  trial.checkpoint = "/runs/step-20.safetensors";
  trial.first_step = step;
  trial.steps = 4;
  for (std::int64_t seed = 0; seed < 2; ++seed) {
    const wire::TrialArm arm{.losses = {2.5, 2.25, 2.125, 2},
                             .evaluation = 2.0625,
                             .accuracy = 0.25,
                             .overflows = 1,
                             .skipped = 2,
                             .scale = 4096,
                             .seconds = 0.015625,
                             .casts = 7,
                             .cast_bytes = 8192,
                             .peak_bytes = 65536};
    trial.seeds.push_back({.seed = seed, .before = arm, .after = arm, .noise = arm});
  }
  trial.seeds[1].after.losses = {2.5, infinity};
  trial.seeds[1].after.failure = "the model is too large";
  trial.seeds[1].after.finite_weights = false;
  trial.complete = false;
  trial.verdict = wire::TrialVerdict::kDiverged;
  trial.worse_from = step + 1;
  trial.loss = {.before = 2.21875, .after = infinity, .mean = infinity, .low = 0.5, .high = infinity, .noise = 0.0625};
  trial.late_loss = {.before = 2, .after = 2.5, .mean = 0.5, .low = 0.25, .high = 0.75, .noise = 0.0625};
  trial.evaluation = {
      .before = 2.0625, .after = 2.125, .mean = 0.0625, .low = 0.03125, .high = 0.09375, .noise = 0.25, .floor = 0.002};
  trial.seconds = {.before = 0.015625, .after = 0.03125, .mean = 0.015625, .low = 0.0125, .high = 0.02, .noise = 0.001};
  trial.emulated_before = true;
  trial.emulated_after = true;
  trial.estimates = {{.gpu = "H100 SXM5", .before = 0.00025, .after = 0.000125}};
  trial.notes = {"the data was not checked"};
  trial.made = 1'790'000'000;
  return trial;
}

}  // namespace binade::test
