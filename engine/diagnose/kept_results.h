// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <ATen/core/Tensor.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace binade::diagnose {

/// Keeps the results of selected calls of a forward, numbers or bools, in float64, and the numbers passed to the
/// losses. Nest it outside of Autocast, where it receives arguments before casts and results after rounding. Not
/// thread-safe.
class KeptResults : public graph::SiteHook {
 public:
  /// A site and the index of its execution in the forward. Executions in several micro-batches are all kept.
  using Call = std::pair<int, int>;
  explicit KeptResults(std::set<Call> wanted) : wanted_(std::move(wanted)) {}

  void before(graph::Call& call) override;
  void after(graph::Call& call) override;

  const std::vector<at::Tensor>& of(const Call& call) const;
  const std::vector<at::Tensor>& given_to_losses() const { return losses_; }

 private:
  std::set<Call> wanted_;
  std::map<Call, std::vector<at::Tensor>> results_;
  std::vector<at::Tensor> losses_;
};

/// Returns whether a site belongs to a loss.
bool is_of_loss(const graph::Site& site);

}  // namespace binade::diagnose
