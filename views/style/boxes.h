// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QPalette>
#include <QRect>

class QPainter;

namespace binade::views {

/// The palette's role for secondary text. Fusion does not paint with this role.
constexpr QPalette::ColorRole kSecondTextRole = QPalette::Shadow;

/// Paints a rounded box with its border inside `rect`. A transparent colour paints nothing.
void paintBox(QPainter& painter, const QRect& rect, const QColor& ground, const QColor& border, double width = 1,
              double radius = 4);

/// Paint a check mark or a chevron, 14 px wide, centred in `rect`.
void paintTick(QPainter& painter, const QRect& rect, const QColor& color);
void paintChevron(QPainter& painter, const QRect& rect, Qt::ArrowType direction, const QColor& color);

}  // namespace binade::views
