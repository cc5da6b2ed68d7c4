// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/graph/module_graph.h"

#include <memory>
#include <vector>

namespace binade::test {

/// stem; body { a; b { c; d } }; head. Ids are 10 times the place.
inline std::vector<views::GraphNode> nodes() {
  return {{QStringLiteral("stem"), QStringLiteral("conv2d"), -1, 0},
          {QStringLiteral("body"), QStringLiteral("3 calls"), -1, -1},
          {QStringLiteral("a"), QStringLiteral("linear"), 1, 20},
          {QStringLiteral("b"), QStringLiteral("relu, linear"), 1, -1},
          {QStringLiteral("c"), QStringLiteral("linear"), 3, 40},
          {QStringLiteral("d"), QStringLiteral("relu"), 3, 50},
          {QStringLiteral("head"), QStringLiteral("linear"), -1, 60}};
}

/// stem > a > c > d > head, and beside it stem > c.
inline std::vector<views::GraphEdge> edges() {
  return {{0, 20, QStringLiteral("N × 16")}, {20, 40, {}}, {40, 50, {}}, {50, 60, {}}, {0, 40, {}}};
}

/// These, 420 by 900 px.
inline std::unique_ptr<views::ModuleGraph> shownGraph() {
  auto graph = std::make_unique<views::ModuleGraph>();
  graph->setNodes(nodes(), edges());
  graph->resize(420, 900);
  graph->show();
  return graph;
}

/// The title of an open box, and the middle of another.
inline QPoint handleOf(const views::ModuleGraph& graph, int node) {
  const QRectF box = graph.boxOf(node);
  return {static_cast<int>(box.left()) + 60, static_cast<int>(box.top() + 12)};
}

}  // namespace binade::test
