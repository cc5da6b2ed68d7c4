// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/table/delegates.h"

namespace binade::views {

/// Height of a row whose cells have two lines, px.
inline constexpr int kTwoLineRow = 40;

/// A cast in two lines: its formats by FormatsRole, from and to, and below them the op call with FootRole, the
/// argument. Formats and op call are drawn in the longest form that fits.
class CastDelegate : public CallDelegate {
  Q_OBJECT

 public:
  using CallDelegate::CallDelegate;

  /// The names of both formats as drawn in a cell of this width in px, without margins: brief ones if the formats' own
  /// do not fit. Empty without formats.
  static QStringList shownFormats(const QModelIndex& index, double width);
  /// Width in px that a cell, without margins, leaves to the op call.
  static double callRoom(const QModelIndex& index, double width);

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
  double contentWidth(const QModelIndex& index) const override;
};

/// An edit of one op call in two lines: the op call by CallRole, and below it the format by FormatRole. A cell without
/// a format is a plain text.
class EditDelegate : public CallDelegate {
  Q_OBJECT

 public:
  using CallDelegate::CallDelegate;

  /// The name of the format as drawn in a cell of this width in px, without margins.
  static QString shownFormat(const QModelIndex& index, double width);

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
  double contentWidth(const QModelIndex& index) const override;
};

}  // namespace binade::views
