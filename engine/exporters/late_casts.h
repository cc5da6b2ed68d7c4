// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/plan.h"
#include "engine/exporters/cast_nodes.h"
#include "engine/graph/site.h"
#include "engine/policy/resolve.h"
#include "engine/targets/finding.h"

#include <set>

namespace binade::exporters {

/// Writes the casts of sites whose argument dtypes are known only at run time: the site did not run with the inputs,
/// its arguments may have other dtypes, or its calls differ.
class LateCasts {
 public:
  /// All arguments must outlive this.
  LateCasts(torch::jit::Graph& graph, CastNodes& nodes, const policy::Resolved& table, targets::Findings& findings)
      : graph_(graph), nodes_(nodes), table_(table), findings_(findings) {}

  /// Writes the casts of `plan` before `node`. `ran`: whether the site ran with the inputs.
  void write(torch::jit::Node* node, const graph::Site& site, const autocast::Plan& plan, bool ran);

  /// Replaces norm by its overload with a dtype: the single one in `dtypes`, else one computed at run time. Updates
  /// `node`.
  void redirect_norm(torch::jit::Node*& node, const std::set<at::ScalarType>& dtypes);

 private:
  using Plan = autocast::Plan;
  void cast(torch::jit::Node* node, std::size_t argument, at::ScalarType to, const graph::Site& site);
  void leave_composite(torch::jit::Node* node, const graph::Site& site, const std::vector<std::size_t>& arguments);
  void refuse(torch::jit::Node* node, const graph::Site& site, const Plan& plan);

  torch::jit::Graph& graph_;
  CastNodes& nodes_;
  const policy::Resolved& table_;
  targets::Findings& findings_;
};

}  // namespace binade::exporters
