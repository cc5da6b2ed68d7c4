// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/cast_scope.h"
#include "engine/train/training.h"

#include <optional>
#include <span>
#include <vector>

namespace binade::train {

/// One batch through forward and losses, in one cast scope:
///
///     BatchPass pass(training, casts, batch, hooks);                                   // forward
///     for (std::size_t i = 0; i < training.losses.size(); ++i) pass.add(i, pass.loss(i));
///     const std::vector<at::Tensor> sums = pass.finish();                              // then backward from each
///
/// The hooks include `casts`. All arguments must outlive it. Destruction ends the cast scope, also after an exception.
class BatchPass {
 public:
  /// Runs forward. Throws like FlatGraph::run().
  BatchPass(Training& training, autocast::Autocast& casts, const batches::Batch& batch,
            std::span<graph::SiteHook* const> hooks);

  /// The result of forward.
  const c10::IValue& output() const { return output_; }
  /// Runs loss `i` and returns its value, 0-dim and not weighted. Throws like Loss.
  at::Tensor loss(std::size_t i);
  /// Runs every loss, for what the hooks observe.
  void run_losses();
  /// Adds the value of loss `i`, with its weight, to the sum of its scaler. The step's micro-batches share the loss,
  /// and so do the ranks: returns this batch's part, not weighted.
  at::Tensor add(std::size_t i, at::Tensor value);
  /// Ends the cast scope and releases the output, as backward requires. Returns the sums by scaler; undefined: none of
  /// its losses was added.
  std::vector<at::Tensor> finish();

 private:
  Training& training_;
  const batches::Batch& batch_;
  const std::span<graph::SiteHook* const> hooks_;
  std::vector<at::Tensor> sums_;
  std::optional<autocast::CastScope> scope_;
  c10::IValue output_;
};

}  // namespace binade::train
