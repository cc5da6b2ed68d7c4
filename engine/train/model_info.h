// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/dataflow.h"
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

/// Adds the edges and blocks of a loss's graph to a model's, which describe() gave. `outputs` are the paths of the
/// outputs that the loss takes, in its order, as select_output() takes them; `results` are Dataflow::results
/// of the model's graph.
void describe_loss(wire::FlowInfo& flow, const std::vector<std::vector<graph::Origin>>& results,
                   const graph::FlatGraph& loss, const std::vector<std::string>& outputs);

/// Returns the sites of any graph, including a loss's.
std::vector<wire::SiteInfo> describe_sites(const graph::FlatGraph& graph, policy::Base base);

}  // namespace binade::train
