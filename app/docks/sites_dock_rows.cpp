// SPDX-License-Identifier: Apache-2.0
// The rows of SitesDock: selection, keys, and figures that change while the user is at the table.
#include "app/docks/sites_dock.h"
#include "app/docks/table_hold.h"
#include "app/present/tensor_choices.h"
#include "views/table/delegates.h"
#include "views/table/dragging_table.h"
#include "views/table/table_columns.h"

#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScopedValueRollback>

#include <algorithm>
#include <unordered_set>

namespace binade::app {

namespace {

bool asksForReasons(const QKeyEvent& key) {
  return key.key() == Qt::Key_F1 && key.modifiers() == Qt::ShiftModifier;
}

}  // namespace

void SitesDock::connectSelection() {
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SitesDock::selectionFromTable);
  connect(selection_, &Selection::sitesChanged, this, [this] {
    showSelection();
    updateSummary();
  });
  filter_->setSelectionEditor([this](const QModelIndex& row, const QString& format) {
    if (!table_->selectionModel()->isRowSelected(row.row())) return false;
    setSelectedFormat(format);
    return true;
  });
  // A reset clears the table's selection without a signal.
  connect(filter_, &QAbstractItemModel::modelReset, this, &SitesDock::restoreSelection);
}

void SitesDock::selectionFromTable() {
  if (syncing_) return;
  std::vector<int> sites;
  std::unordered_set<int> known;  // an op call and its module may both be selected
  const QModelIndexList rows = table_->selectionModel()->selectedRows();
  for (const QModelIndex& row : rows) {
    for (const int site : filter_->sites(row)) {
      if (known.insert(site).second) sites.push_back(site);
    }
  }
  syncing_ = true;
  selection_->setSites(sites);
  syncing_ = false;
  updateSummary();
  // The charts show the gradient of the current row.
  const std::vector<int> current = filter_->sites(table_->currentIndex());
  const int lead = !current.empty() ? current.front() : sites.empty() ? -1 : sites.front();
  if (const int tensor = chartTensorOf(*run_, lead); tensor >= 0) selection_->setTensor(tensor);
}

void SitesDock::showSelection() {
  if (syncing_) return;
  const QScopedValueRollback guard(syncing_, true);
  if (selection_->sites().size() == 1) filter_->reveal(selection_->sites().front());
  selectRows();
  QModelIndex first;
  for (const int site : selection_->sites()) {
    first = filter_->indexOfSite(site);
    if (first.isValid()) break;
  }
  if (!first.isValid()) return;
  table_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
  table_->scrollTo(first);
}

// Selects the rows of the window's selection; of a collapsed module that of the module, if all of it is selected.
void SitesDock::selectRows() {
  const std::unordered_set<int> wanted(selection_->sites().begin(), selection_->sites().end());
  QItemSelection rows;
  const auto is_wanted = [&](const QModelIndex& row) {
    if (wanted.empty() || filter_->isExpanded(row)) return false;
    const std::vector<int> sites = filter_->sites(row);
    return std::all_of(sites.begin(), sites.end(), [&](int site) { return wanted.contains(site); });
  };
  int from = -1;
  const int count = filter_->rowCount();
  for (int row = 0; row <= count; ++row) {
    const bool selected = row < count && is_wanted(filter_->index(row, 0));
    if (selected && from < 0) from = row;
    if (selected || from < 0) continue;
    rows.select(filter_->index(from, 0), filter_->index(row - 1, SiteTableModel::kColumns - 1));
    from = -1;
  }
  table_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
}

void SitesDock::restoreSelection() {
  const QScopedValueRollback guard(syncing_, true);
  table_->setAutoScroll(false);  // new figures must not move the scroll position
  selectRows();
  const QModelIndex first =
      selection_->sites().empty() ? QModelIndex() : filter_->indexOfSite(selection_->sites().front());
  if (first.isValid()) table_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
  table_->setAutoScroll(true);
}

// Always updates figures. Order and set of rows, and what columns there are, change only while the user is not at the
// table, so that nothing moves under the pointer. A run begins without figures: the first ones sort its rows even under
// the pointer, but not below an editor or a menu.
void SitesDock::refresh() {
  if (!isVisible()) return;
  model_->refresh();
  if (!hold_->isHeld() || (!sorted_ && !hold_->isEditing())) {
    sorted_ = sorted_ || model_->hasFigures();
    const QScopedValueRollback guard(syncing_, true);
    filter_->invalidate();
    columns_->setConstant(SiteTableModel::kTime, !model_->hasTimes());
  }
  updateSummary();
}

bool SitesDock::eventFilter(QObject* watched, QEvent* event) {
  // In the table, the key of "What's this?" asks for the reasons of a format. Otherwise two shortcuts would have it.
  if (watched == table_ && event->type() == QEvent::ShortcutOverride &&
      asksForReasons(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  if (watched == table_ && event->type() == QEvent::KeyPress && asksForReasons(*static_cast<QKeyEvent*>(event))) {
    showReasons();
    return true;
  }
  if (watched == table_ && event->type() == QEvent::KeyPress && takeKey(*static_cast<QKeyEvent*>(event))) return true;
  if (watched == table_->viewport() && event->type() == QEvent::MouseButtonPress) {
    const auto* press = static_cast<QMouseEvent*>(event);
    const QModelIndex index = table_->indexAt(press->position().toPoint());
    const bool on_name = press->button() == Qt::LeftButton && index.column() == SiteTableModel::kCall;
    if (on_name && views::CallDelegate::isOnDisclosure(index, press->position().x() - table_->visualRect(index).x())) {
      filter_->setExpanded(index, !filter_->isExpanded(index));
      return true;
    }
  }
  return Dock::eventFilter(watched, event);
}

// At a row's name, Right expands a module; Left collapses it, and goes to the module around. F2 edits the format,
// whichever cell is current.
bool SitesDock::takeKey(const QKeyEvent& key) {
  const QModelIndex current = table_->currentIndex();
  if (!current.isValid() || (key.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return false;
  if (key.key() == Qt::Key_F2 && current.column() != SiteTableModel::kFormat && model_->isEditable()) {
    const QModelIndex format = current.siblingAtColumn(SiteTableModel::kFormat);
    table_->selectionModel()->setCurrentIndex(format, QItemSelectionModel::NoUpdate);
    table_->edit(format);
    return true;
  }
  if (current.column() != SiteTableModel::kCall) return false;
  if (key.key() == Qt::Key_Right && filter_->module(current) != nullptr && !filter_->isExpanded(current)) {
    filter_->setExpanded(current, true);
    return true;
  }
  if (key.key() == Qt::Key_Left && filter_->isExpanded(current)) {
    filter_->setExpanded(current, false);
    return true;
  }
  const QModelIndex around = key.key() == Qt::Key_Left ? filter_->moduleAround(current) : QModelIndex();
  if (around.isValid()) table_->setCurrentIndex(around);
  return around.isValid();
}

}  // namespace binade::app
