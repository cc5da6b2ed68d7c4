// SPDX-License-Identifier: Apache-2.0
// Which part of a ModuleGraph is visible, and how large.
#include "views/graph/find_bar.h"
#include "views/graph/module_graph.h"

#include <QLineF>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kLeastZoom = 0.02;
constexpr double kMostZoom = 4;
constexpr double kMostFitted = 1.25;    // a small graph is not blown up
constexpr double kLeastReadable = 0.8;  // zoom at which all texts of a box can be read with ease
constexpr double kViewMargin = 16;      // px around the graph
constexpr double kEdgeReach = 5;        // px around an edge in which the pointer meets it

}  // namespace

QPointF ModuleGraph::offset() const {
  const QSizeF whole = picture_.places.size * zoom_;
  const auto along = [](double view, double size, int value) {
    return size + 2 * kViewMargin <= view ? (view - size) / 2 : kViewMargin - value;
  };
  // A graph that is lower than the view begins at its top.
  const double y = whole.height() + 2 * kViewMargin <= viewport()->height() && !fitted_
                       ? kViewMargin
                       : along(viewport()->height(), whole.height(), verticalScrollBar()->value());
  return {along(viewport()->width(), whole.width(), horizontalScrollBar()->value()), y};
}

QPointF ModuleGraph::toView(QPointF point) const {
  return offset() + point * zoom_;
}

QPointF ModuleGraph::toWorld(QPointF point) const {
  return (point - offset()) / zoom_;
}

QRectF ModuleGraph::rectOf(int node) const {
  if (node < 0 || node >= static_cast<int>(picture_.row_of.size())) return {};
  const int row = picture_.row_of[static_cast<std::size_t>(node)];
  return row < 0 ? QRectF() : picture_.places.boxes[static_cast<std::size_t>(row)];
}

QRectF ModuleGraph::boxOf(int node) const {
  const QRectF box = rectOf(node);
  return box.isEmpty() ? QRectF() : toView(box);
}

void ModuleGraph::updateBars() {
  const QSizeF whole = picture_.places.size * zoom_;
  const auto set = [](QScrollBar* bar, double size, int view) {
    bar->setRange(0, std::max(0, static_cast<int>(size + 2 * kViewMargin) - view));
    bar->setPageStep(view);
    bar->setSingleStep(40);
  };
  set(horizontalScrollBar(), whole.width(), viewport()->width());
  set(verticalScrollBar(), whole.height(), viewport()->height());
  viewport()->update();
}

void ModuleGraph::setZoom(double zoom) {
  zoom_ = std::clamp(zoom, kLeastZoom, kMostZoom);
  updateBars();
}

void ModuleGraph::panBy(QPointF distance) {
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() + qRound(distance.x()));
  verticalScrollBar()->setValue(verticalScrollBar()->value() + qRound(distance.y()));
}

void ModuleGraph::userMoved() {
  fitted_ = follow_path_ = false;
}

void ModuleGraph::zoomBy(double factor, QPointF about) {
  const QPointF held = toWorld(about);
  userMoved();
  setZoom(zoom_ * factor);
  panBy(toView(held) - about);
  viewport()->update();
}

void ModuleGraph::fit() {
  follow_path_ = false;
  fitted_ = true;
  const QSizeF whole = picture_.places.size;
  if (whole.isEmpty()) return;
  // Without scroll bars, which would take the room that is to be filled.
  const QSize view = maximumViewportSize();
  setZoom(std::min({(view.width() - 2 * kViewMargin) / whole.width(),
                    (view.height() - 2 * kViewMargin) / whole.height(), kMostFitted}));
}

// Brings a part of the graph into view; of a part that is too large, its top left corner.
void ModuleGraph::scrollTo(QRectF rect) {
  const QRectF seen = toView(rect);
  const auto distance = [](double low, double high, double view) {
    if (low < kViewMargin) return low - kViewMargin;
    return high > view - kViewMargin ? std::min(high - view + kViewMargin, low - kViewMargin) : 0.0;
  };
  panBy({distance(seen.left(), seen.right(), viewport()->width()),
         distance(seen.top(), seen.bottom(), viewport()->height())});
}

void ModuleGraph::reveal(int node) {
  QRectF rect = rectOf(node);
  if (rect.isEmpty()) return;
  if (isModule(node) && !isFolded(node)) rect.setHeight(kModuleTitle);
  scrollTo(rect);
}

// Zooms out as far as names can be read to show the whole path, and always shows the first cause.
void ModuleGraph::revealPath() {
  QRectF all;
  for (const int node : path_) {
    const int shown = standIn(node);
    if (const QRectF rect = rectOf(shown); !rect.isEmpty()) all |= rect;
  }
  if (all.isEmpty()) return;
  const QSizeF view = viewport()->size();
  const double whole =
      std::min((view.width() - 2 * kViewMargin) / all.width(), (view.height() - 2 * kViewMargin) / all.height());
  if (whole < zoom_) setZoom(std::max(whole, std::min(zoom_, kLeastReadable)));
  scrollTo(all);
  panBy({toView(all.center()).x() - view.width() / 2, 0});
  if (!causes_.empty()) reveal(standIn(causes_.front()));
}

// Of boxes in boxes the innermost; an open one only at its title.
int ModuleGraph::nodeAt(QPointF at) const {
  const QPointF point = toWorld(at);
  for (auto row = picture_.shown.size(); row-- > 0;) {
    const QRectF& box = picture_.places.boxes[row];
    if (!box.contains(point)) continue;
    const int node = picture_.shown[row];
    const bool open = isModule(node) && row + 1 < picture_.shown.size() &&
                      nodes_[static_cast<std::size_t>(picture_.shown[row + 1])].parent == node;
    if (!open || point.y() < box.top() + kModuleTitle) return node;
  }
  return -1;
}

int ModuleGraph::linkAt(QPointF at) const {
  const QPointF point = toWorld(at);
  const double reach = kEdgeReach / zoom_;
  const QRectF around(point - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach));
  for (std::size_t l = 0; l < picture_.links.size(); ++l) {
    if (!picture_.bounds[l].intersects(around)) continue;
    const QPolygonF line = picture_.paths[l].toFillPolygon();  // closed by a line back to its start
    for (qsizetype i = 0; i + 2 < line.size(); ++i) {
      const QPointF part = line[i + 1] - line[i];
      const double square = QPointF::dotProduct(part, part);
      const double along = square > 0 ? std::clamp(QPointF::dotProduct(point - line[i], part) / square, 0.0, 1.0) : 0;
      if (QLineF(point, line[i] + part * along).length() <= reach) return static_cast<int>(l);
    }
  }
  return -1;
}

QString ModuleGraph::tipAt(QPointF at) const {
  QStringList lines;
  if (const int node = nodeAt(at); node >= 0) {
    lines << nodes_[static_cast<std::size_t>(node)].tip << shades_[static_cast<std::size_t>(node)].casts;
  } else if (const int link = linkAt(at); link >= 0) {
    constexpr int kMostTips = 6;
    for (const std::size_t edge : picture_.links[static_cast<std::size_t>(link)].edges) {
      if (lines.size() == kMostTips) {
        lines << tr("… and more");
        break;
      }
      const GraphEdgeShade& shade = edge_shades_[edge];
      QStringList facts{shade.format, edges_[edge].text};
      facts.removeAll(QString());
      lines << facts.join(QStringLiteral(", ")) << shade.tip;
    }
  }
  lines.removeAll(QString());
  lines.removeDuplicates();
  return lines.join(u'\n');
}

void ModuleGraph::resizeEvent(QResizeEvent*) {
  updateBars();
  find_->place();
  if (fitted_) {
    fit();
  } else if (follow_path_) {
    revealPath();
  }
}

void ModuleGraph::scrollContentsBy(int, int) {
  viewport()->update();
}

}  // namespace binade::views
