// SPDX-License-Identifier: Apache-2.0
#include "app/docks/table_hold.h"

#include <QApplication>
#include <QEvent>
#include <QTableView>

namespace binade::app {

namespace {
constexpr int kPollMs = 100;

bool isSomethingOpen() {
  return QApplication::activePopupWidget() != nullptr || QApplication::activeModalWidget() != nullptr;
}
}  // namespace

TableHold::TableHold(QTableView* table, QWidget* around) : QObject(table), table_(table), around_(around) {
  around->setAttribute(Qt::WA_Hover);
  around->installEventFilter(this);
  table->installEventFilter(this);
  table->viewport()->installEventFilter(this);
  poll_.setInterval(kPollMs);
  connect(&poll_, &QTimer::timeout, this, &TableHold::check);
}

bool TableHold::isAtTable() const {
  return around_->isVisible() && (around_->underMouse() || by_keys_ || isEditorOpen());
}

bool TableHold::isEditing() const {
  return isSomethingOpen() || isEditorOpen();
}

// Editors are children of the viewport.
bool TableHold::isEditorOpen() const {
  for (const QObject* child : table_->viewport()->children()) {
    const auto* editor = qobject_cast<const QWidget*>(child);
    if (editor != nullptr && editor->isVisible()) return true;
  }
  return false;
}

bool TableHold::isHeld() const {
  return poll_.isActive() || isAtTable();
}

// An open menu takes the pointer away from the table, but the user is still there.
void TableHold::check() {
  open_ = isSomethingOpen() && (open_ || at_);
  at_ = isAtTable();
  if (at_ || open_) {
    if (!poll_.isActive()) poll_.start();
  } else if (poll_.isActive()) {
    poll_.stop();
    Q_EMIT released();
  }
}

bool TableHold::eventFilter(QObject* watched, QEvent* event) {
  const bool at_once = event->type() == QEvent::Enter || event->type() == QEvent::HoverEnter ||
                       event->type() == QEvent::MouseButtonPress || event->type() == QEvent::ChildAdded;
  if (watched == around_ && event->type() == QEvent::Leave && !isSomethingOpen()) by_keys_ = false;
  if (watched == table_ && event->type() == QEvent::FocusOut && !isSomethingOpen()) by_keys_ = false;
  if (watched == table_ && event->type() == QEvent::KeyPress) by_keys_ = true;
  if (!poll_.isActive() && (at_once || by_keys_)) check();
  return QObject::eventFilter(watched, event);
}

}  // namespace binade::app
