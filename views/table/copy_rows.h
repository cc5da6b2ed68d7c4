// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QAction;
class QTableView;

namespace binade::views {

/// The selected rows of a table, all of them where none is selected: a line of titles, then a line a row, cells
/// separated by tabs, in the order and with the columns that are shown. For other programs to paste.
QString rowsAsText(const QTableView& table);

/// The table's *Copy* (Ctrl+C): puts rowsAsText() on the clipboard. styleTable() gives every table one, also as its
/// context menu; a table with a menu of its own adds it there.
QAction* copyAction(QTableView* table);

}  // namespace binade::views
