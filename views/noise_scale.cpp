// SPDX-License-Identifier: Apache-2.0
#include "views/noise_scale.h"

#include "views/values/colors.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kDot = 4;           // radius
constexpr double kBandHigh = 14;     // height of the band
constexpr double kBandShare = 0.25;  // the largest share of the scale that the band takes

}  // namespace

NoiseScale::NoiseScale(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void NoiseScale::setMark(const NoiseMark& mark, const QString& text) {
  mark_ = mark;
  setAccessibleName(text);
  setToolTip(text);
  update();
}

double NoiseScale::reach() const {
  double most = mark_.noise / kBandShare;
  for (const double each : {mark_.difference, mark_.low, mark_.high}) {
    if (std::isfinite(each)) most = std::max(most, std::fabs(each));
  }
  return most > 0 && std::isfinite(most) ? most : 1;
}

double NoiseScale::placeOf(double difference) const {
  const double half = width() / 2.0 - kDot - 1;
  if (!std::isfinite(difference)) return width() / 2.0 + (difference < 0 ? -half : half);
  return width() / 2.0 + half * std::clamp(difference / reach(), -1.0, 1.0);
}

void NoiseScale::paintEvent(QPaintEvent*) {
  const Colors& c = colors();
  QPainter painter(this);
  const double middle = height() / 2.0;
  if (mark_.noise > 0) {
    const double left = placeOf(-mark_.noise);
    const double wide = std::max(placeOf(mark_.noise) - left, 2.0);
    painter.fillRect(QRectF(left, middle - kBandHigh / 2, wide, kBandHigh), c.band);
  }
  painter.setPen(QPen(c.line, 0));
  painter.drawLine(QPointF(kDot, middle), QPointF(width() - kDot, middle));
  painter.setPen(QPen(c.secondText, 0));
  const double zero = placeOf(0);
  painter.drawLine(QPointF(zero, middle - kBandHigh / 2), QPointF(zero, middle + kBandHigh / 2));
  if (mark_.low < mark_.high) {
    painter.setPen(QPen(c.text, 0));
    painter.drawLine(QPointF(placeOf(mark_.low), middle), QPointF(placeOf(mark_.high), middle));
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(std::isfinite(mark_.difference) ? c.text : c.crimson);
  painter.drawEllipse(QPointF(placeOf(mark_.difference), middle), kDot, kDot);
}

}  // namespace binade::views
