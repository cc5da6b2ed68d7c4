// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QPalette>
#include <QRect>

class QPainter;

namespace binade::views {

/// The palette's role of second text. Fusion paints nothing with it.
constexpr QPalette::ColorRole kSecondTextRole = QPalette::Shadow;

/// A rounded box with its border inside `rect`. A transparent colour is left out.
void paintBox(QPainter& painter, const QRect& rect, const QColor& ground, const QColor& border, double width = 1,
              double radius = 4);

/// A check mark and chevrons in the middle of `rect`, drawn for a square of 14 px.
void paintTick(QPainter& painter, const QRect& rect, const QColor& color);
void paintChevron(QPainter& painter, const QRect& rect, Qt::ArrowType direction, const QColor& color);

}  // namespace binade::views
