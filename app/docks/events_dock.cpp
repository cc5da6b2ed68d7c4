// SPDX-License-Identifier: Apache-2.0
#include "app/docks/events_dock.h"

#include "app/docks/empty_state.h"
#include "app/present/diagnose_answers.h"
#include "app/present/event_story.h"
#include "views/look_at_number.h"
#include "views/table/delegates.h"
#include "views/values/numbers.h"

#include <QEvent>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QTableView>

namespace binade::app {

namespace {
constexpr int kNarrow = 420;  // below this width all columns would be cut
constexpr int kRow = 24;
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
  table_->setItemDelegateForColumn(EventTableModel::kWhat, new views::VerdictDelegate(table_));
  table_->setItemDelegateForColumn(EventTableModel::kCalls, new views::CallDelegate(table_));
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setAccessibleName(tr("Overflow events"));
  views::setColumnWidths(table_, {80, 170, 100, 300, 500});
  table_->horizontalHeader()->setStretchLastSection(true);
  empty_ = new EmptyState(table_, QString(), QString());
  empty_->addButton(compare_);
  empty_->installEventFilter(this);
  setWidget(empty_);
  connect(compare_, &QPushButton::clicked, this, &EventsDock::comparisonRequested);

  // selectionChanged, not currentRowChanged: the current row also changes when the table gets the focus.
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    const QModelIndexList chosen = table_->selectionModel()->selectedRows(EventTableModel::kWhat);
    if (!chosen.isEmpty() && chosen.front().row() != selection_->event()) Q_EMIT eventRequested(chosen.front().row());
  });
  // A click on the selected row moves the charts back to its step.
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) { Q_EMIT eventRequested(index.row()); });
  connect(selection_, &Selection::eventChanged, this, [this](int event) {
    if (event < 0) return table_->selectionModel()->clear();
    table_->selectRow(event);
    showChosen();
  });
  // Scrolls to an event that was selected while the list was hidden.
  connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) showChosen();
  });
  connect(model_, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex&, int first) {
    hideConsequences(first);
    update();
  });
  connect(model_, &QAbstractItemModel::rowsRemoved, this, [this] {
    countShown();
    update();
  });
  connect(model_, &QAbstractItemModel::modelReset, this, [this] {
    known_ = shown_ = 0;
    hideConsequences(0);
    update();
  });
  connect(run_, &RunModel::stepsAdded, this, [this] {
    if (model_->rowCount() == 0) update();
  });
  connect(run_, &RunModel::observeChanged, this, &EventsDock::update);
  connect(run_, &RunModel::shownStepChanged, this, &EventsDock::update);
  connect(run_, &RunModel::stateChanged, this, &EventsDock::update);
  hideConsequences(0);
  update();
}

// Starts at the first event of the step: the event with the cause may be its last.
void EventsDock::hideConsequences(int from) {
  const auto& events = run_->events();
  const int count = model_->rowCount();
  int first = from;
  while (first > 0 && first < count &&
         events[static_cast<std::size_t>(first - 1)].step == events[static_cast<std::size_t>(first)].step)
    --first;
  for (int row = first; row < count; ++row) {
    const bool was_shown = row < known_ && !table_->isRowHidden(row);
    const bool hidden = isConsequence(*run_, row);
    table_->setRowHidden(row, hidden);
    shown_ += (hidden ? 0 : 1) - (was_shown ? 1 : 0);
  }
  known_ = count;
}

void EventsDock::countShown() {
  known_ = model_->rowCount();
  shown_ = 0;
  for (int row = 0; row < known_; ++row) shown_ += table_->isRowHidden(row) ? 0 : 1;
}

void EventsDock::showChosen() {
  // By the only column that is never hidden.
  if (selection_->event() >= 0) table_->scrollTo(model_->index(selection_->event(), EventTableModel::kWhat));
}

bool EventsDock::eventFilter(QObject* watched, QEvent* event) {
  if (watched == empty_ && event->type() == QEvent::Resize) setNarrow(empty_->width() < kNarrow);
  return Dock::eventFilter(watched, event);
}

void EventsDock::setNarrow(bool narrow) {
  if (narrow == narrow_) return;
  narrow_ = narrow;
  for (int column = 0; column < EventTableModel::kColumns; ++column)
    table_->setColumnHidden(column, narrow && column != EventTableModel::kWhat);
  table_->horizontalHeader()->setVisible(!narrow);
  table_->verticalHeader()->setDefaultSectionSize(narrow ? views::TwoLineDelegate::kHigh : kRow);
  QAbstractItemDelegate* old = table_->itemDelegateForColumn(EventTableModel::kWhat);
  if (narrow) {
    table_->setItemDelegateForColumn(EventTableModel::kWhat, new views::TwoLineDelegate(table_));
  } else {
    table_->setItemDelegateForColumn(EventTableModel::kWhat, new views::VerdictDelegate(table_));
  }
  delete old;
  update();
  table_->doItemsLayout();  // updates row heights and the scroll bar's range
  showChosen();
}

void EventsDock::update() {
  const int count = model_->rowCount();
  empty_->setEmpty(count == 0);
  const NothingFound nothing = nothingFound(*run_);
  empty_->setText(nothing.headline, nothing.sentence);
  compare_->setVisible(!narrow_ && run_->hasWeights() && !run_->steps().empty());
  const std::int64_t gone = run_->forgottenEvents().steps.count;
  std::int64_t until_shown = 0;
  for (int row = 0; run_->shownStep() && row < count; ++row) {
    if (!table_->isRowHidden(row) && run_->isShown(run_->events()[static_cast<std::size_t>(row)])) ++until_shown;
  }
  if (run_->shownStep() && count > 0) {
    return setDockTitle(
        tr("Overflow events  %1 of %2 until step %3")
            .arg(views::grouped(until_shown), views::grouped(shown_), views::grouped(*run_->shownStep())));
  }
  setDockTitle(count == 0 ? tr("Overflow events")
               : gone == 0
                   ? tr("Overflow events  %1").arg(views::grouped(shown_))
                   : tr("Overflow events  %1 (%2 listed)").arg(views::grouped(gone + shown_), views::grouped(shown_)));
}

}  // namespace binade::app
