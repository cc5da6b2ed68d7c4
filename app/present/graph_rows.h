// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/present/site_format.h"
#include "views/values/graph_node.h"

#include <functional>
#include <string>
#include <vector>

namespace binade::app {

/// The quantity by which boxes of the graph are coloured.
enum class GraphColor { kFormat, kHeadroom, kOverflows, kTime, kTensor };

/// Returns a run's modules, branches, loops and op calls as boxes in execution order; ids are sites. A module with a
/// single op call is one box, and a module that only contains another is merged with it: `backbone.body`.
std::vector<views::GraphNode> graphNodes(const RunModel& run);

/// The tensors that pass between the op calls that have a box.
struct GraphFlow {
  std::vector<views::GraphEdge> edges;
  std::vector<std::string> arguments;  ///< of each edge: the argument that takes the tensor
};

/// Returns the edges between op calls that have a box; one without a box, which was never executed, is passed through.
/// For a run file that does not say which op call takes which result, each op call is followed by the next.
GraphFlow graphFlow(const RunModel& run);

/// The format of an op call that an edit has chosen and that is not in force yet, its note saying when it will be. The
/// name is empty if there is none.
using WaitingFormat = std::function<SiteFormat(int site)>;

/// Returns the display of these boxes; for a module that of its worst op call, or the sum. Not measured is no 0.
std::vector<views::GraphShade> graphShades(const RunModel& run, const std::vector<views::GraphNode>& nodes,
                                           GraphColor color, const WaitingFormat& waiting = {});

/// Adds the casts of arguments that no edge brings, such as weights, to the boxes where they happen.
void addCasts(const RunModel& run, const std::vector<views::GraphNode>& nodes, const GraphFlow& flow,
              std::vector<views::GraphShade>& shades);

/// Returns format and cast of each edge, under the newest policy.
std::vector<views::GraphEdgeShade> graphEdgeShades(const RunModel& run, const GraphFlow& flow);

/// Returns what colours and marks of the graph mean, as far as they occur.
std::vector<views::GraphKey> graphKeys(const RunModel& run, GraphColor color,
                                       const std::vector<views::GraphShade>& shades,
                                       const std::vector<views::GraphEdgeShade>& edges, bool path);

}  // namespace binade::app
