// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QString>

#include <vector>

namespace binade::views {

/// One box of a ModuleGraph: a module, or an op call.
struct GraphNode {
  QString name;     ///< `layer1.0`, `conv1`, `relu`
  QString detail;   ///< secondary text after it: `conv2d, batch_norm`, `12 calls`
  int parent = -1;  ///< index of the enclosing module, which precedes it; -1: none
  int id = -1;      ///< the caller's id of an op call; -1: a module, which can be folded
  QString tip{};
};

/// How a box shows the quantity by which the graph is coloured.
struct GraphShade {
  std::vector<QColor> stripes;  ///< along its left edge; several for a module of mixed kinds
  QString figure;               ///< right-aligned
  bool attention = false;       ///< the value needs attention
};

}  // namespace binade::views
