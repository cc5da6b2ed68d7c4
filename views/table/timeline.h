// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/table/delegates.h"

namespace binade::views {

/// An entry of a timeline, newest at the top: its mark on a line that joins the rows, two lines of text, a small text
/// at the right end. Reads HeadRole, HeadNoteRole, FootRole, FormatRole, ExecutionRole, VerdictRole, StruckRole and
/// NowRole.
class TimelineDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;
  static constexpr int kHigh = 56;

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
};

}  // namespace binade::views
