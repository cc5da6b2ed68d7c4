// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/picked_number.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QMenu>
#include <QTableView>

#include <optional>

// The entry *Look at this number* of context menus. The owner of a menu has the signal
// `numberRequested(const binade::views::PickedNumber&)`, which the entry emits.
namespace binade::views {

/// Object name of the entry.
inline constexpr auto kLookAtNumber = "lookAtNumber";

/// Returns the entry, without an effect; disabled if `enabled` is false. Owned by `parent`.
QAction* makeLookAction(bool enabled, QObject* parent);

/// Returns the number of a cell (NumberRole), or nullopt.
std::optional<PickedNumber> pickedNumber(const QModelIndex& cell);

/// Returns the table's entry, above *Copy as text*. It is enabled while the menu was opened at a cell with a number, by
/// the pointer or, with the menu key, at the current cell. A table with its own menu adds it there.
QAction* lookAction(QTableView* table);

/// Adds the entry to a menu; disabled without a number.
template <typename Owner>
void addLookEntry(QMenu& menu, Owner* owner, const std::optional<PickedNumber>& number) {
  QAction* look = makeLookAction(number.has_value(), &menu);
  menu.addAction(look);
  QObject::connect(look, &QAction::triggered, owner, [owner, number] { Q_EMIT owner->numberRequested(*number); });
}

/// Opens a context menu with this entry only.
template <typename Owner>
void openLookMenu(const QContextMenuEvent& event, Owner* owner, const std::optional<PickedNumber>& number) {
  auto* menu = new QMenu(owner);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  addLookEntry(*menu, owner, number);
  menu->popup(event.globalPos());
}

/// Adds the entry to a table's menu.
template <typename Owner>
void addLookEntry(QTableView* table, Owner* owner) {
  QObject::connect(lookAction(table), &QAction::triggered, owner, [table, owner] {
    if (const auto number = pickedNumber(table->currentIndex())) Q_EMIT owner->numberRequested(*number);
  });
}

}  // namespace binade::views
