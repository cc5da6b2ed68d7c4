// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPainter>
#include <QString>

namespace binade::views {

/// What stands where a chart or a table has nothing to show: one bold line (what is missing) and one sentence (why, or
/// what would fill it), centred. Draws nothing where both are empty.
void drawEmptyText(QPainter& painter, const QRectF& rect, const QString& headline, const QString& sentence);

}  // namespace binade::views
