// SPDX-License-Identifier: Apache-2.0
#include "app/docks/ranks_dock.h"

#include "app/docks/empty_state.h"
#include "app/present/rank_rows.h"
#include "views/height_scroll.h"
#include "views/plot/line_plot.h"
#include "views/table/delegates.h"
#include "views/values/numbers.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace binade::app {

namespace {

views::LineStyle lineOf(const QString& name, int mean_of) {
  return {.name = name,
          .unit = QStringLiteral("s"),
          .meanOf = mean_of,
          .color = {},
          .range = {},
          .format = [](double seconds) { return views::duration(seconds); }};
}

/// Height of the table with its heading and so many rows. In a narrow dock it has a horizontal scroll bar.
int heightWith(int rows, const QTableView& table) {
  return table.horizontalHeader()->sizeHint().height() + rows * table.verticalHeader()->defaultSectionSize() +
         table.horizontalScrollBar()->sizeHint().height() + 2 * table.frameWidth();
}

}  // namespace

RanksDock::RanksDock(RunModel* run, Selection* selection, views::StepAxis* axis, QWidget* parent)
    : Dock(QStringLiteral("ranks"), tr("Ranks"), parent),
      run_(run),
      selection_(selection),
      plot_(new views::LinePlot(axis)),
      model_(new CellModel(rankColumns(), this)),
      table_(new QTableView),
      summary_(new QLabel) {
  plot_->setTitle(tr("Time of the ranks"));
  plot_->setEmptyText(tr("No steps yet."), tr("The time that each rank is busy in a step appears here."));
  table_->setModel(model_);
  views::styleTable(table_);
  table_->setSortingEnabled(false);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setAccessibleName(tr("Ranks"));
  table_->installEventFilter(this);
  views::setColumnWidths(table_, {60, 90, 90, 130, 80, 100, 110, 200});
  table_->horizontalHeader()->setStretchLastSection(true);
  // px. In a lower place the page is scrolled: a window of 1280 x 800 would grow otherwise.
  constexpr int kLeastPlot = 100;
  plot_->setMinimumHeight(kLeastPlot);
  summary_->setWordWrap(true);
  summary_->setContentsMargins(12, 6, 12, 6);
  summary_->setAccessibleName(tr("Which rank delays the others"));
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(summary_);
  // The table comes first, so that a low place shows its rows, and the chart after scrolling.
  layout->addWidget(table_, 2);
  layout->addWidget(plot_, 3);
  constexpr int kLeast = 140;  // px, as in WhatIfDock
  empty_ = new EmptyState(new views::HeightScroll(page, kLeast), tr("This run has one process."),
                          tr("The times of each rank appear here if a run has several."));
  setWidget(empty_);
  connect(plot_, &views::Plot::numberRequested, this, &Dock::numberRequested);
  // selectionChanged, not currentRowChanged: the current row also changes when the table gets the focus.
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    const QModelIndexList chosen = table_->selectionModel()->selectedRows();
    if (!chosen.isEmpty()) selection_->setRank(static_cast<int>(model_->row(chosen.front().row()).id));
  });
  connect(selection_, &Selection::rankChanged, this, &RanksDock::showChosen);
  connect(run_, &RunModel::reset, this, &RanksDock::rebuild);
  connect(run_, &RunModel::stepsAdded, this, &RanksDock::append);
  connect(run_, &RunModel::frame, this, [this] {
    if (isVisible()) update();
  });
  connect(run_, &RunModel::shownStepChanged, this, &RanksDock::update);
  connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) update();
  });
  rebuild();
}

bool RanksDock::eventFilter(QObject* watched, QEvent* event) {
  if (watched == table_ && event->type() == QEvent::KeyPress && selection_->rank() >= 0 &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    selection_->setRank(-1);
    return true;
  }
  return Dock::eventFilter(watched, event);
}

void RanksDock::rebuild() {
  plot_->keepSeries(0);
  plot_->clear();
  lines_ = 0;
  const RankTrack& ranks = run_->ranks();
  const auto draw = [this](const QString& name, const views::Series& values, int mean_of) {
    plot_->addSeries(lineOf(name, mean_of));
    plot_->setSource(lines_++, &values);
  };
  if (ranks.ranks() > RankTrack::kMostSeries) {
    draw(tr("slowest rank"), ranks.slowest(), 41);
    draw(tr("fastest rank"), ranks.fastest(), 41);
  } else {
    for (int rank = 0; ranks.line(rank) != nullptr; ++rank) draw(rankText(*run_, rank), ranks.line(rank)->busy, 41);
  }
  empty_->setEmpty(ranks.ranks() < 2);
  append();
  update();
}

void RanksDock::append() {
  for (int line = 0; line < lines_; ++line) plot_->followSource(line);
}

void RanksDock::update() {
  const QString text = stragglerText(*run_);
  summary_->setText(text);
  summary_->setVisible(!text.isEmpty());
  model_->setRows(rankRows(*run_));
  constexpr int kFewestRows = 2;
  constexpr int kRowsInView = 4;
  const int rows = std::max(model_->rowCount(), kFewestRows);
  table_->setMinimumHeight(heightWith(std::min(rows, kRowsInView), *table_));
  table_->setMaximumHeight(heightWith(rows, *table_));  // the chart takes what the rows leave
  showChosen();
}

void RanksDock::showChosen() {
  const int rank = selection_->rank();
  const bool has_line = run_->ranks().ranks() <= RankTrack::kMostSeries && run_->ranks().line(rank) != nullptr;
  plot_->choosePart(has_line ? std::optional(views::LinePlot::partOf(rank)) : std::nullopt);
  const int row = model_->rowOf(rank);
  if (row < 0) return table_->clearSelection();
  if (!table_->selectionModel()->isRowSelected(row)) table_->selectRow(row);
}

}  // namespace binade::app
