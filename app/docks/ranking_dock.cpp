// SPDX-License-Identifier: Apache-2.0
#include "app/docks/ranking_dock.h"

#include "app/docks/empty_state.h"
#include "app/docks/table_hold.h"
#include "app/present/natural_sort.h"
#include "views/elided_label.h"
#include "views/style/looks.h"
#include "views/table/delegates.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace binade::app {

RankingDock::RankingDock(const Shape& shape, RunModel* run, Selection* selection, QWidget* parent)
    : Dock(shape.id, shape.title, parent),
      run_(run),
      selection_(selection),
      model_(new CellModel(shape.columns, this)),
      sorted_(new NaturalSort(this)),
      table_(new QTableView),
      summary_(new views::ElidedLabel),
      second_summary_(new views::ElidedLabel) {
  auto* page = new QWidget;
  column_ = new QVBoxLayout(page);
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(0);
  auto* header = new QWidget;
  header_ = new QHBoxLayout(header);
  header_->setContentsMargins(12, 6, 12, 6);
  header_->setSpacing(12);
  auto* lines = new QVBoxLayout;
  lines->setSpacing(2);
  lines->addWidget(summary_);
  lines->addWidget(second_summary_);
  views::setTone(second_summary_, views::Tone::kSecond);
  second_summary_->hide();
  header_->addLayout(lines, 1);
  column_->addWidget(header);
  column_->addWidget(table_, 1);
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(views::SortRole);
  sorted_->setDynamicSortFilter(false);
  table_->setModel(sorted_);
  views::styleTable(table_);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setItemDelegateForColumn(shape.call, new views::CallDelegate(table_));
  for (const int each : shape.formats) table_->setItemDelegateForColumn(each, new views::FormatDelegate(table_));
  for (const int each : shape.verdicts) table_->setItemDelegateForColumn(each, new views::VerdictDelegate(table_));
  // A third click on a column header restores the ranking.
  table_->horizontalHeader()->setSortIndicatorClearable(true);
  table_->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
  table_->setAccessibleName(shape.about);
  if (shape.plans.isEmpty()) {
    views::setColumnWidths(table_, shape.widths, shape.least);
  } else {
    columns_ = new views::TableColumns(table_, shape.plans);
    constants_ = shape.constants;
  }
  empty_ = new EmptyState(page, QString(), QString());
  setWidget(empty_);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RankingDock::tableChanged);
  connect(selection_, &Selection::sitesChanged, this, &RankingDock::follow);
  hold_ = new TableHold(table_, page);
  connect(hold_, &TableHold::released, this, [this] { setRows(ranked_); });
}

void RankingDock::addControl(QWidget* control) {
  header_->addWidget(control);
}

void RankingDock::addFoot(QWidget* foot) {
  column_->addWidget(foot);
}

QLabel* RankingDock::addDetail(const QString& accessibleName) {
  QLabel* detail = views::makeTextLabel();
  views::setSurface(detail, views::Surface::kFoot);
  detail->setContentsMargins(12, 8, 12, 8);
  detail->setAccessibleName(accessibleName);
  addFoot(detail);
  return detail;
}

void RankingDock::setSummary(const QString& line, const QString& second) {
  summary_->setText(line);
  second_summary_->setText(second);
  second_summary_->setVisible(!second.isEmpty());
}

// Keeps the order of rows while the user is at the table. Rows that are gone stay, dimmed, until the user leaves.
QList<CellRow> RankingDock::inPlace(const QList<CellRow>& rows) const {
  QList<CellRow> placed;
  const auto find = [](const auto& all, qlonglong id) {
    return std::find_if(all.begin(), all.end(), [id](const CellRow& row) { return row.id == id; });
  };
  for (int i = 0; i < model_->rowCount(); ++i) {
    const CellRow& old = model_->row(i);
    const auto now = find(rows, old.id);
    placed.append(now != rows.end() ? *now : old);
    if (now == rows.end()) {
      for (Cell& cell : placed.back().cells) cell.with(views::QuietRole, true);
    }
  }
  for (const CellRow& row : rows) {
    if (find(placed, row.id) == placed.end()) placed.append(row);
  }
  return placed;
}

void RankingDock::setRows(QList<CellRow> rows) {
  const qlonglong kept = chosen();
  const bool at_top = table_->verticalScrollBar()->value() == table_->verticalScrollBar()->minimum();
  ranked_ = rows;
  const bool held = hold_ != nullptr && hold_->isHeld() && !rows.isEmpty();
  if (held) rows = inPlace(rows);
  {
    const QScopedValueRollback guard(following_, true);
    model_->setRows(std::move(rows));
    if (!held && sorted_->sortColumn() >= 0) sorted_->invalidate();
    if (!held) hideConstants();
    table_->setAutoScroll(false);  // new figures must not move the scroll position
    if (const int row = model_->rowOf(kept); kept >= 0 && row >= 0) chooseRow(row);
    table_->setAutoScroll(true);
    // The ranking begins at its top, unless the user has scrolled or selected a row that is still there.
    if (chosen() < 0 && (at_top || kept >= 0)) table_->scrollToTop();
  }
  if (chosen() != kept) chosenChanged();
}

void RankingDock::hideConstants() {
  const int rows = model_->rowCount();
  for (const int column : constants_) {
    bool constant = rows > 1;
    for (int row = 1; row < rows && constant; ++row)
      constant = model_->index(row, column).data() == model_->index(0, column).data();
    columns_->setConstant(column, constant);
  }
}

void RankingDock::read(const QSettings& settings) {
  if (columns_ != nullptr) columns_->read(settings, objectName() + QStringLiteral("/columns"));
}

void RankingDock::write(QSettings& settings) const {
  if (columns_ != nullptr) columns_->write(settings, objectName() + QStringLiteral("/columns"));
}

qlonglong RankingDock::chosen() const {
  const QModelIndexList selected = table_->selectionModel()->selectedRows();
  return selected.isEmpty() ? -1 : model_->row(sorted_->mapToSource(selected.front()).row()).id;
}

std::vector<int> RankingDock::sitesOf(qlonglong id) const {
  return {static_cast<int>(id)};
}

void RankingDock::chooseRow(int sourceRow) {
  const QModelIndex row = sorted_->mapFromSource(model_->index(sourceRow, 0));
  table_->selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void RankingDock::choose(qlonglong id) {
  const int row = model_->rowOf(id);
  if (row < 0) return;
  if (chosen() == id) return tableChanged();  // already selected: publish it again
  chooseRow(row);
  table_->scrollTo(table_->currentIndex());
}

void RankingDock::publish(qlonglong id) {
  selection_->setSites(sitesOf(id));
}

void RankingDock::tableChanged() {
  if (following_) return;
  if (const qlonglong id = chosen(); id >= 0) {
    const QScopedValueRollback guard(following_, true);
    publish(id);
  }
  chosenChanged();
}

// Selects the row of an op call selected elsewhere. If an op call has several rows, a selected one stays; otherwise the
// first is selected.
void RankingDock::follow(const std::vector<int>& sites) {
  if (following_) return;
  const auto about = [&](qlonglong id) {
    const std::vector<int> of_row = sitesOf(id);
    return !sites.empty() && !of_row.empty() && of_row.front() == sites.front();
  };
  if (const qlonglong id = chosen(); id >= 0 && about(id)) return;
  {
    const QScopedValueRollback guard(following_, true);
    const bool had_choice = chosen() >= 0;
    // Without a current row either: a table that is shown later scrolls to that row.
    table_->selectionModel()->clear();
    for (int row = 0; row < model_->rowCount(); ++row) {
      if (!about(model_->row(row).id)) continue;
      chooseRow(row);
      table_->scrollTo(table_->currentIndex());
      break;
    }
    if (had_choice && chosen() < 0) table_->scrollToTop();
  }
  chosenChanged();
}

}  // namespace binade::app
