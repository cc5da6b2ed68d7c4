// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/flat_graph.h"
#include "engine/graph/model.h"
#include "engine/wire/model_info.h"

#include <string>
#include <vector>

namespace binade::train {

/// Returns a model's description: sites, parameters, buffers, inputs, warnings. `file` is only quoted. `base` selects
/// the lists for `list_rule`.
wire::ModelInfo describe(const std::string& file, const graph::Model& model, const graph::FlatGraph& forward,
                         policy::Base base);

/// Returns the sites of any graph, including a loss's.
std::vector<wire::SiteInfo> describe_sites(const graph::FlatGraph& graph, policy::Base base);

}  // namespace binade::train
