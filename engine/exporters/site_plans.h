// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/plan.h"
#include "engine/exporters/uncertain_dtypes.h"
#include "engine/graph/flat_graph.h"
#include "engine/policy/resolve.h"

#include <cstddef>
#include <vector>

namespace binade::exporters {

/// The casting plan of each site of a flat graph, as far as its rule alone determines it.
class SitePlans {
 public:
  /// `flat` and `table` must outlive this.
  SitePlans(const graph::FlatGraph& flat, const policy::Resolved& table);

  autocast::Plan of(std::size_t site) const;
  /// Returns, for nodes of `graph` (an unmodified copy of the flat graph), the dtype to which the rule casts the
  /// arguments.
  UncertainDtypes::CastsTo casts_to(torch::jit::Graph& graph) const;
  /// Returns every dtype below float64 that tensors may have under these rules, starting from float32.
  std::vector<at::ScalarType> dtypes() const;

 private:
  const graph::FlatGraph& flat_;
  const policy::Resolved& table_;
  bool edited_;
};

/// Returns whether casts are cached inside an autocast block of the model's own; `block` may be null.
bool keeps_casts(const policy::OwnBlock* block);

}  // namespace binade::exporters
