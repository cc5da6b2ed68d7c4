// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run_model.h"
#include "views/module_graph.h"

#include <vector>

namespace binade::app {

/// What the boxes of the graph are coloured by.
enum class GraphColor { kFormat, kHeadroom, kOverflows, kTime, kTensor };

/// The modules and op calls of a run as boxes, in execution order; ids are sites. A module with a single call in it is
/// one box, and a module that only holds another is named with it: `backbone.body`.
std::vector<views::GraphNode> graphNodes(const RunModel& run);

/// What each of these boxes tells: a module of its worst call, or of the sum. What was not measured is `–`.
std::vector<views::GraphShade> graphShades(const RunModel& run, const std::vector<views::GraphNode>& nodes,
                                           GraphColor color);

}  // namespace binade::app
