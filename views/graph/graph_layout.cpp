// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_layout.h"

#include "views/graph/layers.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace binade::views {

namespace {

/// One part of an edge: between two boxes of a container, or between a box and the container's border.
struct Part {
  int container = -1;  // box; -1: the whole
  int edge = 0;        // index among the container's edges
};

constexpr int kIn = -1;   // start of a part at the container's top
constexpr int kOut = -2;  // end of a part at its bottom

/// What an open box contains, or the whole.
struct Container {
  std::vector<int> boxes;
  std::vector<LayerEdge> edges;  // by index of `boxes`, or kIn, kOut
  std::map<std::pair<int, int>, int> known;
  bool enters = false;  // an edge comes in at the top
  bool leaves = false;
  LayerPlaces places;
  int in = -1;  // items of `places` that stand for the points of the border
  int out = -1;

  int edge(int from, int to) {
    const auto [found, added] = known.try_emplace({from, to}, static_cast<int>(edges.size()));
    if (added) edges.push_back({from, to});
    return found->second;
  }
};

class Nesting {
 public:
  explicit Nesting(const LayoutInput& input)
      : input_(input), containers_(input.boxes.size() + 1), place_(input.boxes.size()), depth_(input.boxes.size()) {}

  LayoutPlaces run() {
    for (std::size_t i = 0; i < input_.boxes.size(); ++i) {
      const int parent = input_.boxes[i].parent;
      depth_[i] = parent < 0 ? 0 : depth_[at(parent)] + 1;
      place_[i] = static_cast<int>(inside(parent).boxes.size());
      inside(parent).boxes.push_back(static_cast<int>(i));
    }
    for (const LayoutEdge& edge : input_.edges) split(edge);
    sizes_.resize(input_.boxes.size());
    in_.resize(input_.boxes.size());
    out_.resize(input_.boxes.size());
    left_.resize(input_.boxes.size());
    for (int box = static_cast<int>(input_.boxes.size()) - 1; box >= -1; --box) measure(box);
    return assemble();
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  Container& inside(int box) { return containers_[at(box + 1)]; }

  // From the box up to the container that holds both ends, across, and down to the other box.
  void split(const LayoutEdge& edge) {
    std::vector<Part> up;
    std::vector<Part> down;
    int from = edge.from;
    int to = edge.to;
    const auto climb = [&](int& box, std::vector<Part>& parts, bool leaves) {
      const int around = input_.boxes[at(box)].parent;
      Container& container = inside(around);
      (leaves ? container.leaves : container.enters) = true;
      const int place = place_[at(box)];
      parts.push_back({around, leaves ? container.edge(place, kOut) : container.edge(kIn, place)});
      box = around;
    };
    while (depth_[at(from)] > depth_[at(to)]) climb(from, up, true);
    while (depth_[at(to)] > depth_[at(from)]) climb(to, down, false);
    while (input_.boxes[at(from)].parent != input_.boxes[at(to)].parent) {
      climb(from, up, true);
      climb(to, down, false);
    }
    const int around = input_.boxes[at(from)].parent;
    if (from != to) up.push_back({around, inside(around).edge(place_[at(from)], place_[at(to)])});
    up.insert(up.end(), down.rbegin(), down.rend());
    parts_.push_back(std::move(up));
  }

  void measure(int box) {
    Container& container = inside(box);
    if (box >= 0 && container.boxes.empty()) {
      sizes_[at(box)] = input_.boxes[at(box)].size;
      in_[at(box)] = out_[at(box)] = sizes_[at(box)].width() / 2;
      return;
    }
    std::vector<LayerItem> items;
    for (const int each : container.boxes) items.push_back({sizes_[at(each)], in_[at(each)], out_[at(each)]});
    if (container.enters) container.in = static_cast<int>(items.size()), items.emplace_back();
    if (container.leaves) container.out = static_cast<int>(items.size()), items.emplace_back();
    std::vector<LayerEdge> edges = container.edges;
    for (LayerEdge& edge : edges) {
      if (edge.from == kIn) edge.from = container.in;
      if (edge.to == kOut) edge.to = container.out;
    }
    container.places = layOutLayers(items, edges, container.in, container.out);
    if (box < 0) return;
    const LayerPlaces& places = container.places;
    const QSizeF content = places.size;
    const double wide = std::max(input_.boxes[at(box)].size.width(), content.width() + 2 * kModulePadding);
    left_[at(box)] = (wide - content.width()) / 2;
    sizes_[at(box)] = {wide, content.height() + kModuleTitle + 2 * kModulePadding};
    in_[at(box)] = container.enters ? left_[at(box)] + places.items[at(container.in)].x() : wide / 2;
    out_[at(box)] = container.leaves ? left_[at(box)] + places.items[at(container.out)].x() : wide / 2;
  }

  LayoutPlaces assemble() {
    LayoutPlaces places;
    places.boxes.resize(input_.boxes.size());
    std::vector<QPointF> origin(containers_.size());  // of each container's content
    for (std::size_t i = 0; i < input_.boxes.size(); ++i) {
      const int parent = input_.boxes[i].parent;
      const QPointF corner = origin[at(parent + 1)] + inside(parent).places.items[at(place_[i])];
      places.boxes[i] = QRectF(corner, sizes_[i]);
      if (!inside(static_cast<int>(i)).boxes.empty())
        origin[i + 1] = corner + QPointF(left_[i], kModuleTitle + kModulePadding);
    }
    places.edges.resize(parts_.size());
    for (std::size_t e = 0; e < parts_.size(); ++e) {
      for (const Part& part : parts_[e]) {
        for (const QPointF point : inside(part.container).places.edges[at(part.edge)]) {
          const QPointF here = origin[at(part.container + 1)] + point;
          if (places.edges[e].empty() || places.edges[e].back() != here) places.edges[e].push_back(here);
        }
      }
    }
    places.size = inside(-1).places.size;
    return places;
  }

  const LayoutInput& input_;
  std::vector<Container> containers_;  // by box + 1
  std::vector<int> place_;             // of each box in its container
  std::vector<int> depth_;
  std::vector<QSizeF> sizes_;
  std::vector<double> in_;
  std::vector<double> out_;
  std::vector<double> left_;  // of an open box's content
  std::vector<std::vector<Part>> parts_;
};

}  // namespace

LayoutPlaces layOut(const LayoutInput& input) {
  return Nesting(input).run();
}

}  // namespace binade::views
