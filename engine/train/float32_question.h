// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/huge_rows.h"
#include "engine/wire/run_config.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace binade::train {

/// Which steps are asked about.
struct Float32Question {
  std::int64_t step = 0;                             ///< that was not finite
  std::string checkpoint;                            ///< to start from; empty: from the run's first step
  std::int64_t from = 0;                             ///< the step that this is before
  std::optional<double> usual_loss;                  ///< of the run's first finite step; nothing: none was finite
  double first_norm = 0;                             ///< of all parameters, when the run began
  std::function<bool()> cancelled;                   ///< may be empty
  std::function<void(const std::string&)> progress;  ///< may be empty
};

struct Float32Answer {
  /// Whether the same steps diverge in float32 too: a loss that is not finite, or far above the usual, or weights that
  /// have grown far beyond those of the beginning. Nothing: it cannot be told, `why` says it.
  std::optional<bool> diverges;
  std::string why;
  /// The loss of step `at` is not finite in float32 either, though neither the loss nor the weights had grown before:
  /// no divergence. `diverges` is false then.
  bool breaks = false;
  std::int64_t at = 0;  ///< the step at which it does
  double loss = 0;      ///< of that step
  double growth = 0;    ///< of the weights' norm
  /// A part of the learning rate with which they do not: of those that were tried the one that brings the loss lowest;
  /// 0: none that was tried.
  double rate = 0;
  std::int64_t rate_steps = 0;  ///< that were taken with it
  double rate_first = 0;        ///< the loss of the first of them
  double rate_last = 0;         ///< and the mean over the last quarter of these steps
  bool learns = false;          ///< the loss falls by a tenth and more in them
  /// Where they do not with other rows in the place of some: which, and in which step.
  std::optional<wire::BadRows> rows{};
  std::int64_t rows_step = 0;
};

/// Runs the steps of `config` from the start, or a checkpoint, to a little beyond the one in question in float32, in a
/// training of its own: without the model's own casts to formats of 16 bits or fewer, else as they are, where that
/// diverges without rows that reach far beyond the others, then at lower learning rates, over as many steps as show
/// whether the loss falls. Bounded in steps and time. Leaves LibTorch's random state as it was; throws nothing.
Float32Answer ask_float32(const wire::RunConfig& config, const Float32Question& question);

/// The norm of all trainable parameters together.
double norm_of_weights(const Training& training);

}  // namespace binade::train
