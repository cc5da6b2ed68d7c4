// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPainter>
#include <QString>

namespace binade::views {

/// Draws the centred text of an empty chart or table: a bold line (what is missing) and a sentence (why, or what would
/// fill it). Draws nothing if both are empty.
void drawEmptyText(QPainter& painter, const QRectF& rect, const QString& headline, const QString& sentence);

}  // namespace binade::views
