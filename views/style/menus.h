// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSize>

class QPainter;
class QStyleOptionMenuItem;
class QWidget;

namespace binade::views {

/// Geometry of a menu entry. The list of a combo box is a menu too; it reserves room for icons only if it has any.
QStyleOptionMenuItem menuItemOf(const QStyleOptionMenuItem& option, const QWidget* widget);
QSize menuItemSize(const QStyleOptionMenuItem& item, const QSize& contents);
void paintMenuItem(QPainter& painter, const QStyleOptionMenuItem& option);
void paintMenuBarItem(QPainter& painter, const QStyleOptionMenuItem& option);

}  // namespace binade::views
