// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/flat_graph.h"
#include "engine/graph/model.h"
#include "engine/wire/model_info.h"

#include <string>
#include <vector>

namespace binade::train {

/// What a person sees of a model: sites, parameters, buffers, inputs, warnings. `file` is only quoted. `base` tells
/// which lists `list_rule` is from.
wire::ModelInfo describe(const std::string& file, const graph::Model& model, const graph::FlatGraph& forward,
                         policy::Base base);

/// The sites of any graph, a loss's too.
std::vector<wire::SiteInfo> describe_sites(const graph::FlatGraph& graph, policy::Base base);

}  // namespace binade::train
