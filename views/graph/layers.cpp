// SPDX-License-Identifier: Apache-2.0
#include "views/graph/layers.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace binade::views {

namespace {

constexpr double kLayerGap = 32;   // between layers: room for an edge's label and arrow head
constexpr double kBorderGap = 18;  // between the first or last item and the others
constexpr double kItemGap = 24;
constexpr double kBendGap = 14;   // around an edge that passes through a layer
constexpr double kLane = 8;       // between edges at the right side
constexpr int kLongestBent = 24;  // layers that an edge may cross between the boxes; longer ones run at the right side
constexpr int kOrderSweeps = 8;
constexpr int kPlaceSweeps = 8;

/// A box, or the bend of an edge in a layer that it passes through.
struct Bend {
  int layer = 0;
  double width = 0;
  double in = 0;   // of edges from above, from the left
  double out = 0;  // of edges to below
  double x = 0;
  bool bend = false;
  std::vector<int> above;
  std::vector<int> below;
};

class Layering {
 public:
  Layering(const std::vector<LayerItem>& items, const std::vector<LayerEdge>& edges, int first, int last)
      : items_(items), edges_(edges), first_(first), last_(last) {}

  LayerPlaces run() {
    chooseLayers();
    addBends();
    chooseOrder();
    choosePlaces();
    return result();
  }

 private:
  std::size_t at(int index) const { return static_cast<std::size_t>(index); }

  // Items in the order of execution, with `first` before and `last` behind all others.
  int orderOf(int item) const {
    if (item == first_) return -1;
    return item == last_ ? static_cast<int>(items_.size()) : item;
  }

  void chooseLayers() {
    const std::size_t count = items_.size();
    std::vector<std::vector<int>> before(count);
    std::vector<std::vector<int>> after(count);
    for (const LayerEdge& edge : edges_) {
      if (edge.from == edge.to) continue;
      const bool down = orderOf(edge.from) < orderOf(edge.to);
      const int upper = down ? edge.from : edge.to;
      const int lower = down ? edge.to : edge.from;
      before[at(lower)].push_back(upper);
      after[at(upper)].push_back(lower);
    }
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [this](int a, int b) { return orderOf(a) < orderOf(b); });
    layer_.assign(count, 0);
    const int shift = first_ >= 0 ? 1 : 0;
    int previous = -1;
    int deepest = 0;
    for (const int item : order) {
      if (item == last_) {
        layer_[at(item)] = deepest + 1;
      } else if (item != first_) {
        int layer = shift;
        for (const int upper : before[at(item)]) layer = std::max(layer, layer_[at(upper)] + 1);
        const bool alone = before[at(item)].empty() && after[at(item)].empty();
        if (alone && previous >= 0) layer = layer_[at(previous)] + 1;
        layer_[at(item)] = layer;
        previous = item;
      }
      deepest = std::max(deepest, layer_[at(item)]);
    }
    // An item that takes nothing stands directly above the first that takes its result.
    for (auto item = order.rbegin(); item != order.rend(); ++item) {
      if (*item == first_ || *item == last_ || !before[at(*item)].empty() || after[at(*item)].empty()) continue;
      int nearest = std::numeric_limits<int>::max();
      for (const int lower : after[at(*item)]) nearest = std::min(nearest, layer_[at(lower)] - 1);
      layer_[at(*item)] = std::max(layer_[at(*item)], nearest);
    }
  }

  void addBends() {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      nodes_.push_back({layer_[i], items_[i].size.width(), items_[i].in, items_[i].out, 0, false, {}, {}});
    }
    chains_.resize(edges_.size());
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      if (edges_[e].from == edges_[e].to) continue;
      const bool down = layer_[at(edges_[e].from)] < layer_[at(edges_[e].to)];
      const int upper = down ? edges_[e].from : edges_[e].to;
      const int lower = down ? edges_[e].to : edges_[e].from;
      if (layer_[at(lower)] - layer_[at(upper)] > kLongestBent) continue;
      std::vector<int>& chain = chains_[e];
      chain.push_back(upper);
      for (int layer = layer_[at(upper)] + 1; layer < layer_[at(lower)]; ++layer) {
        nodes_.push_back({layer, 0, 0, 0, 0, true, {}, {}});
        chain.push_back(static_cast<int>(nodes_.size()) - 1);
      }
      chain.push_back(lower);
      for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
        nodes_[at(chain[i])].below.push_back(chain[i + 1]);
        nodes_[at(chain[i + 1])].above.push_back(chain[i]);
      }
    }
    int layers = 0;
    for (const Bend& node : nodes_) layers = std::max(layers, node.layer + 1);
    layers_.resize(at(layers));
    for (std::size_t i = 0; i < nodes_.size(); ++i) layers_[at(nodes_[i].layer)].push_back(static_cast<int>(i));
    place_.resize(nodes_.size());
    number();
  }

  void number() {
    for (const auto& layer : layers_) {
      for (std::size_t i = 0; i < layer.size(); ++i) place_[at(layer[i])] = static_cast<int>(i);
    }
  }

  // Crossings of the edges between a layer and the next, counted with a tree of prefix sums.
  std::size_t crossings(std::size_t layer) const {
    std::vector<int> ends;
    for (const int node : layers_[layer]) {
      std::vector<int> below;
      for (const int lower : nodes_[at(node)].below) below.push_back(place_[at(lower)]);
      std::sort(below.begin(), below.end());
      ends.insert(ends.end(), below.begin(), below.end());
    }
    const std::size_t size = layers_[layer + 1].size();
    std::vector<std::size_t> tree(size + 1);
    std::size_t found = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      std::size_t not_right = 0;
      for (std::size_t at_end = static_cast<std::size_t>(ends[i]) + 1; at_end > 0; at_end &= at_end - 1)
        not_right += tree[at_end];
      found += i - not_right;
      for (std::size_t at_end = static_cast<std::size_t>(ends[i]) + 1; at_end <= size; at_end += at_end & (~at_end + 1))
        ++tree[at_end];
    }
    return found;
  }

  std::size_t crossings() const {
    std::size_t all = 0;
    for (std::size_t layer = 0; layer + 1 < layers_.size(); ++layer) all += crossings(layer);
    return all;
  }

  void chooseOrder() {
    auto best = layers_;
    std::size_t least = crossings();
    for (int sweep = 0; sweep < kOrderSweeps && least > 0; ++sweep) {
      const bool down = sweep % 2 == 0;
      for (std::size_t i = 1; i < layers_.size(); ++i) {
        auto& layer = layers_[down ? i : layers_.size() - 1 - i];
        std::vector<std::pair<double, int>> wanted;
        for (const int node : layer) {
          const auto& near = down ? nodes_[at(node)].above : nodes_[at(node)].below;
          double sum = 0;
          for (const int each : near) sum += place_[at(each)];
          wanted.emplace_back(near.empty() ? place_[at(node)] : sum / static_cast<double>(near.size()), node);
        }
        std::stable_sort(wanted.begin(), wanted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t n = 0; n < layer.size(); ++n) {
          layer[n] = wanted[n].second;
          place_[at(layer[n])] = static_cast<int>(n);
        }
      }
      const std::size_t now = crossings();
      if (now >= least) continue;
      least = now;
      best = layers_;
    }
    layers_ = std::move(best);
    number();
  }

  static double gap(const Bend& left, const Bend& right) { return left.bend || right.bend ? kBendGap : kItemGap; }

  // Positions nearest to the wanted ones that keep the order and the gaps: neighbours that would overlap form a group,
  // which is placed at the weighted mean of what its members want.
  void settle(const std::vector<int>& layer, const std::vector<double>& wanted, const std::vector<double>& weight) {
    struct Group {
      double sum;
      double weight;
      std::size_t first;
    };
    std::vector<Group> groups;
    std::vector<double> offset(layer.size());
    for (std::size_t i = 1; i < layer.size(); ++i) {
      const Bend& left = nodes_[at(layer[i - 1])];
      offset[i] = offset[i - 1] + left.width + gap(left, nodes_[at(layer[i])]);
    }
    for (std::size_t i = 0; i < layer.size(); ++i) {
      groups.push_back({(wanted[i] - offset[i]) * weight[i], weight[i], i});
      while (groups.size() > 1) {
        const Group& last = groups.back();
        Group& before = groups[groups.size() - 2];
        if (before.sum * last.weight <= last.sum * before.weight) break;
        before.sum += last.sum;
        before.weight += last.weight;
        groups.pop_back();
      }
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const std::size_t end = g + 1 < groups.size() ? groups[g + 1].first : layer.size();
      for (std::size_t i = groups[g].first; i < end; ++i)
        nodes_[at(layer[i])].x = groups[g].sum / groups[g].weight + offset[i];
    }
  }

  void choosePlaces() {
    for (const auto& layer : layers_) {
      double x = 0;
      for (std::size_t i = 0; i < layer.size(); ++i) {
        if (i > 0) x += nodes_[at(layer[i - 1])].width + gap(nodes_[at(layer[i - 1])], nodes_[at(layer[i])]);
        nodes_[at(layer[i])].x = x;
      }
      const double half = layer.empty() ? 0 : (x + nodes_[at(layer.back())].width) / 2;
      for (const int node : layer) nodes_[at(node)].x -= half;
    }
    for (int sweep = 0; sweep < kPlaceSweeps; ++sweep) {
      const bool down = sweep % 2 == 0;
      for (std::size_t i = 0; i < layers_.size(); ++i) {
        const auto& layer = layers_[down ? i : layers_.size() - 1 - i];
        std::vector<double> wanted;
        std::vector<double> weight;
        for (const int node : layer) {
          const Bend& here = nodes_[at(node)];
          double sum = 0;
          double straight = 0;
          double count = 0;
          const auto pull = [&](int other, double from, double to) {
            const bool both = here.bend && nodes_[at(other)].bend;  // long edges shall be straight
            const double strength = both ? 8 : here.bend || nodes_[at(other)].bend ? 2 : 1;
            sum += strength * (nodes_[at(other)].x + from - to);
            straight += both ? 4 : 0;
            count += strength;
          };
          // The layer that was placed before pulls more than the next one, which moves afterwards.
          for (const int each : down ? here.above : here.below)
            pull(each, down ? nodes_[at(each)].out : nodes_[at(each)].in, down ? here.in : here.out);
          if (sweep > 1) {
            for (const int each : down ? here.below : here.above)
              pull(each, down ? nodes_[at(each)].in : nodes_[at(each)].out, down ? here.out : here.in);
          }
          wanted.push_back(count > 0 ? sum / count : here.x);
          weight.push_back(count > 0 ? 1 + straight : 0.1);
        }
        settle(layer, wanted, weight);
      }
    }
  }

  // No label is needed between a border and the boxes next to it.
  double gapBelow(std::size_t layer) const {
    const bool first = first_ >= 0 && layer == 0;
    const bool last = last_ >= 0 && layer + 2 == layers_.size();
    return first || last ? kBorderGap : kLayerGap;
  }

  LayerPlaces result() const {
    LayerPlaces places;
    std::vector<double> top(layers_.size() + 1);
    std::vector<double> high(layers_.size());
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
      for (const int node : layers_[layer]) {
        if (!nodes_[at(node)].bend) high[layer] = std::max(high[layer], items_[at(node)].size.height());
      }
      top[layer + 1] = top[layer] + high[layer] + gapBelow(layer);
    }
    double left = std::numeric_limits<double>::max();
    double right = std::numeric_limits<double>::lowest();
    for (const Bend& node : nodes_) {
      left = std::min(left, node.x);
      right = std::max(right, node.x + node.width);
    }
    if (nodes_.empty()) left = right = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const double free = high[at(layer_[i])] - items_[i].size.height();
      places.items.emplace_back(nodes_[i].x - left, top[at(layer_[i])] + free / 2);
    }
    double lane = right - left;
    places.edges.resize(edges_.size());
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      const LayerEdge& edge = edges_[e];
      if (edge.from == edge.to) continue;
      const bool down = layer_[at(edge.from)] < layer_[at(edge.to)];
      const auto upper = at(down ? edge.from : edge.to);
      const auto lower = at(down ? edge.to : edge.from);
      std::vector<QPointF>& points = places.edges[e];
      points.push_back(places.items[upper] + QPointF(items_[upper].out, items_[upper].size.height()));
      if (chains_[e].empty()) {
        lane += kLane;
        points.emplace_back(lane, points.front().y() + kLayerGap / 2);
        points.emplace_back(lane, places.items[lower].y() - kLayerGap / 2);
      }
      for (const int node : chains_[e]) {
        if (!nodes_[at(node)].bend) continue;
        const auto layer = at(nodes_[at(node)].layer);
        const double x = nodes_[at(node)].x - left;
        points.emplace_back(x, top[layer]);
        if (high[layer] > 0) points.emplace_back(x, top[layer] + high[layer]);
      }
      points.push_back(places.items[lower] + QPointF(items_[lower].in, 0));
      if (!down) std::reverse(points.begin(), points.end());
    }
    places.size = {lane, layers_.empty() ? 0 : top[layers_.size() - 1] + high.back()};
    return places;
  }

  const std::vector<LayerItem>& items_;
  const std::vector<LayerEdge>& edges_;
  const int first_;
  const int last_;
  std::vector<int> layer_;                // of items
  std::vector<Bend> nodes_;               // items, then bends
  std::vector<std::vector<int>> chains_;  // nodes of each edge from top to bottom; empty: at the right side
  std::vector<std::vector<int>> layers_;
  std::vector<int> place_;  // of each node in its layer
};

}  // namespace

LayerPlaces layOutLayers(const std::vector<LayerItem>& items, const std::vector<LayerEdge>& edges, int first,
                         int last) {
  return Layering(items, edges, first, last).run();
}

}  // namespace binade::views
