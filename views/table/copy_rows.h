// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QAction;
class QTableView;

namespace binade::views {

/// Returns the selected rows of a table (all rows if none is selected) as text for other programs: a line of headings,
/// then one line per row, with tab-separated cells, in the visible order and columns.
QString rowsAsText(const QTableView& table);

/// Returns the table's *Copy* action (Ctrl+C), which puts rowsAsText() on the clipboard. styleTable() adds it to every
/// table, also as its context menu; a table with its own menu adds it there.
QAction* copyAction(QTableView* table);

}  // namespace binade::views
