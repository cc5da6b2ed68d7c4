// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QString>

#include <vector>

namespace binade::views {

/// One box of a ModuleGraph: a module, a branch or loop of the model's code, or an op call.
struct GraphNode {
  QString name;     ///< `layer1.0`, `conv1`, `relu`; of a branch or loop `if, net.py:12`
  QString detail;   ///< secondary text after it: `conv2d, batch_norm`, `12 calls`
  int parent = -1;  ///< index of the enclosing box, which precedes it; -1: none
  int id = -1;      ///< the caller's id of an op call; -1: a box with others in it, which can be folded
  QString tip{};
  bool control = false;  ///< a branch or a loop
};

/// How a box shows the quantity by which the graph is coloured.
struct GraphShade {
  std::vector<QColor> stripes;  ///< along its left edge; several for a module of mixed kinds
  QString figure;               ///< right-aligned
  bool attention = false;       ///< the value needs attention
  bool measured = true;         ///< false: drawn hatched
  QString spoken{};             ///< format and overflows, for assistive technology; empty: the name alone is read
  QString casts{};              ///< of arguments that no edge brings, such as weights: one a line; empty: none
};

/// A tensor that passes between two op calls.
struct GraphEdge {
  int from = -1;  ///< ids of op calls
  int to = -1;
  QString text{};  ///< what is known for the whole run: `N × 16 × 28 × 28`
};

/// How an edge shows the tensor now.
struct GraphEdgeShade {
  QColor color;    ///< of the format; invalid: unknown
  QString format;  ///< `float16`
  QString cast{};  ///< `float32 → float16`; empty: the tensor is taken as it is
  QString tip{};   ///< what the cast costs
};

/// An entry of a graph's legend.
struct GraphKey {
  enum class Kind { kStripe, kPale, kHatched, kEdge, kPath, kCast };
  Kind kind = Kind::kStripe;
  QColor color;
  QString text;
};

}  // namespace binade::views
