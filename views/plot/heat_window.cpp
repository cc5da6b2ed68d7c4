// SPDX-License-Identifier: Apache-2.0
#include "views/plot/heat_window.h"

#include "views/plot/binade_axis.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QCoreApplication>

#include <cmath>

namespace binade::views {

namespace {

constexpr double kLine = 2;
constexpr double kLabelHigh = 17;

void drawLabel(QPainter& painter, const QRectF& area, double top, const QString& text) {
  if (top < area.top() || top + kLabelHigh > area.bottom()) return;
  painter.setFont(textFont(11, QFont::DemiBold));
  const QRectF box(area.left() + 6, top, textWidth(painter.font(), text) + 10, kLabelHigh);
  if (box.right() > area.right()) return;
  QColor ground = colors().panel;
  ground.setAlpha(225);
  painter.fillRect(box, ground);
  painter.setPen(colors().text);
  drawText(painter, box.adjusted(5, 0, -3, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
}

}  // namespace

void drawHeatWindow(QPainter& painter, const QRectF& area, const formats::Format& format, double shift,
                    const std::function<double(double)>& toY) {
  const FormatWindow window(format, shift);
  const double over = std::round(toY(window.overflow));
  const double normal = std::round(toY(window.normal));
  const double under = std::round(toY(window.underflow));
  const QRectF above(area.left(), area.top(), area.width(), over - area.top());
  const QRectF below(area.left(), under, area.width(), area.bottom() - under);
  if (above.height() > 0) drawVeil(painter, above.intersected(area));
  if (below.height() > 0) drawVeil(painter, below.intersected(area));
  const QColor color = formatColor(format);
  painter.fillRect(QRectF(area.left(), over - kLine / 2, area.width(), kLine), color);
  painter.fillRect(QRectF(area.left(), under - kLine / 2, area.width(), kLine), color);
  QPen pen(color, 0, Qt::CustomDashLine);
  pen.setDashPattern({4, 3});
  painter.setPen(pen);
  painter.drawLine(QPointF(area.left(), normal), QPointF(area.right(), normal));
}

void drawHeatWindowLabels(QPainter& painter, const QRectF& area, const formats::Format& format, double highest,
                          double lowest, const std::function<double(double)>& toY) {
  const FormatWindow window(format, lowest);
  const auto words = [](const char* text) { return QCoreApplication::translate("HeatMap", text); };
  const double under = toY(window.underflow);
  drawLabel(painter, area, toY(FormatWindow(format, highest).overflow) - kLabelHigh - 4,
            format.finite_only ? words("overflows to NaN") : words("overflows to inf"));
  if (highest == lowest && under - toY(window.normal) > kLabelHigh + 6) {
    drawLabel(painter, area, under - kLabelHigh - 5,
              words("%1 subnormals").arg(QString::fromStdString(formats::name(format))));
  }
  drawLabel(painter, area, under + 5, words("becomes 0"));
}

}  // namespace binade::views
