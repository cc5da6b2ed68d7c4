// SPDX-License-Identifier: Apache-2.0
#include "views/table/bar_key.h"

#include "views/theme.h"
#include "views/values/numbers.h"

#include <QPainter>

#include <cmath>
#include <utility>

namespace binade::views {

namespace {

constexpr int kKeySquare = 10;
constexpr int kKeyGap = 6;     // between a square and its name
constexpr int kKeyApart = 12;  // between the two entries
constexpr int kKeyHigh = 18;

QFont barKeyFont() {
  return textFont(11);
}

int barKeyWidth(const QString& name) {
  return kKeySquare + kKeyGap + static_cast<int>(std::ceil(textWidth(barKeyFont(), name))) + 1;
}

}  // namespace

BarKey::BarKey(QString first, QString second, QWidget* parent)
    : QWidget(parent), first_(std::move(first)), second_(std::move(second)) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleName(tr("Parts of a bar"));
  setAccessibleDescription(tr("first %1, then, paler, %2").arg(first_, second_));
}

QSize BarKey::sizeHint() const {
  return {barKeyWidth(first_) + kKeyApart + barKeyWidth(second_), kKeyHigh};
}

void BarKey::paintEvent(QPaintEvent*) {
  const Colors& c = colors();
  QPainter painter(this);
  painter.setFont(barKeyFont());
  int x = 0;
  const auto entry = [&](const QColor& color, const QString& name) {
    painter.fillRect(x, (height() - kKeySquare) / 2, kKeySquare, kKeySquare, color);
    painter.setPen(c.secondText);
    const double from = x + kKeySquare + kKeyGap;
    drawText(painter, {from, 0, width() - from, static_cast<double>(height())}, Qt::AlignLeft | Qt::AlignVCenter, name);
    x += barKeyWidth(name) + kKeyApart;
  };
  entry(c.text, first_);
  entry(c.headroom, second_);
}

}  // namespace binade::views
