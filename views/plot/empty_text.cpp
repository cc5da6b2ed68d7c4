// SPDX-License-Identifier: Apache-2.0
#include "views/plot/empty_text.h"

#include "views/theme.h"

#include <algorithm>

namespace binade::views {

void drawEmptyText(QPainter& painter, const QRectF& rect, const QString& headline, const QString& sentence) {
  if (headline.isEmpty() && sentence.isEmpty()) return;
  const double wide = std::min(rect.width() - 32, 360.0);
  const QFont bold = textFont(13, QFont::DemiBold);
  const QFont plain = textFont(12);
  const int wrapped = static_cast<int>(Qt::AlignHCenter | Qt::AlignTop) | Qt::TextWordWrap;
  const QRectF box(0, 0, wide, 1000);
  const double headHigh = headline.isEmpty() ? 0 : QFontMetricsF(bold).boundingRect(box, wrapped, headline).height();
  const double textHigh = sentence.isEmpty() ? 0 : QFontMetricsF(plain).boundingRect(box, wrapped, sentence).height();
  double y = rect.center().y() - (headHigh + 6 + textHigh) / 2;
  const double x = rect.center().x() - wide / 2;
  painter.setFont(bold);
  painter.setPen(colors().text);
  painter.drawText(QRectF(x, y, wide, headHigh), wrapped, headline);
  y += headHigh + 6;
  painter.setFont(plain);
  painter.setPen(colors().secondText);
  painter.drawText(QRectF(x, y, wide, textHigh + 4), wrapped, sentence);
}

}  // namespace binade::views
