// SPDX-License-Identifier: Apache-2.0
#include "views/look_at_number.h"

#include "views/table/copy_rows.h"
#include "views/values/roles.h"

#include <QCoreApplication>

namespace binade::views {

namespace {

// Enables a table's entry when its menu is about to open: only then is the cell known.
class EnableAtCell : public QObject {
 public:
  EnableAtCell(QTableView* table, QAction* look) : QObject(look), table_(table), look_(look) {
    table->installEventFilter(this);  // gets the menu key
    table->viewport()->installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::ContextMenu) {
      const auto* menu = static_cast<QContextMenuEvent*>(event);
      const bool by_key = menu->reason() == QContextMenuEvent::Keyboard;
      look_->setEnabled(pickedNumber(by_key ? table_->currentIndex() : table_->indexAt(menu->pos())).has_value());
    }
    return false;
  }

 private:
  QTableView* table_;
  QAction* look_;
};

}  // namespace

QAction* makeLookAction(bool enabled, QObject* parent) {
  auto* look = new QAction(QCoreApplication::translate("LookAtNumber", "Look at this number"), parent);
  look->setObjectName(QLatin1String(kLookAtNumber));
  look->setEnabled(enabled);
  return look;
}

std::optional<PickedNumber> pickedNumber(const QModelIndex& cell) {
  const QVariant number = cell.data(NumberRole);
  return number.canConvert<PickedNumber>() ? std::optional(number.value<PickedNumber>()) : std::nullopt;
}

QAction* lookAction(QTableView* table) {
  if (auto* made = table->findChild<QAction*>(QLatin1String(kLookAtNumber), Qt::FindDirectChildrenOnly)) return made;
  QAction* look = makeLookAction(false, table);
  table->insertAction(copyAction(table), look);
  new EnableAtCell(table, look);
  return look;
}

}  // namespace binade::views
