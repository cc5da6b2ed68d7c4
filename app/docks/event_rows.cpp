// SPDX-License-Identifier: Apache-2.0
#include "app/docks/event_rows.h"

#include "app/present/event_story.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTableView>

#include <algorithm>

namespace binade::app {

namespace {
constexpr int kHeadingHigh = 26;
}  // namespace

EventRows::EventRows(RunModel* run, Selection* selection, EventTableModel* model, QTableView* table)
    : QObject(table), run_(run), selection_(selection), model_(model), table_(table) {
  table_->installEventFilter(this);
  table_->viewport()->installEventFilter(this);
  connect(model_, &QAbstractItemModel::rowsInserted, this, [this] {
    if (static_cast<std::size_t>(model_->events()) > follows_.size()) {
      take(model_->events() - 1);
    } else {
      takeGroup();
    }
    Q_EMIT changed();
  });
  connect(run_, &RunModel::eventsGone, this, [this](int first, int count) {
    follows_.erase(follows_.begin() + first, follows_.begin() + first + count);
    listed_ = static_cast<int>(std::count(follows_.begin(), follows_.end(), false));
    placeHeading();
    Q_EMIT changed();
  });
  connect(model_, &QAbstractItemModel::modelReset, this, [this] {
    readAll();
    Q_EMIT changed();
  });
  connect(selection_, &Selection::eventChanged, this, [this](int event) {
    if (isInGroup(event)) setOpen(true);
  });
  connect(selection_, &Selection::rankChanged, this, [this] {
    for (int event = 0; event < model_->events(); ++event) update(event);
    Q_EMIT changed();
  });
  readAll();
}

void EventRows::readAll() {
  table_->clearSpans();
  // The header keeps the heights and hidden rows of the list before.
  for (int row = 0; row < model_->rowCount(); ++row) {
    table_->setRowHidden(row, false);
    table_->setRowHeight(row, table_->verticalHeader()->defaultSectionSize());
  }
  follows_.clear();
  listed_ = 0;
  has_later_ = model_->headingRow() >= 0 && model_->events() > model_->startUp();
  model_->setOpen(!has_later_);
  for (int event = 0; event < model_->events(); ++event) {
    const bool follows = isConsequence(*run_, event);
    follows_.push_back(follows);
    listed_ += follows ? 0 : 1;
    update(event);
  }
  placeHeading();
}

// Looks at all events of the step again: the event with the cause may be its last.
void EventRows::take(int event) {
  const auto& events = run_->events();
  const auto step = events[static_cast<std::size_t>(event)].step;
  follows_.push_back(true);  // not counted yet
  for (int each = event; each >= 0 && events[static_cast<std::size_t>(each)].step == step; --each) {
    const auto at = static_cast<std::size_t>(each);
    const bool follows = isConsequence(*run_, each);
    listed_ += (follows ? 0 : 1) - (follows_[at] ? 0 : 1);
    follows_[at] = follows;
    update(each);
  }
  placeHeading();
  if (has_later_ || model_->headingRow() < 0 || model_->events() == model_->startUp()) return;
  has_later_ = true;
  setOpen(isInGroup(selection_->event()));
}

// The heading arrived, above events that the list has already.
void EventRows::takeGroup() {
  has_later_ = model_->events() > model_->startUp();
  model_->setOpen(!has_later_ || isInGroup(selection_->event()));
  for (int event = 0; event < model_->startUp(); ++event) update(event);
  placeHeading();
}

bool EventRows::isOfOtherRank(int event) const {
  const auto at = static_cast<std::size_t>(event);
  if (selection_->rank() < 0 || at >= run_->events().size()) return false;
  const auto& rank = run_->events()[at].rank;
  return rank && *rank != selection_->rank();
}

int EventRows::listed() const {
  if (selection_->rank() < 0) return listed_;
  int count = 0;
  for (int event = 0; event < static_cast<int>(follows_.size()); ++event) {
    if (!follows_[static_cast<std::size_t>(event)] && !isOfOtherRank(event)) ++count;
  }
  return count;
}

bool EventRows::isInGroup(int event) const {
  return model_->headingRow() >= 0 && event >= 0 && event < model_->startUp();
}

void EventRows::update(int event) {
  const int row = model_->rowOf(event);
  const bool hidden =
      follows_[static_cast<std::size_t>(event)] || isOfOtherRank(event) || (isInGroup(event) && !model_->isOpen());
  if (table_->isRowHidden(row) == hidden) return;
  table_->setRowHidden(row, hidden);
  // A row has the height of the time when it was hidden.
  if (!hidden) table_->setRowHeight(row, table_->verticalHeader()->defaultSectionSize());
}

void EventRows::placeHeading() {
  const int heading = model_->headingRow();
  if (heading < 0) return;
  const int column = EventTableModel::kWhat;
  const int columns = EventTableModel::kColumns - column;
  if (table_->columnSpan(heading, column) != columns) {
    table_->clearSpans();
    table_->setSpan(heading, column, 1, columns);
  }
  table_->setRowHidden(heading, false);
  table_->setRowHeight(heading, kHeadingHigh);
}

int EventRows::listedUntilShown() const {
  int count = 0;
  for (std::size_t event = 0; event < follows_.size(); ++event) {
    const bool listed = !follows_[event] && !isOfOtherRank(static_cast<int>(event));
    if (listed && run_->isShown(run_->events()[event])) ++count;
  }
  return count;
}

void EventRows::setOpen(bool open) {
  if (open == model_->isOpen()) return;
  model_->setOpen(open);
  for (int event = 0; event < model_->startUp(); ++event) update(event);
  table_->doItemsLayout();  // the scroll bar has its new range before something scrolls to a row
}

void EventRows::setHeight(int height) {
  table_->verticalHeader()->setDefaultSectionSize(height);
  placeHeading();
}

bool EventRows::eventFilter(QObject* watched, QEvent* event) {
  if (watched == table_ && event->type() == QEvent::KeyPress && takeKey(*static_cast<QKeyEvent*>(event))) return true;
  const bool press = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick;
  if (watched == table_->viewport() && press) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const int row = table_->rowAt(mouse->position().toPoint().y());
    if (mouse->button() == Qt::LeftButton && row >= 0 && row == model_->headingRow()) {
      table_->setCurrentIndex(model_->index(row, EventTableModel::kWhat));
      setOpen(!model_->isOpen());
      return true;
    }
  }
  return QObject::eventFilter(watched, event);
}

bool EventRows::takeKey(const QKeyEvent& key) {
  if ((key.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return false;
  const QModelIndex current = table_->currentIndex();
  if (!current.isValid() || current.row() != model_->headingRow()) return false;
  switch (key.key()) {
    case Qt::Key_Right:
    case Qt::Key_Left:
      setOpen(key.key() == Qt::Key_Right);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      setOpen(!model_->isOpen());
      return true;
    default:
      return false;
  }
}

}  // namespace binade::app
