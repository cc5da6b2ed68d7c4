// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QScrollArea>
#include <QTest>
#include <QWidget>
#include <QWindow>

namespace binade::test {

/// Clicks this place of a widget with the left button, through its window, which finds the widget under the pointer.
/// Scrolls to it first. Returns false without a click if the widget is hidden, disabled or covered there.
inline bool clickAt(QWidget* widget, const QPoint& at) {
  const auto settle = [] {
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  };
  settle();
  for (QWidget* each = widget->parentWidget(); each != nullptr; each = each->parentWidget()) {
    if (auto* area = qobject_cast<QScrollArea*>(each)) area->ensureWidgetVisible(widget);
  }
  settle();
  if (!widget->isEnabled() || !widget->visibleRegion().contains(at)) return false;
  QWidget* window = widget->window();
  QTest::mouseClick(window->windowHandle(), Qt::LeftButton, {}, widget->mapTo(window, at));
  return true;
}

/// Clicks the middle of a widget.
inline bool click(QWidget* widget) {
  return clickAt(widget, widget->rect().center());
}

}  // namespace binade::test
