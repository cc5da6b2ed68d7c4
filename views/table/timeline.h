// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/table/delegates.h"

class QTableView;

namespace binade::views {

/// An entry of a timeline, newest at the top: its mark on a line that joins the rows, a title and a foot of at most two
/// lines each, a small text at the right end. Reads HeadRole, HeadNoteRole, FootRole, FormatRole, ExecutionRole,
/// VerdictRole, StruckRole and NowRole.
class TimelineDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;
  static constexpr int kHigh = 56;  ///< px, of an entry whose texts take one line each
  /// Height in px that the entry needs in a column of this width in px.
  static int heightOf(const QModelIndex& index, int width);

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const override;
};

/// Makes the first column of a table a timeline without a header, and gives each row the height that its entry needs,
/// also after changes of the model and of the width. The model must be set.
void showTimeline(QTableView* table);

}  // namespace binade::views
