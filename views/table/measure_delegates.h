// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/table/delegates.h"

namespace binade::views {

/// A measured share: bar and number. A value that was not measured has a hatched background and no bar.
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

/// Draws a badge with its left edge and vertical centre at `at`. Returns its width.
double drawBadge(QPainter& painter, QPointF at, const QString& text, BadgeStyle style);

/// Fills with slanting lines: an estimate, or not measured.
void drawHatching(QPainter& painter, const QRectF& rect, const QColor& color);

}  // namespace binade::views
