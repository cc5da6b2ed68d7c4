// SPDX-License-Identifier: Apache-2.0
// Layout and painting of a ModuleGraph.
#include "views/module_graph.h"
#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/elide.h"
#include "views/values/numbers.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <array>

namespace binade::views {

namespace {

constexpr int kHigh = 28;
constexpr int kPitch = 40;  // distance between boxes: leaves room for the arrow
constexpr int kTop = 12;
constexpr int kLeft = 16;
constexpr int kIndent = 20;
constexpr int kRail = 36;  // space at the right for the path
constexpr int kStripe = 4;
constexpr int kMostWide = 420;

void drawArrow(QPainter& painter, QPointF tip, int down) {
  const double back = tip.y() - 4.0 * down;
  const std::array<QPointF, 3> head{tip, QPointF(tip.x() - 3, back), QPointF(tip.x() + 3, back)};
  painter.drawPolygon(head.data(), 3);
}

}  // namespace

void ModuleGraph::layOut() {
  shown_.clear();
  std::fill(row_of_.begin(), row_of_.end(), -1);
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    if (standIn(i) != i) continue;
    row_of_[static_cast<std::size_t>(i)] = static_cast<int>(shown_.size());
    shown_.push_back(i);
  }
  const int whole = 2 * kTop + static_cast<int>(shown_.size()) * kPitch;
  verticalScrollBar()->setRange(0, std::max(0, whole - viewport()->height()));
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(kPitch);
  viewport()->update();
}

QRectF ModuleGraph::boxOfRow(int row) const {
  const int depth = depth_[static_cast<std::size_t>(shown_[static_cast<std::size_t>(row)])];
  const double left = kLeft + kIndent * depth;
  const double right = std::min(viewport()->width() - kRail, kLeft + kMostWide);
  return {left + 0.5, kTop + row * kPitch - verticalScrollBar()->value() + 0.5, std::max(80.0, right - left), kHigh};
}

QRectF ModuleGraph::boxOf(int node) const {
  const int row = node < 0 ? -1 : row_of_[static_cast<std::size_t>(node)];
  return row < 0 ? QRectF() : boxOfRow(row);
}

void ModuleGraph::reveal(int row) {
  if (row < 0) return;
  QScrollBar* bar = verticalScrollBar();
  const int top = kTop + row * kPitch;
  if (top < bar->value() + kTop) bar->setValue(top - kTop);
  if (top + kPitch > bar->value() + viewport()->height()) bar->setValue(top + kPitch - viewport()->height());
}

void ModuleGraph::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), colors().panel);
  for (int row = 0; row < static_cast<int>(shown_.size()); ++row) {
    const QRectF box = boxOfRow(row);
    if (box.bottom() + kPitch < 0 || box.top() - kPitch > viewport()->height()) continue;
    paintFlow(painter, row);
    paintBox(painter, row);
  }
  paintPath(painter);
}

// Forward runs down into the next box, backward up from it.
void ModuleGraph::paintFlow(QPainter& painter, int row) const {
  if (row == 0) return;
  const Colors& c = colors();
  const QRectF box = boxOfRow(row);
  const double above = boxOfRow(row - 1).bottom();
  const double forward = box.left() + 48;
  const double backward = forward + 28;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(c.secondText, 0));
  painter.setBrush(c.secondText);
  painter.drawLine(QPointF(forward, above + 1), QPointF(forward, box.top() - 2));
  drawArrow(painter, {forward, box.top() - 1}, 1);
  painter.setPen(QPen(c.thirdText, 0));
  painter.setBrush(c.thirdText);
  painter.drawLine(QPointF(backward, above + 3), QPointF(backward, box.top() - 1));
  drawArrow(painter, {backward, above + 2}, -1);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void ModuleGraph::paintBox(QPainter& painter, int row) const {
  const Colors& c = colors();
  const int node = shown_[static_cast<std::size_t>(row)];
  const GraphNode& what = nodes_[static_cast<std::size_t>(node)];
  const GraphShade& shade = shades_[static_cast<std::size_t>(node)];
  const QRectF box = boxOfRow(row);
  const bool lit = isLit(node);
  const bool cause = std::any_of(causes_.begin(), causes_.end(), [&](int each) { return standIn(each) == node; });
  const bool selected =
      std::any_of(selected_.begin(), selected_.end(), [&](int each) { return standIn(each) == node; });
  painter.fillRect(box, cause ? c.crimsonGround : selected ? c.selectedRow : isModule(node) ? c.bar : c.panel);
  const double part = shade.stripes.empty() ? 0 : box.height() / static_cast<double>(shade.stripes.size());
  for (std::size_t i = 0; i < shade.stripes.size(); ++i)
    painter.fillRect(QRectF(box.left(), box.top() + part * static_cast<double>(i), kStripe, part), shade.stripes[i]);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(lit ? c.crimson : selected ? c.indigo : c.line, 0));
  painter.drawRect(box);
  if (lit) painter.drawRect(box.adjusted(1, 1, -1, -1));
  if (hasFocus() && row == current_) {
    painter.setPen(QPen(c.indigo, 0));
    painter.drawRect(box.adjusted(3, 3, -3, -3));
  }
  double left = box.left() + kStripe + 8;
  if (isModule(node)) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(c.secondText, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF at(left + 4, box.center().y());
    const std::array<QPointF, 3> right{at + QPointF(-2, -4), at + QPointF(2, 0), at + QPointF(-2, 4)};
    const std::array<QPointF, 3> down{at + QPointF(-4, -2), at + QPointF(0, 2), at + QPointF(4, -2)};
    painter.drawPolyline(isFolded(node) ? right.data() : down.data(), 3);
    painter.setRenderHint(QPainter::Antialiasing, false);
    left += 16;
  }
  double end = box.right() - 10;
  if (cause) {
    drawVerdict(painter, VerdictShape::kOverflow, {end - 3, box.center().y()});
    end -= 16;
  }
  if (!shade.figure.isEmpty()) {
    const QFont font = figureFont(12, shade.attention ? QFont::DemiBold : QFont::Normal);
    const double wide = textWidth(font, shade.figure);
    painter.setFont(font);
    painter.setPen(shade.attention ? c.crimson : c.text);
    drawText(painter, {end - wide - 2, box.top(), wide + 2, box.height()}, Qt::AlignRight | Qt::AlignVCenter,
             shade.figure);
    end -= wide + 12;
  }
  const QFont strong = textFont(12, QFont::DemiBold);
  const QString name = elidedMiddle(what.name, strong, std::max(0.0, (end - left) * 0.7));
  painter.setFont(strong);
  painter.setPen(c.text);
  drawText(painter, {left, box.top(), end - left, box.height()}, Qt::AlignLeft | Qt::AlignVCenter, name);
  left += textWidth(strong, name) + 10;
  if (end - left < 24) return;
  const QFont plain = textFont(11);
  painter.setFont(plain);
  painter.setPen(c.secondText);
  drawText(painter, {left, box.top(), end - left, box.height()}, Qt::AlignLeft | Qt::AlignVCenter, what.detail);
}

// From the first cause along the right side to the end, with an arrow head there.
void ModuleGraph::paintPath(QPainter& painter) const {
  std::vector<int> rows;
  for (const int node : path_) {
    const int row = row_of_[static_cast<std::size_t>(standIn(node))];
    if (rows.empty() || rows.back() != row) rows.push_back(row);
  }
  if (rows.size() < 2) return;
  const Colors& c = colors();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(c.crimson, 1.4));
  painter.setBrush(c.crimson);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const QRectF box = boxOfRow(rows[i]);
    const double y = box.center().y();
    const double rail = box.right() + 14;
    painter.drawLine(QPointF(box.right() + (i == 0 ? 1 : 6), y), QPointF(rail, y));
    if (i > 0) {
      const std::array<QPointF, 3> head{QPointF(box.right() + 2, y), QPointF(box.right() + 8, y - 3.5),
                                        QPointF(box.right() + 8, y + 3.5)};
      painter.drawPolygon(head.data(), 3);
      painter.drawLine(QPointF(rail, boxOfRow(rows[i - 1]).center().y()), QPointF(rail, y));
    }
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace binade::views
