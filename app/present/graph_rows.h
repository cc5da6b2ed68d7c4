// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "views/values/graph_node.h"

#include <vector>

namespace binade::app {

/// The quantity by which boxes of the graph are coloured.
enum class GraphColor { kFormat, kHeadroom, kOverflows, kTime, kTensor };

/// Returns a run's modules and op calls as boxes in execution order; ids are sites. A module with a single op call is
/// one box, and a module that only contains another is merged with it: `backbone.body`.
std::vector<views::GraphNode> graphNodes(const RunModel& run);

/// Returns the display of these boxes; for a module that of its worst op call, or the sum. `–` if not measured.
std::vector<views::GraphShade> graphShades(const RunModel& run, const std::vector<views::GraphNode>& nodes,
                                           GraphColor color);

}  // namespace binade::app
