// SPDX-License-Identifier: Apache-2.0
#include "views/style/menus.h"

#include "views/style/boxes.h"
#include "views/theme.h"

#include <QComboBox>
#include <QPainter>
#include <QStyle>
#include <QStyleOption>

#include <algorithm>

namespace binade::views {

namespace {

constexpr int kMenuLeft = 12;
constexpr int kMenuRight = 24;
constexpr int kSignRoom = 20;  // a check mark or an icon, and its gap
constexpr int kMenuIcon = 16;
constexpr int kSeparatorHigh = 9;
constexpr int kShortcutGap = 16;

// Columns are the same for all entries of a menu.
int checkMarkRoom(const QStyleOptionMenuItem& item) {
  return item.menuHasCheckableItems ? kSignRoom : 0;
}

int menuIconRoom(const QStyleOptionMenuItem& item) {
  return item.maxIconWidth > 0 ? kSignRoom : 0;
}

void paintCheckMark(QPainter& painter, const QStyleOptionMenuItem& item, const QRect& room, const QColor& color) {
  if (!item.checked || item.checkType == QStyleOptionMenuItem::NotCheckable) return;
  if (item.checkType == QStyleOptionMenuItem::NonExclusive) return paintTick(painter, room, color);
  const QPoint middle = room.center();
  paintBox(painter, QRect(middle.x() - 2, middle.y() - 2, 6, 6), color, Qt::transparent, 0, 3);
}

void paintMenuIcon(QPainter& painter, const QStyleOptionMenuItem& item, const QRect& room) {
  if (item.icon.isNull()) return;
  const bool enabled = item.state.testFlag(QStyle::State_Enabled);
  const QRect square = QStyle::alignedRect(item.direction, Qt::AlignCenter, {kMenuIcon, kMenuIcon}, room);
  item.icon.paint(&painter, square, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
}

}  // namespace

QStyleOptionMenuItem menuItemOf(const QStyleOptionMenuItem& option, const QWidget* widget) {
  QStyleOptionMenuItem item(option);
  if (const auto* combo = qobject_cast<const QComboBox*>(widget)) {
    item.maxIconWidth = combo->itemIcon(0).isNull() ? 0 : kMenuIcon;
  }
  return item;
}

QSize menuItemSize(const QStyleOptionMenuItem& item, const QSize& contents) {
  if (item.menuItemType == QStyleOptionMenuItem::Separator) return {contents.width(), kSeparatorHigh};
  const bool shortcut = item.text.contains(u'\t') || item.reservedShortcutWidth > 0;
  return {contents.width() + kMenuLeft + kMenuRight + checkMarkRoom(item) + menuIconRoom(item) +
              (shortcut ? kShortcutGap : 0),
          std::max(contents.height(), item.fontMetrics.height()) + 10};
}

void paintMenuItem(QPainter& painter, const QStyleOptionMenuItem& item) {
  const Colors& c = colors();
  const QRect& all = item.rect;
  if (item.menuItemType == QStyleOptionMenuItem::Separator) {
    return painter.fillRect(QRect(all.left(), all.top() + kSeparatorHigh / 2, all.width(), 1), c.softLine);
  }
  const bool enabled = item.state.testFlag(QStyle::State_Enabled);
  if (enabled && item.state.testFlag(QStyle::State_Selected)) painter.fillRect(all, c.selectedRow);
  const QColor color = enabled ? c.text : c.thirdText;
  const auto place = [&](const QRect& rect) { return QStyle::visualRect(item.direction, all, rect); };
  const int check = checkMarkRoom(item);
  const int room = check + menuIconRoom(item);
  const QRect sign(all.left() + kMenuLeft - 4, all.top(), kMenuIcon, all.height());
  if (check > 0) paintCheckMark(painter, item, place(sign), color);
  if (room > check) paintMenuIcon(painter, item, place(sign.translated(check, 0)));
  if (item.menuItemType == QStyleOptionMenuItem::SubMenu) {
    const QRect arrow = place({all.right() - 18, all.top(), 14, all.height()});
    paintChevron(painter, arrow, item.direction == Qt::RightToLeft ? Qt::LeftArrow : Qt::RightArrow, color);
  }
  painter.save();
  painter.setFont(item.font);
  painter.setPen(color);
  const QRect words = place(all.adjusted(kMenuLeft + room, 0, -kMenuRight, 0));
  constexpr int kFlags = Qt::AlignVCenter | Qt::TextShowMnemonic | Qt::TextDontClip | Qt::TextSingleLine;
  painter.drawText(words, kFlags | static_cast<int>(QStyle::visualAlignment(item.direction, Qt::AlignLeft)),
                   item.text.section(u'\t', 0, 0));
  const QString keys = item.text.section(u'\t', 1);
  if (!keys.isEmpty()) {
    painter.setPen(c.thirdText);
    painter.drawText(words, kFlags | static_cast<int>(QStyle::visualAlignment(item.direction, Qt::AlignRight)), keys);
  }
  painter.restore();
}

void paintMenuBarItem(QPainter& painter, const QStyleOptionMenuItem& item) {
  const Colors& c = colors();
  const bool lit = item.state.testFlag(QStyle::State_Enabled) && item.state.testFlag(QStyle::State_Selected);
  painter.fillRect(item.rect, lit ? c.selectedRow : c.bar);
  painter.setPen(item.state.testFlag(QStyle::State_Enabled) ? c.text : c.thirdText);
  painter.drawText(item.rect, Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextDontClip | Qt::TextSingleLine,
                   item.text);
}

}  // namespace binade::views
