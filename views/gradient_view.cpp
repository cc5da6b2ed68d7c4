// SPDX-License-Identifier: Apache-2.0
#include "views/gradient_view.h"

#include "views/elided_label.h"
#include "views/height_scroll.h"
#include "views/scale_label.h"
#include "views/style/looks.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {
constexpr int kLeastScale = 0;
constexpr int kMostScale = 32;
constexpr int kMostFactor = 24;   // in both directions, for values without a loss scale
constexpr int kLeastShares = 72;  // px of the table of formats: its header and two rows
}  // namespace

GradientView::GradientView(StepAxis* steps, QWidget* parent)
    : QWidget(parent),
      binades_(new BinadeAxis(this)),
      heatMap_(new HeatMap(steps, binades_, this)),
      histogram_(new Histogram(binades_, this)),
      shares_(new FormatShares),
      shares_area_(new HeightScroll(shares_, kLeastShares, this)),
      slider_(new QSlider(Qt::Horizontal, this)),
      whatIfRow_(new QWidget(this)),
      words_(new ElidedLabel(QString(), this)),
      scale_(new ScaleLabel(this)),
      asNow_(new QLabel(tr("(current)"), this)),
      set_(new QPushButton(tr("Set scale"), this)) {
  auto* charts = new QHBoxLayout;
  charts->setSpacing(0);
  charts->addWidget(heatMap_, 3);
  charts->addWidget(histogram_, 2);

  words_->setBuddy(slider_);
  slider_->setPageStep(4);
  slider_->setMinimumWidth(96);
  slider_->setToolTip(tr("Moves the format's window over the histogram. The run does not change."));
  slider_->setWhatsThis(
      tr("A loss scale moves all gradients by as many binades. The slider shows, for another scale, which values would "
         "overflow the format and which would become 0; the table gives their shares. Set scale then uses it in the "
         "run."));
  setTone(asNow_, Tone::kThird);
  set_->setToolTip(tr("Sets the loss scale of the run from the next step"));
  set_->setAccessibleName(tr("Set the run's loss scale to the what-if scale"));
  auto* row = new QHBoxLayout(whatIfRow_);
  row->setContentsMargins(12, 6, 12, 6);
  row->setSpacing(12);
  scale_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);  // the number is never elided, its label is
  row->addWidget(words_);
  row->addWidget(slider_, 1);
  row->addWidget(scale_);
  row->addWidget(asNow_);
  row->addWidget(set_);

  shares_area_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  all->addLayout(charts, 1);
  all->addWidget(whatIfRow_);
  all->addWidget(shares_area_);

  connect(slider_, &QSlider::valueChanged, this, &GradientView::changeWhatIf);
  connect(shares_, &FormatShares::formatRequested, this, &GradientView::formatRequested);
  connect(histogram_, &Histogram::whatIfChanged, this, &GradientView::changeWhatIf);
  connect(heatMap_, &HeatMap::valuesChanged, this,
          [this](HeatMap::Values values) { histogram_->setUnscaled(values == HeatMap::Values::kUnscaled); });
  connect(set_, &QPushButton::clicked, this, [this] {
    if (whatIf_) Q_EMIT setScaleRequested(*whatIf_);
  });
  connect(heatMap_, &Plot::numberRequested, this, &GradientView::numberRequested);
  connect(histogram_, &Histogram::numberRequested, this, &GradientView::numberRequested);
  connect(shares_, &FormatShares::numberRequested, this, &GradientView::numberRequested);
  connect(scale_, &ScaleLabel::numberRequested, this, &GradientView::numberRequested);
  heatMap_->installEventFilter(this);
  setScaled(true);
  setFormat(formats::kFloat16);
}

void GradientView::setFormat(std::optional<formats::Format> format) {
  heatMap_->setFormat(format);
  histogram_->setFormat(format);
  shares_->setHeldIn(format);
}

void GradientView::setScaled(bool scaled) {
  scaled_ = scaled;
  whatIf_.reset();
  words_->setText(scaled ? tr("What if the scale were") : tr("What if the values were ×"));
  {
    const QSignalBlocker quiet(slider_);
    slider_->setRange(scaled ? kLeastScale : -kMostFactor, scaled ? kMostScale : kMostFactor);
  }
  slider_->setAccessibleName(scaled ? tr("What-if loss scale, as a power of two")
                                    : tr("What-if factor of the values, as a power of two"));
  histogram_->setScaled(scaled);
  showWhatIf();
}

void GradientView::appendColumn(std::int64_t step, const formats::TensorStats& stats, double scaleLog2) {
  heatMap_->appendColumn(step, stats, scaleLog2);
}

void GradientView::showStats(const formats::TensorStats& stats, qint64 step, double scaleLog2) {
  filled_ = true;
  scaleLog2_ = scaleLog2;
  step_ = step;
  histogram_->setStats(stats, step, scaleLog2);
  shares_->setStats(stats);
  showWhatIf();
}

void GradientView::setPresentScale(double scaleLog2, const QString& name) {
  if (presentLog2_ == scaleLog2 && present_ == name) return;
  presentLog2_ = scaleLog2;
  present_ = name;
  showWhatIf();
}

// Returns which scale is shown beside the slider: the current one, or that of the histogram's step.
QString GradientView::standing() const {
  if (!filled_) return {};
  const auto present = static_cast<int>(std::lround(scaled_ ? presentLog2_.value_or(scaleLog2_) : scaleLog2_));
  const auto observed = static_cast<int>(std::lround(scaleLog2_));
  if (whatIf_.value_or(observed) == present) return present_;
  return whatIf_ ? QString() : tr("(at step %1)").arg(grouped(step_));
}

void GradientView::setScaleSettable(bool settable) {
  settable_ = settable;
  showWhatIf();
}

void GradientView::clear() {
  filled_ = false;
  whatIf_.reset();
  heatMap_->clear();
  histogram_->clear();
  shares_->clear();
  showWhatIf();
}

void GradientView::changeWhatIf(int scaleLog2) {
  whatIf_ = scaleLog2;
  if (scaleLog2 == std::lround(scaleLog2_)) whatIf_.reset();
  showWhatIf();
}

void GradientView::showWhatIf() {
  const int present = static_cast<int>(std::lround(scaleLog2_));
  // The run's own scale may have reached the window's position.
  if (whatIf_ == present) whatIf_.reset();
  const int shown = whatIf_.value_or(present);
  {
    const QSignalBlocker quiet(slider_);
    slider_->setValue(shown);
  }
  if (whatIf_) {
    histogram_->setWhatIf(*whatIf_);
  } else {
    histogram_->resetWhatIf();
  }
  shares_->setShift(shown - present);
  scale_->setText(filled_ ? powerOfTwo(shown) : QStringLiteral("–"));
  scale_->setNumber(filled_ ? std::optional(PickedNumber{std::exp2(shown)}) : std::nullopt);
  // The width is reserved, so that the slider does not resize while it is dragged.
  asNow_->setText(standing());
  const int wide = std::max(asNow_->fontMetrics().horizontalAdvance(tr("(current)")),
                            asNow_->fontMetrics().horizontalAdvance(asNow_->text()));
  asNow_->setMinimumWidth(std::max(wide, asNow_->minimumWidth()));
  // Without data these are hidden, and the heat map shows its empty text.
  histogram_->setVisible(filled_);
  whatIfRow_->setVisible(filled_);
  shares_area_->setVisible(filled_);
  set_->setVisible(scaled_);
  const bool other = whatIf_ && *whatIf_ != std::lround(presentLog2_.value_or(scaleLog2_));
  set_->setEnabled(filled_ && settable_ && other);
}

bool GradientView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == heatMap_ && event->type() == QEvent::Resize) alignHistogram();
  return QWidget::eventFilter(watched, event);
}

void GradientView::alignHistogram() {
  // Both charts share one row; equal plot areas align their axes.
  const QRectF area = heatMap_->plotArea();
  histogram_->setMargins(area.top(), heatMap_->height() - area.bottom());
}

}  // namespace binade::views
