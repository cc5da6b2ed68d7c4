// SPDX-License-Identifier: Apache-2.0
#include "views/scale_label.h"

#include "views/look_at_number.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace binade::views {

ScaleLabel::ScaleLabel(QWidget* parent) : QLabel(parent) {}

QSize ScaleLabel::sizeHint() const {
  const QFont font = figureFont(13, QFont::DemiBold);
  // Reserves room for two superscript digits, so that neighbours do not move.
  const double wide = std::max(textWidth(font, text()), textWidth(font, QStringLiteral("2⁻²⁴")));
  return {static_cast<int>(std::ceil(wide)) + 2, 24};
}

void ScaleLabel::contextMenuEvent(QContextMenuEvent* event) {
  openLookMenu(*event, this, number_);
}

void ScaleLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(figureFont(13, QFont::DemiBold));
  painter.setPen(isEnabled() ? colors().text : colors().thirdText);
  drawText(painter, rect(), Qt::AlignLeft | Qt::AlignVCenter, text());
}

}  // namespace binade::views
