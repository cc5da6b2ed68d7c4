// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/plan.h"
#include "engine/exporters/uncertain_dtypes.h"
#include "engine/graph/flat_graph.h"
#include "engine/policy/resolve.h"

#include <cstddef>
#include <vector>

namespace binade::exporters {

/// What casting does at each site of a flat graph, as far as its rule alone tells.
class SitePlans {
 public:
  /// Both must outlive this.
  SitePlans(const graph::FlatGraph& flat, const policy::Resolved& table);

  autocast::Plan of(std::size_t site) const;
  /// What each node of `graph`, an unchanged copy of the flat graph, casts its arguments to, if its rule is a format.
  UncertainDtypes::CastsTo casts_to(torch::jit::Graph& graph) const;
  /// Every dtype below float64 that tensors may have under these rules, given float32 to begin with.
  std::vector<at::ScalarType> dtypes() const;

 private:
  const graph::FlatGraph& flat_;
  const policy::Resolved& table_;
  bool edited_;
};

/// Whether casts are kept for other uses inside a block of the model's own, which may be null.
bool keeps_casts(const policy::OwnBlock* block);

}  // namespace binade::exporters
