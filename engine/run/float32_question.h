// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/outlier_rows.h"
#include "engine/wire/run_config.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace binade::run {

/// The steps to examine.
struct Float32Question {
  std::int64_t step = 0;                             ///< the step that was not finite
  std::string checkpoint;                            ///< where to start; empty: at the run's first step
  std::int64_t from = 0;                             ///< the step that follows the checkpoint
  std::optional<double> usual_loss;                  ///< loss of the run's first finite step; nullopt: none was
  double first_norm = 0;                             ///< norm of all parameters when the run started
  std::function<bool()> cancelled;                   ///< may be empty
  std::function<void(const std::string&)> progress;  ///< may be empty
};

struct Float32Answer {
  /// Whether the same steps diverge in float32 too: a loss that is not finite or far above usual, or weights far larger
  /// than at the start. nullopt: unknown, `why` has the reason.
  std::optional<bool> diverges;
  std::string why;
  /// The loss of step `at` is not finite in float32 either, though neither the loss nor the weights had grown before:
  /// no divergence. `diverges` is false then.
  bool breaks = false;
  std::int64_t at = 0;  ///< the step at which it diverges
  double loss = 0;      ///< of that step
  double growth = 0;    ///< of the weights' norm
  /// Factor of the learning rate at which the steps do not diverge; of those tried, the one with the lowest loss. 0:
  /// none.
  double rate = 0;
  std::int64_t rate_steps = 0;  ///< number of steps run with it
  double rate_first = 0;        ///< loss of the first of these steps
  double rate_last = 0;         ///< mean loss over the last quarter of these steps
  bool learns = false;          ///< the loss falls by at least a tenth in them
  /// If the steps do not diverge with some rows replaced: these rows, and their step.
  std::optional<wire::BadRows> rows{};
  std::int64_t rows_step = 0;
};

/// Runs the steps of `config` from the start, or a checkpoint, to slightly beyond `question.step` in float32, in a
/// separate training. The model's own casts to formats of 16 bits or fewer are left out. If it diverges, repeats it
/// without rows that are far larger than the others, then at lower learning rates, for as many steps as needed to see
/// whether the loss falls. Steps and time are bounded. Preserves LibTorch's random state. Does not throw.
Float32Answer ask_float32(const wire::RunConfig& config, const Float32Question& question);

/// Returns the norm of all trainable parameters together.
double norm_of_weights(const train::Training& training);

}  // namespace binade::run
