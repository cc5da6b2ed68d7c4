// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <vector>

namespace binade::views {

/// A box of a flat graph. Edges arrive at its top and leave at its bottom, `in` and `out` px from its left edge.
struct LayerItem {
  QSizeF size;
  double in = 0;
  double out = 0;
};

struct LayerEdge {
  int from = 0;  ///< index of an item
  int to = 0;
};

/// Positions of items, and the points of edges from start to end, in px from the top left corner of `size`.
struct LayerPlaces {
  std::vector<QPointF> items;  ///< top left corners
  std::vector<std::vector<QPointF>> edges;
  QSizeF size;
};

/// Lays out a flat graph in horizontal layers, from top to bottom: layers by the longest path, order in a layer by
/// barycentres, horizontal positions that keep edges straight. Items must be given in the order of execution; an edge
/// to an earlier item is one that a loop carries, and is drawn upwards. Items without edges follow the item before
/// them. `first` and `last` (-1: none) are items that get a layer of their own at the top and at the bottom.
/// Deterministic; any thread.
LayerPlaces layOutLayers(const std::vector<LayerItem>& items, const std::vector<LayerEdge>& edges, int first = -1,
                         int last = -1);

}  // namespace binade::views
