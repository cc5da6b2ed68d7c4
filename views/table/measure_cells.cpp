// SPDX-License-Identifier: Apache-2.0
#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kMeasureWide = 62;
constexpr double kBarHigh = 10;
constexpr double kBadgeHigh = 16;
constexpr double kBadgePad = 6;
constexpr double kHatchStep = 4;

QFont badgeFont() {
  return textFont(10, QFont::DemiBold);
}

double number(const QModelIndex& index, int role) {
  const QVariant value = index.data(role);
  return value.isValid() ? value.toDouble() : std::nan("");
}

}  // namespace

void drawHatching(QPainter& painter, const QRectF& rect, const QColor& color) {
  painter.save();
  painter.setClipRect(rect, Qt::IntersectClip);
  painter.setPen(QPen(color, 0));
  painter.setRenderHint(QPainter::Antialiasing);
  for (double x = rect.left() - rect.height(); x < rect.right(); x += kHatchStep) {
    painter.drawLine(QPointF(x, rect.bottom()), QPointF(x + rect.height(), rect.top()));
  }
  painter.restore();
}

double drawBadge(QPainter& painter, QPointF at, const QString& text, BadgeStyle style) {
  const Colors& c = colors();
  painter.save();
  const QFont font = badgeFont();
  const double wide = std::ceil(textWidth(font, text)) + 2 * kBadgePad;
  const QRectF box(std::round(at.x()) + 0.5, std::round(at.y() - kBadgeHigh / 2) + 0.5, wide, kBadgeHigh);
  const QColor ink = style == BadgeStyle::kMeasured || style == BadgeStyle::kIndirect ? c.text
                     : style == BadgeStyle::kEstimate                                 ? c.secondText
                                                                                      : c.thirdText;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(style == BadgeStyle::kNone ? c.line : ink, 0));
  painter.setBrush(style == BadgeStyle::kMeasured ? QBrush(c.text) : QBrush(Qt::NoBrush));
  painter.drawRoundedRect(box, 3, 3);
  painter.setFont(font);
  painter.setPen(style == BadgeStyle::kMeasured ? c.panel : ink);
  painter.drawText(box, Qt::AlignCenter, text);
  painter.restore();
  return wide;
}

void BarDelegate::paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                               const QModelIndex& index) const {
  const Colors& c = colors();
  const double part = number(index, BarRole);
  const bool known = !std::isnan(part);
  painter.setFont(figureFont(12));
  painter.setPen(known ? c.text : option.state & QStyle::State_Selected ? c.secondText : c.thirdText);
  drawText(painter, rect.adjusted(rect.width() - kMeasureWide, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter,
           index.data(Qt::DisplayRole).toString());
  const QRectF ground(rect.left(), std::round(rect.center().y() - kBarHigh / 2), rect.width() - kMeasureWide - 8,
                      kBarHigh);
  if (ground.width() < 12) return;
  if (!known) return drawHatching(painter, ground, c.softLine);
  painter.fillRect(ground, c.headroomGround);
  const double length = std::clamp(part, 0.0, 1.0) * ground.width();
  const QRectF bar(ground.left(), ground.top(), part > 0 ? std::max(length, 1.0) : 0.0, ground.height());
  if (index.data(BarHatchedRole).toBool()) {
    drawHatching(painter, bar, c.text);
    painter.setPen(QPen(c.secondText, 0));
    painter.setBrush(Qt::NoBrush);
    if (bar.width() >= 2) painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
  } else {
    painter.fillRect(bar, c.text);
    const double second = number(index, BarSecondRole);
    if (second > 0) {
      const double wide = std::clamp(second * ground.width(), 0.0, bar.width());
      painter.fillRect(QRectF(bar.right() - wide, bar.top(), wide, bar.height()), c.headroom);
    }
  }
  const double error = number(index, BarErrorRole);
  if (error > 0) {
    const double y = ground.center().y();
    const double from = std::max(ground.left(), bar.right() - error * ground.width());
    const double to = std::min(ground.right(), bar.right() + error * ground.width());
    painter.fillRect(QRectF(from, y - 0.5, to - from, 1), c.thirdText);
  }
}

double BarDelegate::contentWidth(const QModelIndex&) const {
  return 160 + kMeasureWide;
}

void BadgeDelegate::paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem&,
                                 const QModelIndex& index) const {
  const QString text = index.data(Qt::DisplayRole).toString();
  if (text.isEmpty()) return;
  drawBadge(painter, {rect.left(), rect.center().y()}, text, static_cast<BadgeStyle>(index.data(BadgeRole).toInt()));
}

double BadgeDelegate::contentWidth(const QModelIndex& index) const {
  return textWidth(badgeFont(), index.data(Qt::DisplayRole).toString()) + 2 * kBadgePad + 2;
}

}  // namespace binade::views
