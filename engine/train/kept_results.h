// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <ATen/core/Tensor.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace binade::train {

/// Keeps, in float64, what chosen calls of a forward give, numbers or truths, and the numbers that the losses are
/// given. Nest it outside of Autocast: it sees arguments before any cast and results after rounding. One thread.
class KeptResults : public graph::SiteHook {
 public:
  /// One execution: the site, and how often it ran before in its forward. Of several micro-batches each is kept.
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

/// Whether a site belongs to a loss.
bool is_of_loss(const graph::Site& site);

}  // namespace binade::train
