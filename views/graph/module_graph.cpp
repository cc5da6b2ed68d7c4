// SPDX-License-Identifier: Apache-2.0
#include "views/graph/module_graph.h"

#include "views/graph/find_bar.h"
#include "views/graph/graph_accessible.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QPointer>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace binade::views {

namespace {

constexpr std::size_t kLookedOver = 40;  // most boxes that are shown initially
constexpr double kBoxHeight = 28;
constexpr double kNarrowestBox = 150;
constexpr double kWidestBox = 320;
constexpr double kFigureRoom = 108;  // for figure, arrow, stripe and margins

// Widths of texts are measured once: modules of a model repeat their names.
double measuredWidth(QHash<QString, double>& known, const QFont& font, const QString& text) {
  if (const auto found = known.constFind(text); found != known.constEnd()) return *found;
  return *known.insert(text, textWidth(font, text));
}

}  // namespace

ModuleGraph::ModuleGraph(QWidget* parent)
    : QAbstractScrollArea(parent), layouter_([](const LayoutInput& input, const auto& done) { done(layOut(input)); }) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Graph of the model"));
  installGraphAccessibility();
  viewport()->setMouseTracking(true);
  viewport()->grabGesture(Qt::PinchGesture);
  for (QScrollBar* bar : {horizontalScrollBar(), verticalScrollBar()})
    connect(bar, &QScrollBar::actionTriggered, this, [this] { userMoved(); });
  text_scale_ = zoom_ = textScale();
  connect(themeEvents(), &ThemeEvents::themeChanged, this, [this] {
    const double ratio = textScale() / std::exchange(text_scale_, textScale());
    if (ratio != 1 && !fitted_) zoomBy(ratio, QRectF(viewport()->rect()).center());
  });
  find_ = new FindBar(this);
  find_->hide();
}

void ModuleGraph::setLayouter(Layouter layouter) {
  layouter_ = std::move(layouter);
}

// The names of the boxes around a box, and its own.
QString ModuleGraph::placeOf(int node) const {
  const GraphNode& what = nodes_[static_cast<std::size_t>(node)];
  return what.parent < 0 ? what.name : placeOf(what.parent) + u'/' + what.name;
}

std::map<QString, bool> ModuleGraph::foldedByPlace() const {
  std::map<QString, bool> folded;
  for (int node = 0; node < static_cast<int>(nodes_.size()); ++node) {
    if (isModule(node)) folded.emplace(placeOf(node), isFolded(node));
  }
  return folded;
}

void ModuleGraph::setNodes(std::vector<GraphNode> nodes, std::vector<GraphEdge> edges, View view) {
  const std::map<QString, bool> before = view == View::kKept ? foldedByPlace() : std::map<QString, bool>();
  if (view == View::kNew) unwritten_.clear();  // it was asked for the model before
  ++generation_;
  nodes_ = std::move(nodes);
  edges_ = std::move(edges);
  shades_.assign(nodes_.size(), {});
  edge_shades_.assign(edges_.size(), {});
  depth_.assign(nodes_.size(), 0);
  folded_.assign(nodes_.size(), true);
  picture_ = {};
  marks_.clear();
  lit_links_.clear();
  lit_edges_.clear();
  bare_edges_.clear();
  cuts_.clear();
  path_.clear();
  causes_.clear();
  selected_.clear();
  current_ = wanted_ = -1;
  node_of_.clear();
  std::vector<std::size_t> at_depth;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const int parent = nodes_[i].parent;
    depth_[i] = parent < 0 ? 0 : depth_[static_cast<std::size_t>(parent)] + 1;
    at_depth.resize(std::max(at_depth.size(), static_cast<std::size_t>(depth_[i]) + 1));
    ++at_depth[static_cast<std::size_t>(depth_[i])];
    if (nodes_[i].id >= 0) node_of_.insert(nodes_[i].id, static_cast<int>(i));
  }
  ends_.clear();
  for (const GraphEdge& edge : edges_) ends_.emplace_back(nodeOf(edge.from), nodeOf(edge.to));
  std::size_t boxes = 0;
  std::size_t open = 0;  // number of levels that are opened
  for (std::size_t depth = 0; depth < at_depth.size(); ++depth) {
    boxes += at_depth[depth];
    if (boxes <= kLookedOver) open = depth;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) folded_[i] = static_cast<std::size_t>(depth_[i]) >= open;
  for (int node = 0; !before.empty() && node < static_cast<int>(nodes_.size()); ++node) {
    if (const auto found = before.find(placeOf(node)); found != before.end())
      folded_[static_cast<std::size_t>(node)] = found->second;
  }
  new_nodes_ = before.empty();
  if (new_nodes_) fitted_ = follow_path_ = false;
  arrange();
}

void ModuleGraph::setShades(std::vector<GraphShade> shades) {
  shades_ = std::move(shades);
  shades_.resize(nodes_.size());
  viewport()->update();
}

void ModuleGraph::setEdgeShades(std::vector<GraphEdgeShade> shades) {
  edge_shades_ = std::move(shades);
  edge_shades_.resize(edges_.size());
  viewport()->update();
}

int ModuleGraph::nodeOf(int id) const {
  return id < 0 ? -1 : node_of_.value(id, -1);
}

bool ModuleGraph::openAround(int node) {
  bool opened = false;
  for (int around = nodes_[static_cast<std::size_t>(node)].parent; around >= 0;
       around = nodes_[static_cast<std::size_t>(around)].parent) {
    opened = opened || folded_[static_cast<std::size_t>(around)];
    folded_[static_cast<std::size_t>(around)] = false;
  }
  return opened;
}

void ModuleGraph::setPath(const std::vector<int>& ids, const std::vector<int>& causes, bool backward) {
  path_.clear();
  causes_.clear();
  backward_ = backward;
  bool opened = false;
  for (const int id : ids) {
    if (const int node = nodeOf(id); node >= 0) path_.push_back(node);
  }
  for (const int id : causes) {
    const int node = nodeOf(id);
    if (node < 0) continue;
    causes_.push_back(node);
    opened = openAround(node) || opened;
  }
  follow_path_ = !path_.empty();
  if (follow_path_) fitted_ = false;
  if (opened) return arrange();
  if (picture_.shown.empty()) return;  // a layout is being made, and place() does the rest
  mark();
  findPathEdges();
  if (follow_path_) revealPath();
  viewport()->update();
}

void ModuleGraph::setSelected(const std::vector<int>& ids) {
  selected_.clear();
  for (const int id : ids) {
    if (const int node = nodeOf(id); node >= 0) selected_.push_back(node);
  }
  if (selected_.size() == 1 && !fitted_) reveal(standIn(selected_.front()));
  mark();
}

void ModuleGraph::setFolded(int node, bool folded) {
  if (!isModule(node) || isFolded(node) == folded) return;
  folded_[static_cast<std::size_t>(node)] = folded;
  if (current_ >= 0) current_ = standIn(current_);
  arrange();
}

void ModuleGraph::setAllFolded(bool folded) {
  std::fill(folded_.begin(), folded_.end(), folded);
  if (current_ >= 0) current_ = standIn(current_);
  arrange();
}

int ModuleGraph::standIn(int node) const {
  int shown = node;
  for (int around = nodes_[static_cast<std::size_t>(node)].parent; around >= 0;
       around = nodes_[static_cast<std::size_t>(around)].parent) {
    if (isFolded(around)) shown = around;
  }
  return shown;
}

std::vector<int> ModuleGraph::callsIn(int node) const {
  std::vector<int> ids;
  for (std::size_t i = static_cast<std::size_t>(node); i < nodes_.size(); ++i) {
    if (i > static_cast<std::size_t>(node) && depth_[i] <= depth_[static_cast<std::size_t>(node)]) break;
    if (nodes_[i].id >= 0) ids.push_back(nodes_[i].id);
  }
  return ids;
}

bool ModuleGraph::isLit(int node) const {
  return std::any_of(path_.begin(), path_.end(), [&](int each) { return standIn(each) == node; });
}

std::vector<std::pair<int, int>> ModuleGraph::links() const {
  std::vector<std::pair<int, int>> all;
  for (const Link& link : picture_.links) all.emplace_back(link.from, link.to);
  return all;
}

// Collects what is shown and has it laid out.
void ModuleGraph::arrange() {
  Picture next;
  next.row_of.assign(nodes_.size(), -1);
  std::vector<int> stand_in(nodes_.size());
  shown_.clear();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const int parent = nodes_[i].parent;
    const bool hidden = parent >= 0 && (stand_in[static_cast<std::size_t>(parent)] != parent || isFolded(parent));
    stand_in[i] = hidden ? stand_in[static_cast<std::size_t>(parent)] : static_cast<int>(i);
    if (hidden) continue;
    next.row_of[i] = static_cast<int>(shown_.size());
    shown_.push_back(static_cast<int>(i));
  }
  next.shown = shown_;
  std::map<std::pair<int, int>, std::size_t> known;
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    if (ends_[e].first < 0 || ends_[e].second < 0) continue;
    const int from = stand_in[static_cast<std::size_t>(ends_[e].first)];
    const int to = stand_in[static_cast<std::size_t>(ends_[e].second)];
    if (from == to) continue;
    const auto [found, added] = known.try_emplace({from, to}, next.links.size());
    if (added) next.links.push_back({from, to, {}});
    next.links[found->second].edges.push_back(e);
  }
  LayoutInput input;
  QHash<QString, double> names;
  QHash<QString, double> details;
  const QFont strong = unscaled(textFont(12, QFont::DemiBold), 12);
  const QFont plain = unscaled(textFont(11), 11);
  for (const int node : shown_) {
    const GraphNode& what = nodes_[static_cast<std::size_t>(node)];
    const bool open = isModule(node) && !isFolded(node);
    const double text = measuredWidth(names, strong, what.name) +
                        (open || what.detail.isEmpty() ? 0 : 10 + measuredWidth(details, plain, what.detail));
    const double wide = std::clamp(text + kFigureRoom, kNarrowestBox, kWidestBox);
    input.boxes.push_back(
        {{wide, kBoxHeight}, what.parent < 0 ? -1 : next.row_of[static_cast<std::size_t>(what.parent)], open});
  }
  for (const Link& link : next.links) {
    input.edges.push_back(
        {next.row_of[static_cast<std::size_t>(link.from)], next.row_of[static_cast<std::size_t>(link.to)]});
  }
  const quint64 arrangement = ++arrangement_;
  layouter_(std::move(input),
            [here = QPointer(this), arrangement, next = std::move(next)](LayoutPlaces places) mutable {
              if (!here || here->arrangement_ != arrangement) return;
              if (places.boxes.size() != next.shown.size() || places.edges.size() != next.links.size()) return;
              next.places = std::move(places);
              here->place(std::move(next));
            });
}

// Shows a finished layout. What the user was looking at stays where it was.
void ModuleGraph::place(Picture picture) {
  const int held = current_ >= 0 && !rectOf(current_).isEmpty() ? current_ : -1;
  const QPointF before = held >= 0 ? toView(rectOf(held).topLeft()) : QPointF();
  picture_ = std::move(picture);
  for (const auto& points : picture_.places.edges) {
    QPainterPath path;
    if (!points.empty()) path.moveTo(points.front());
    if (picture_.places.curved) {
      for (std::size_t i = 1; i + 2 < points.size(); i += 3) path.cubicTo(points[i], points[i + 1], points[i + 2]);
    } else {
      for (std::size_t i = 1; i < points.size(); ++i) {
        // Corners are rounded: the line turns halfway to the next point.
        const bool last = i + 1 == points.size();
        path.quadTo(points[i], last ? points[i] : (points[i] + points[i + 1]) / 2);
      }
    }
    picture_.paths.push_back(path);
    picture_.bounds.push_back(path.controlPointRect().adjusted(-1, -1, 1, 1));
  }
  mark();
  findPathEdges();
  if (new_nodes_) {
    new_nodes_ = false;
    const double wide = viewport()->width() / std::max(1.0, picture_.places.size.width() + 32);
    zoom_ = std::clamp(wide, 0.8 * text_scale_, text_scale_);
  }
  updateBars();
  if (fitted_) {
    fit();
  } else if (follow_path_) {
    revealPath();
  } else if (wanted_ >= 0) {
    reveal(standIn(std::exchange(wanted_, -1)));
  } else if (held >= 0 && !rectOf(held).isEmpty()) {
    panBy(toView(rectOf(held).topLeft()) - before);
    reveal(held);
  }
  viewport()->update();
  if (!unwritten_.isEmpty()) writePicture(std::exchange(unwritten_, {}));
  Q_EMIT laidOut();
}

// Computes once what every frame paints.
void ModuleGraph::mark() {
  marks_.assign(picture_.shown.size(), {});
  const auto each = [this](const std::vector<int>& nodes, bool Mark::*flag) {
    for (const int node : nodes) {
      // A box that is about to be shown is not in the picture yet.
      for (int at = node; at >= 0; at = nodes_[static_cast<std::size_t>(at)].parent) {
        const int row =
            at < static_cast<int>(picture_.row_of.size()) ? picture_.row_of[static_cast<std::size_t>(at)] : -1;
        if (row < 0) continue;
        marks_[static_cast<std::size_t>(row)].*flag = true;
        break;
      }
    }
  };
  each(path_, &Mark::lit);
  each(causes_, &Mark::cause);
  each(selected_, &Mark::selected);
  viewport()->update();
}

std::vector<int> ModuleGraph::matches(const QString& text) const {
  std::vector<int> found;
  if (text.isEmpty()) return found;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const GraphNode& node = nodes_[i];
    const bool named = node.name.contains(text, Qt::CaseInsensitive) ||
                       (node.id >= 0 && (node.tip.contains(text, Qt::CaseInsensitive) ||
                                         node.detail.contains(text, Qt::CaseInsensitive)));
    if (named) found.push_back(static_cast<int>(i));
  }
  return found;
}

int ModuleGraph::findNext(const QString& text, bool backwards) {
  const std::vector<int> found = matches(text);
  if (found.empty()) return -1;
  auto next = backwards ? std::lower_bound(found.begin(), found.end(), current_)
                        : std::upper_bound(found.begin(), found.end(), current_);
  if (backwards) {
    if (next == found.begin() || current_ < 0) next = found.end();
    --next;
  } else if (next == found.end()) {
    next = found.begin();
  }
  const int node = *next;
  const bool hidden = standIn(node) != node;
  if (hidden) openAround(node);
  userMoved();
  if (hidden) {
    current_ = node;
    wanted_ = node;
    arrange();
  }
  setCurrent(node);
  return static_cast<int>(next - found.begin());
}

void ModuleGraph::openFind() {
  find_->open();
}

}  // namespace binade::views
