// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/table/delegates.h"

namespace binade::views {

/// A measured share: bar and number. What was not measured is a hatched ground and no bar, never a bar of length 0.
class BarDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
  double contentWidth(const QModelIndex& index) const override;
};

/// The source of a figure: `COUNTERS` filled, others outlined.
class BadgeDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
  double contentWidth(const QModelIndex& index) const override;
};

/// Draws a badge, its left edge and vertical centre at `at`; returns its width.
double drawBadge(QPainter& painter, QPointF at, const QString& text, BadgeStyle style);

/// Fills with slanting lines: what is estimated, or not measured.
void drawHatching(QPainter& painter, const QRectF& rect, const QColor& color);

}  // namespace binade::views
