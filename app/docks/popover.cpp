// SPDX-License-Identifier: Apache-2.0
#include "app/docks/popover.h"

#include <QGuiApplication>
#include <QScreen>
#include <QWidget>

#include <algorithm>

namespace binade::app {

void showPopover(QWidget* popover, const QRect& place) {
  popover->adjustSize();
  const QScreen* screen = QGuiApplication::screenAt(place.center());
  if (screen == nullptr) screen = QGuiApplication::primaryScreen();
  const QRect room = screen->availableGeometry();
  QRect frame(place.bottomLeft() + QPoint(0, 2), popover->size());
  if (frame.bottom() > room.bottom()) frame.moveBottom(place.top() - 2);
  frame.moveLeft(std::clamp(frame.x(), room.x(), std::max(room.x(), room.right() - frame.width())));
  frame.moveTop(std::max(frame.top(), room.top()));
  popover->move(frame.topLeft());
  popover->show();
}

}  // namespace binade::app
