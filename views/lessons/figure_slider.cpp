// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/figure_slider.h"

#include "engine/lessons/figure_parts.h"
#include "views/elided_label.h"
#include "views/plot/axis.h"
#include "views/scale_label.h"
#include "views/style/fields.h"
#include "views/style/looks.h"
#include "views/theme.h"
#include "views/values/numbers.h"
#include "views/values/typography.h"

#include <QBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kNarrowestTick = 44;  // px
constexpr int kSliderLabelWide = 132;

/// A position as a person reads it: `2⁶` or `−3`.
QString positionText(double value, bool exponent) {
  if (!exponent) return typeset(lessons::number_text(value));
  const double whole = std::round(value);
  return whole == value ? powerOfTwo(static_cast<int>(whole)) : typeset(lessons::number_text(std::exp2(value)));
}

/// A position and the plain number that it stands for: `2⁶ = 64`.
QString fullPositionText(double value, bool exponent) {
  const QString text = positionText(value, exponent);
  if (!exponent || std::round(value) != value) return text;
  const double real = std::exp2(value);
  const QString plain = value >= 0 ? grouped(static_cast<std::int64_t>(real)) : figure(real, 4);
  return text == plain ? text : QStringLiteral("%1 = %2").arg(text, plain);
}

}  // namespace

/// The labels below a slider, at the places of its handle.
class SliderTicks : public QWidget {
 public:
  SliderTicks() { setFixedHeight(20); }

  void setState(const lessons::SliderState& state) {
    low_ = state.low;
    high_ = state.high;
    exponent_ = state.exponent;
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Colors& c = colors();
    QPainter painter(this);
    painter.setFont(figureFont(10));
    const double room = width() - kSliderHandle;
    const Range range{low_, high_};
    const int most = std::max(2, static_cast<int>(room / kNarrowestTick));
    const auto ticks = exponent_ ? binadeTicks(range, most) : stepTicks(range, most);
    for (const Tick& tick : ticks) {
      const double x = kSliderHandle / 2.0 + (tick.value - low_) / range.span() * room;
      painter.setPen(QPen(c.thirdText, 0));
      painter.drawLine(QPointF(std::round(x), 0), QPointF(std::round(x), 3));
      painter.setPen(c.secondText);
      const double wide = textWidth(painter.font(), tick.label) + 1;
      const double left = std::clamp(x - wide / 2, 0.0, std::max(0.0, width() - wide));
      drawText(painter, {left, 5, wide, 15}, Qt::AlignLeft | Qt::AlignVCenter, tick.label);
    }
  }

 private:
  double low_ = 0;
  double high_ = 1;
  bool exponent_ = false;
};

FigureSlider::FigureSlider(QWidget* parent)
    : QWidget(parent),
      label_(new ElidedLabel),
      value_(new ScaleLabel),
      slider_(new QSlider(Qt::Horizontal)),
      ticks_(new SliderTicks),
      back_(new QPushButton) {
  setSurface(this, Surface::kNotice);
  label_->setFont(textFont(12, QFont::DemiBold));
  slider_->setObjectName(QStringLiteral("figureSlider"));
  back_->setObjectName(QStringLiteral("figureBack"));
  auto* names = new QVBoxLayout;
  names->setSpacing(2);
  names->addWidget(label_);
  names->addWidget(value_);
  auto* places = new QVBoxLayout;
  places->setSpacing(0);
  places->addWidget(slider_);
  places->addWidget(ticks_);
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(16, 6, 16, 6);
  line->setSpacing(12);
  line->addLayout(names);
  line->addLayout(places, 1);
  line->addWidget(back_);
  label_->setFixedWidth(kSliderLabelWide);
  connect(slider_, &QSlider::valueChanged, this, [this](int value) { Q_EMIT moved(value); });
  connect(back_, &QPushButton::clicked, this, [this] { Q_EMIT moved(preset_); });
}

void FigureSlider::setState(const lessons::SliderState& state, double preset) {
  state_ = state;
  preset_ = preset;
  const QSignalBlocker quiet(slider_);
  slider_->setRange(static_cast<int>(std::lround(state.low)), static_cast<int>(std::lround(state.high)));
  slider_->setPageStep(std::max(1, static_cast<int>((state.high - state.low) / 10)));
  slider_->setValue(static_cast<int>(std::lround(state.value)));
  ticks_->setState(state);
  const QString label = QString::fromStdString(state.label);
  label_->setText(label);
  value_->setText(valueText());
  slider_->setAccessibleName(label);
  slider_->setAccessibleDescription(valueText());
  back_->setText(tr("Back to %1").arg(positionText(preset, state.exponent)));
  back_->setEnabled(state.value != preset);
}

QString FigureSlider::valueText() const {
  return fullPositionText(state_.value, state_.exponent);
}

}  // namespace binade::views
