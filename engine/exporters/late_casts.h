// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/plan.h"
#include "engine/exporters/cast_nodes.h"
#include "engine/exporters/finding.h"
#include "engine/graph/site.h"
#include "engine/policy/resolve.h"

#include <set>

namespace binade::exporters {

/// Writes what a site does where the dtypes of its arguments are known only when the file runs: it did not run with the
/// inputs, its arguments may come in other dtypes than they did, or its calls disagree.
class LateCasts {
 public:
  /// All must outlive this.
  LateCasts(torch::jit::Graph& graph, CastNodes& nodes, const policy::Resolved& table, Findings& findings)
      : graph_(graph), nodes_(nodes), table_(table), findings_(findings) {}

  /// `ran`: whether the site did run with the inputs.
  void write(torch::jit::Node* node, const graph::Site& site, const autocast::Plan& plan, bool ran);

  /// Puts the overload of norm with a dtype in the place of one without: the one that was seen, else what its argument
  /// makes of it. `node` becomes the new one.
  void redirect_norm(torch::jit::Node*& node, const std::set<at::ScalarType>& dtypes);

 private:
  using Plan = autocast::Plan;
  void cast(torch::jit::Node* node, std::size_t argument, at::ScalarType to, const graph::Site& site);
  void leave_composite(torch::jit::Node* node, const graph::Site& site, const std::vector<std::size_t>& arguments);
  void refuse(torch::jit::Node* node, const graph::Site& site, const Plan& plan);

  torch::jit::Graph& graph_;
  CastNodes& nodes_;
  const policy::Resolved& table_;
  Findings& findings_;
};

}  // namespace binade::exporters
