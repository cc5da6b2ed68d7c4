// SPDX-License-Identifier: Apache-2.0
// Painting of a ModuleGraph. Everything is painted in coordinates of the layout under the painter's scale; pens are
// cosmetic, so lines have one pixel at any zoom.
#include "views/graph/module_graph.h"
#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/elide.h"
#include "views/values/numbers.h"

#include <QLineF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kStripe = 5;
constexpr double kFigureEnd = 10;     // px between a figure and the box's right side
constexpr double kTextZoom = 0.5;     // below, texts would have less than 6 px
constexpr double kLabelZoom = 0.9;    // from here on edges have labels
constexpr double kHeadZoom = 0.3;     // below, edges are plain lines
constexpr double kMarkOfCast = 4.5;   // half a diagonal, px of the screen
constexpr double kPlaceOfCast = 0.6;  // along the edge

void drawEdgeHead(QPainter& painter, QPointF tip, QPointF from) {
  const double length = QLineF(from, tip).length();
  if (length < 1e-6) return;
  const QPointF along = (tip - from) / length;
  const QPointF across(-along.y(), along.x());
  const std::array<QPointF, 3> head{tip, tip - along * 7 + across * 3.5, tip - along * 7 - across * 3.5};
  painter.drawPolygon(head.data(), 3);
}

/// A cast's mark, of the same size at each zoom at which edges have heads.
void drawDiamond(QPainter& painter, QPointF at, double zoom) {
  const double half = kMarkOfCast / std::clamp(zoom, kHeadZoom, 1.0);
  const std::array<QPointF, 4> corners{at + QPointF(0, -half), at + QPointF(half, 0), at + QPointF(0, half),
                                       at + QPointF(-half, 0)};
  painter.drawPolygon(corners.data(), 4);
}

/// The texts, each once, joined; a few of many.
QString joinedTexts(const QStringList& texts, const QString& between) {
  constexpr qsizetype kMost = 2;
  QStringList each = texts;
  each.removeAll(QString());
  each.removeDuplicates();
  if (each.size() <= kMost) return each.join(between);
  return each.mid(0, kMost).join(between) + between + QStringLiteral("…");
}

}  // namespace

QFont ModuleGraph::unscaled(QFont font, int pixels) {
  font.setPixelSize(pixels);
  return font;
}

void ModuleGraph::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), colors().panel);
  painter.translate(offset());
  painter.scale(zoom_, zoom_);
  paintAll(painter, {toWorld(QPointF(0, 0)), QSizeF(viewport()->size()) / zoom_}, zoom_);
}

void ModuleGraph::paintAll(QPainter& painter, QRectF visible, double zoom) {
  painted_ = {};
  fonts_ = {unscaled(textFont(12, QFont::DemiBold), 12),
            unscaled(textFont(11), 11),
            unscaled(figureFont(11), 11),
            unscaled(figureFont(11, QFont::DemiBold), 11),
            unscaled(textFont(10), 10),
            unscaled(textFont(10, QFont::DemiBold), 10)};
  const auto seen = [&](std::size_t row) {
    return picture_.places.boxes[row].adjusted(-8, -8, 8, 8).intersects(visible);
  };
  std::vector<int> boxes;
  for (std::size_t row = 0; row < picture_.shown.size(); ++row) {
    if (!seen(row)) continue;
    const int node = picture_.shown[row];
    // Open boxes are the ground on which edges run.
    const bool open = isModule(node) && row + 1 < picture_.shown.size() &&
                      nodes_[static_cast<std::size_t>(picture_.shown[row + 1])].parent == node;
    if (open) {
      paintOpenBox(painter, static_cast<int>(row), zoom);
    } else {
      boxes.push_back(static_cast<int>(row));
    }
    ++painted_.boxes;
  }
  paintEdges(painter, visible, zoom);
  for (const int row : boxes) paintBox(painter, row, zoom);
  paintPath(painter, visible, zoom);
}

// Name and detail, cut to a box's width; computed once for each box.
const ModuleGraph::Cut& ModuleGraph::cutOf(int node, double width) {
  const auto [found, added] = cuts_.try_emplace(node);
  if (added) {
    const GraphNode& what = nodes_[static_cast<std::size_t>(node)];
    found->second.name = elidedMiddle(what.name, fonts_.name, width);
    found->second.wide = textWidth(fonts_.name, found->second.name);
    const double rest = width - found->second.wide - 10;
    if (rest >= 24) found->second.detail = elidedRight(what.detail, fonts_.detail, rest);
  }
  return found->second;
}

void ModuleGraph::paintTexts(QPainter& painter, int row, double left) {
  const Colors& c = colors();
  const int node = picture_.shown[static_cast<std::size_t>(row)];
  const GraphShade& shade = shades_[static_cast<std::size_t>(node)];
  const bool cause = marks_[static_cast<std::size_t>(row)].cause;
  QRectF box = picture_.places.boxes[static_cast<std::size_t>(row)];
  box.setHeight(std::min(box.height(), kModuleTitle + 2));
  double end = box.right() - kFigureEnd;
  if (cause) {
    drawVerdict(painter, VerdictShape::kOverflow, {end - 3, box.center().y()});
    end -= 16;
  }
  const QString figure = shade.measured ? shade.figure : QStringLiteral("–");
  if (!figure.isEmpty()) {
    painter.setFont(shade.attention ? fonts_.strong_figure : fonts_.figure);
    painter.setPen(shade.attention ? c.crimson : c.secondText);
    const double room = std::min(box.width() * 0.45, end - left);
    painter.drawText(QRectF(end - room, box.top(), room, box.height()), Qt::AlignRight | Qt::AlignVCenter, figure);
  }
  // The room of the figure is that of the widest, so that a figure that changes does not move the name.
  const Cut& cut = cutOf(node, std::max(24.0, box.right() - 78 - left));
  painter.setFont(fonts_.name);
  painter.setPen(c.text);
  painter.drawText(QRectF(left, box.top(), cut.wide + 4, box.height()), Qt::AlignLeft | Qt::AlignVCenter, cut.name);
  ++painted_.texts;
  if (cut.detail.isEmpty()) return;
  painter.setFont(fonts_.detail);
  painter.setPen(c.secondText);
  const double start = left + cut.wide + 10;
  painter.drawText(QRectF(start, box.top(), std::max(0.0, box.right() - 72 - start), box.height()),
                   Qt::AlignLeft | Qt::AlignVCenter, cut.detail);
}

void ModuleGraph::paintOpenBox(QPainter& painter, int row, double zoom) {
  const Colors& c = colors();
  const int node = picture_.shown[static_cast<std::size_t>(row)];
  const QRectF& box = picture_.places.boxes[static_cast<std::size_t>(row)];
  const Mark& mark = marks_[static_cast<std::size_t>(row)];
  QColor ground = c.bar;
  if (depth_[static_cast<std::size_t>(node)] % 2 == 1) ground = c.otherRow;
  painter.fillRect(box, ground);
  const bool control = nodes_[static_cast<std::size_t>(node)].control;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(mark.selected ? c.indigo
                      : control     ? c.secondText
                                    : c.line,
                      0, control ? Qt::DashLine : Qt::SolidLine));
  painter.drawRect(box);
  if (hasFocus() && node == current_) {
    painter.setPen(QPen(c.indigo, 0));
    painter.drawRect(QRectF(box.topLeft(), QSizeF(box.width(), kModuleTitle)).adjusted(3, 3, -3, -1));
  }
  if (zoom < kTextZoom) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(c.secondText, 0));
  const QPointF at(box.left() + 14, box.top() + kModuleTitle / 2);
  const std::array<QPointF, 3> down{at + QPointF(-4, -2), at + QPointF(0, 2), at + QPointF(4, -2)};
  painter.drawPolyline(down.data(), 3);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setFont(fonts_.name);
  painter.setPen(c.secondText);
  const QRectF title(box.left() + 26, box.top(), box.width() - 34, kModuleTitle);
  drawText(painter, title, Qt::AlignLeft | Qt::AlignVCenter, nodes_[static_cast<std::size_t>(node)].name);
  ++painted_.texts;
}

void ModuleGraph::paintBox(QPainter& painter, int row, double zoom) {
  const Colors& c = colors();
  const int node = picture_.shown[static_cast<std::size_t>(row)];
  const GraphShade& shade = shades_[static_cast<std::size_t>(node)];
  const Mark& mark = marks_[static_cast<std::size_t>(row)];
  const QRectF& box = picture_.places.boxes[static_cast<std::size_t>(row)];
  const bool far = zoom < kTextZoom;
  painter.fillRect(box, mark.cause       ? c.crimsonGround
                        : mark.selected  ? c.selectedRow
                        : isModule(node) ? c.bar
                                         : c.panel);
  // From afar the colour is all that a box says.
  const double wide = far ? box.width() : kStripe;
  if (!shade.measured) {
    painter.fillRect(QRectF(box.left(), box.top(), far ? wide : 2 * kStripe, box.height()),
                     QBrush(c.thirdText, Qt::BDiagPattern));
  }
  const double part = shade.stripes.empty() ? 0 : box.height() / static_cast<double>(shade.stripes.size());
  for (std::size_t i = 0; i < shade.stripes.size(); ++i)
    painter.fillRect(QRectF(box.left(), box.top() + part * static_cast<double>(i), wide, part), shade.stripes[i]);
  // Lines around boxes of a few pixels would cover what they say.
  if (zoom < kHeadZoom && !mark.lit && !mark.selected && node != current_) {
    if (shade.measured && shade.stripes.empty()) painter.fillRect(box, c.line);
    return;
  }
  painter.setBrush(Qt::NoBrush);
  const bool control = nodes_[static_cast<std::size_t>(node)].control;
  painter.setPen(QPen(mark.lit        ? c.crimson
                      : mark.selected ? c.indigo
                      : control       ? c.secondText
                                      : c.line,
                      0, control && !mark.lit ? Qt::DashLine : Qt::SolidLine));
  painter.drawRect(box);
  const double pixel = 1 / zoom;
  if (mark.lit) painter.drawRect(box.adjusted(pixel, pixel, -pixel, -pixel));
  if (hasFocus() && node == current_) {
    painter.setPen(QPen(c.indigo, 0));
    painter.drawRect(box.adjusted(3, 3, -3, -3));
  }
  if (zoom >= kHeadZoom && !shade.casts.isEmpty()) {
    painter.setPen(QPen(c.panel, 0));
    painter.setBrush(c.secondText);
    drawDiamond(painter, box.topRight() + QPointF(-10, 0), zoom);
    painter.setBrush(Qt::NoBrush);
  }
  if (far) return;
  double left = box.left() + kStripe + 8;
  if (!shade.measured) left += kStripe;
  if (isModule(node)) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(c.secondText, 0));
    const QPointF at(left + 3, box.center().y());
    const std::array<QPointF, 3> right{at + QPointF(-2, -4), at + QPointF(2, 0), at + QPointF(-2, 4)};
    painter.drawPolyline(right.data(), 3);
    painter.setRenderHint(QPainter::Antialiasing, false);
    left += 14;
  }
  paintTexts(painter, row, left);
}

void ModuleGraph::paintEdges(QPainter& painter, QRectF visible, double zoom) {
  painter.setRenderHint(QPainter::Antialiasing, zoom >= kHeadZoom);
  for (std::size_t l = 0; l < picture_.links.size(); ++l) {
    if (lit_links_[l] || !picture_.bounds[l].intersects(visible)) continue;
    paintLink(painter, picture_.links[l], l, zoom);
    ++painted_.edges;
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void ModuleGraph::paintLink(QPainter& painter, const Link& link, std::size_t index, double zoom) {
  const Colors& c = colors();
  const QPainterPath& path = picture_.paths[index];
  if (path.elementCount() < 2) return;
  const std::vector<QPointF>& points = picture_.places.edges[index];
  const bool lit = lit_links_[index];
  QColor color = c.secondText;
  for (const std::size_t edge : link.edges) {
    if (!edge_shades_[edge].color.isValid()) continue;
    color = edge_shades_[edge].color;
    break;
  }
  if (lit) color = c.crimson;
  painter.setPen(QPen(color, 0));
  painter.setBrush(Qt::NoBrush);
  if (zoom < kHeadZoom && !lit) {
    painter.drawPolyline(points.data(), static_cast<int>(points.size()));
    return;
  }
  painter.drawPath(path);
  // A second line beside it instead of a wider pen, which is slow on long lines.
  const double pixel = 0.8 / zoom;
  painter.drawPath(path.translated(pixel, 0));
  painter.setBrush(color);
  // Backward, the fault runs against the data.
  if (lit && backward_) {
    drawEdgeHead(painter, points.front(), points[1]);
  } else {
    drawEdgeHead(painter, points.back(), points[points.size() - 2]);
  }
  QStringList casts;
  for (const std::size_t edge : link.edges) casts << edge_shades_[edge].cast;
  casts.removeAll(QString());
  const bool labelled = zoom >= kLabelZoom;
  if (!casts.isEmpty()) {
    const QPointF at = path.pointAtPercent(kPlaceOfCast);
    painter.setPen(QPen(c.panel, 0));
    painter.setBrush(c.text);
    drawDiamond(painter, at, zoom);
    if (labelled) {
      painter.setFont(fonts_.strong_label);
      painter.setPen(c.text);
      painter.drawText(at + QPointF(8, 4), joinedTexts(casts, QStringLiteral(", ")));
      ++painted_.texts;
    }
  }
  if (!labelled) return;
  QStringList formats;
  QStringList shapes;
  for (const std::size_t edge : link.edges) {
    formats << edge_shades_[edge].format;
    shapes << edges_[edge].text;
  }
  const QString label = joinedTexts(
      {joinedTexts(formats, QStringLiteral(", ")), joinedTexts(shapes, QStringLiteral("; "))}, QStringLiteral(" · "));
  if (label.isEmpty()) return;
  painter.setFont(fonts_.label);
  painter.setPen(c.secondText);
  painter.drawText(points.front() + QPointF(6, 12), label);
  ++painted_.texts;
}

// Over everything else: the path of the event, also where the model's edges give no way.
void ModuleGraph::paintPath(QPainter& painter, QRectF visible, double zoom) {
  if (lit_edges_.empty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t l = 0; l < picture_.links.size(); ++l) {
    if (!lit_links_[l] || !picture_.bounds[l].intersects(visible)) continue;
    paintLink(painter, picture_.links[l], l, zoom);
    ++painted_.edges;
  }
  const Colors& c = colors();
  for (const auto& [from, to] : bare_edges_) {
    const QRectF start = rectOf(from);
    const QRectF end = rectOf(to);
    const bool down = end.top() >= start.bottom();
    const QPointF first(start.center().x(), down ? start.bottom() : start.top());
    const QPointF last(end.center().x(), down ? end.top() : end.bottom());
    painter.setPen(QPen(c.crimson, 0, Qt::DashLine));
    painter.setBrush(c.crimson);
    painter.drawLine(first, last);
    painter.setPen(QPen(c.crimson, 0));
    if (zoom >= kHeadZoom) drawEdgeHead(painter, last, first);
    ++painted_.edges;
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace binade::views
