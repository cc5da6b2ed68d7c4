// SPDX-License-Identifier: Apache-2.0
#include "app/docks/events_dock.h"

#include "app/docks/empty_state.h"
#include "app/docks/event_cell.h"
#include "app/docks/event_rows.h"
#include "app/docks/rank_choice.h"
#include "app/present/diagnose_answers.h"
#include "app/present/event_story.h"
#include "views/look_at_number.h"
#include "views/table/delegates.h"
#include "views/values/numbers.h"

#include <QEvent>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>

namespace binade::app {

namespace {

constexpr int kNarrow = 420;  // below this width all columns would be cut
constexpr int kRow = 24;

// Returns the width of the list, in px, from which there is room for a column.
int roomFor(int column) {
  switch (column) {
    case EventTableModel::kDoublings:
      return 640;
    case EventTableModel::kLargest:
      return 720;
    case EventTableModel::kTensor:
      return 840;
    case EventTableModel::kSafe:
      return 940;
    case EventTableModel::kVerdict:
      return 1080;
    default:
      return kNarrow;
  }
}

}  // namespace

EventsDock::EventsDock(RunModel* run, Selection* selection, QWidget* parent)
    : Dock(QStringLiteral("overflowEvents"), tr("Overflow events"), parent),
      run_(run),
      selection_(selection),
      model_(new EventTableModel(run, this)),
      table_(new QTableView),
      compare_(new QPushButton(tr("Compare one step with float32"))) {
  table_->setModel(model_);
  views::styleTable(table_);
  views::addLookEntry(table_, this);
  table_->setSortingEnabled(false);
  table_->setItemDelegateForColumn(EventTableModel::kWhat, new EventCell<views::VerdictDelegate>(table_));
  table_->setItemDelegateForColumn(EventTableModel::kCalls, new views::CallDelegate(table_));
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setAccessibleName(tr("Overflow events"));
  views::setColumnWidths(table_, {72, 170, 200, 170, 90, 110, 120, 92, 220, 400});
  table_->horizontalHeader()->setStretchLastSection(true);
  rows_ = new EventRows(run_, selection_, model_, table_);
  empty_ = new EmptyState(table_, QString(), QString());
  empty_->addButton(compare_);
  empty_->installEventFilter(this);
  setWidget(RankChoice::above(empty_, run_, selection_));
  connect(compare_, &QPushButton::clicked, this, &EventsDock::comparisonRequested);

  // selectionChanged, not currentRowChanged: the current row also changes when the table gets the focus.
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    const QModelIndexList chosen = table_->selectionModel()->selectedRows(EventTableModel::kWhat);
    const int event = chosen.isEmpty() ? -1 : model_->eventAt(chosen.front().row());
    if (event >= 0 && event != selection_->event()) Q_EMIT eventRequested(event);
  });
  // A click on the selected row moves the charts back to its step.
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
    const int event = model_->eventAt(index.row());
    if (event >= 0) Q_EMIT eventRequested(event);
  });
  connect(selection_, &Selection::eventChanged, this, [this](int event) {
    if (event < 0) return table_->selectionModel()->clear();
    table_->selectRow(model_->rowOf(event));
    showChosen();
  });
  // Scrolls to an event that was selected while the list was hidden.
  connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) showChosen();
  });
  // Newest first: what the user has scrolled to stays where it is.
  connect(model_, &QAbstractItemModel::rowsAboutToBeInserted, this, [this] {
    const bool scrolled = table_->isVisible() && table_->verticalScrollBar()->value() > 0;
    top_ = scrolled ? table_->indexAt(QPoint(0, 0)) : QModelIndex();
  });
  connect(rows_, &EventRows::changed, this, [this] {
    if (top_.isValid()) table_->scrollTo(top_, QAbstractItemView::PositionAtTop);
    top_ = QModelIndex();
    update();
  });
  connect(run_, &RunModel::stepsAdded, this, [this] {
    if (model_->events() == 0) update();
  });
  connect(run_, &RunModel::observeChanged, this, &EventsDock::update);
  connect(run_, &RunModel::shownStepChanged, this, &EventsDock::update);
  connect(run_, &RunModel::stateChanged, this, &EventsDock::update);
  update();
}

void EventsDock::showChosen() {
  // By the only column that is never hidden.
  const int row = model_->rowOf(selection_->event());
  if (row >= 0) table_->scrollTo(model_->index(row, EventTableModel::kWhat));
}

bool EventsDock::eventFilter(QObject* watched, QEvent* event) {
  if (watched == empty_ && event->type() == QEvent::Resize) {
    setNarrow(empty_->width() < kNarrow);
    showColumns();
  }
  return Dock::eventFilter(watched, event);
}

void EventsDock::setNarrow(bool narrow) {
  if (narrow == narrow_) return;
  narrow_ = narrow;
  showColumns();
  table_->horizontalHeader()->setVisible(!narrow);
  rows_->setHeight(narrow ? views::TwoLineDelegate::kHigh : kRow);
  QAbstractItemDelegate* old = table_->itemDelegateForColumn(EventTableModel::kWhat);
  if (narrow) {
    table_->setItemDelegateForColumn(EventTableModel::kWhat, new EventCell<views::TwoLineDelegate>(table_));
  } else {
    table_->setItemDelegateForColumn(EventTableModel::kWhat, new EventCell<views::VerdictDelegate>(table_));
  }
  delete old;
  update();
  table_->doItemsLayout();  // updates row heights and the scroll bar's range
  showChosen();
}

void EventsDock::showColumns() {
  for (int column = 0; column < EventTableModel::kColumns; ++column) {
    const bool hidden = column != EventTableModel::kWhat && (narrow_ || empty_->width() < roomFor(column));
    if (table_->isColumnHidden(column) != hidden) table_->setColumnHidden(column, hidden);
  }
}

void EventsDock::update() {
  const int count = model_->events();
  empty_->setEmpty(count == 0);
  const NothingFound nothing = nothingFound(*run_);
  empty_->setText(nothing.headline, nothing.sentence);
  compare_->setVisible(!narrow_ && run_->hasWeights() && !run_->steps().empty());
  const std::int64_t gone = run_->forgottenEvents().steps.count;
  const int listed = rows_->listed();
  if (run_->shownStep() && count > 0) {
    return setDockTitle(tr("Overflow events  %1 of %2 until step %3")
                            .arg(views::grouped(rows_->listedUntilShown()), views::grouped(listed),
                                 views::grouped(*run_->shownStep())));
  }
  setDockTitle(count == 0 ? tr("Overflow events")
               : gone == 0
                   ? tr("Overflow events  %1").arg(views::grouped(listed))
                   : tr("Overflow events  %1 (%2 listed)").arg(views::grouped(gone + listed), views::grouped(listed)));
}

}  // namespace binade::app
