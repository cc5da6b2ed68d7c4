// SPDX-License-Identifier: Apache-2.0
#include "views/plot/histogram.h"

#include "views/look_at_number.h"
#include "views/values/numbers.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace binade::views {

namespace {
constexpr double kLeft = 8;
constexpr double kRight = 30;
constexpr double kGripWide = 10;
constexpr double kGripHigh = 28;
constexpr int kLeastScale = -32;
constexpr int kMostScale = 48;
}  // namespace

Histogram::Histogram(BinadeAxis* binades, QWidget* parent)
    : QWidget(parent), binades_(binades ? binades : new BinadeAxis(this)) {
  setAccessibleName(tr("Histogram by binade"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  repaint_.setSingleShot(true);
  repaint_.setInterval(33);
  connect(&repaint_, &QTimer::timeout, this, [this] {
    describe();
    update();
  });
  connect(binades_, &BinadeAxis::rangeChanged, this, qOverload<>(&QWidget::update));
}

void Histogram::setStats(const formats::TensorStats& stats, qint64 step, double scaleLog2) {
  stats_ = stats;
  step_ = step;
  scaleLog2_ = scaleLog2;
  filled_ = true;
  if (isVisible() && !repaint_.isActive()) repaint_.start();
}

void Histogram::clear() {
  filled_ = false;
  other_.reset();
  whatIf_.reset();
  describe();
  update();
}

void Histogram::setOther(std::optional<Other> other) {
  other_ = std::move(other);
  if (isVisible() && !repaint_.isActive()) repaint_.start();
}

// The other run may have been observed at another step.
QString Histogram::otherText() const {
  return tr("%1, step %2").arg(other_->name, grouped(other_->step));
}

void Histogram::setFormat(std::optional<formats::Format> format) {
  format_ = format;
  update();
}

void Histogram::setEmptyText(const QString& headline, const QString& sentence) {
  headline_ = headline;
  sentence_ = sentence;
  update();
}

void Histogram::setMargins(double top, double bottom) {
  if (top_ == top && bottom_ == bottom) return;
  top_ = top;
  bottom_ = bottom;
  update();
}

int Histogram::presentScale() const {
  return static_cast<int>(std::lround(scaleLog2_));
}

void Histogram::setScaled(bool scaled) {
  scaled_ = scaled;
  describe();
}

void Histogram::setUnscaled(bool unscaled) {
  unscaled_ = unscaled;
  update();
}

double Histogram::offsetOf(double scaleLog2) const {
  return unscaled_ ? -std::round(scaleLog2) : 0;
}

double Histogram::windowShift() const {
  return offset() + (whatIf_ ? scaleLog2_ - *whatIf_ : 0);
}

void Histogram::setWhatIf(int scaleLog2) {
  whatIf_ = std::clamp(scaleLog2, kLeastScale, kMostScale);
  if (*whatIf_ == presentScale() && scaleLog2_ == presentScale()) whatIf_.reset();
  describe();
  update();
}

void Histogram::resetWhatIf() {
  whatIf_.reset();
  describe();
  update();
}

void Histogram::changeWhatIf(int scaleLog2) {
  const auto before = whatIf_;
  setWhatIf(scaleLog2);
  if (whatIf_ != before) Q_EMIT whatIfChanged(whatIf_.value_or(presentScale()));
}

QRectF Histogram::plotArea() const {
  return {kLeft, top_, std::max(8.0, width() - kLeft - kRight), std::max(8.0, height() - top_ - bottom_)};
}

double Histogram::binadeToY(double exponent) const {
  const QRectF area = plotArea();
  const Range range = binades_->range();
  return area.top() + (range.high - exponent) / range.span() * area.height();
}

QRectF Histogram::handle() const {
  if (!format_ || !filled_) return {};
  const QRectF area = plotArea();
  const FormatWindow window(*format_, windowShift());
  const double top = std::clamp(binadeToY(window.overflow), area.top(), area.bottom());
  const double bottom = std::clamp(binadeToY(window.underflow), area.top(), area.bottom());
  // If the plot is lower than the grip, the grip's upper edge stays inside.
  const double middle =
      std::max(std::min((top + bottom) / 2, area.bottom() - kGripHigh / 2), area.top() + kGripHigh / 2);
  return {area.right() + 10, std::round(middle - kGripHigh / 2), kGripWide, kGripHigh};
}

void Histogram::describe() {
  if (!filled_) {
    setAccessibleDescription(headline_ + QLatin1Char(' ') + sentence_);
    return;
  }
  QString text = tr("Step %1: largest %2").arg(grouped(step_), figure(stats_.largest));
  if (whatIf_) {
    const QString as_if =
        scaled_ ? tr(". Window as if the loss scale were %1") : tr(". Window as if the values were × %1");
    text += as_if.arg(powerOfTwo(*whatIf_));
  }
  if (other_) text += QStringLiteral(". ") + tr("%1: largest %2").arg(otherText(), figure(other_->stats.largest));
  setAccessibleDescription(text);
}

bool Histogram::event(QEvent* event) {
  // The description is updated only while the widget is visible.
  if (event->type() == QEvent::Show) describe();
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = valuesAt(help->pos());
    QToolTip::showText(help->globalPos(), text, this);
    event->setAccepted(!text.isEmpty());
    return true;
  }
  return QWidget::event(event);
}

void Histogram::mousePressEvent(QMouseEvent* event) {
  const QRectF rail = handle().adjusted(-8, -1000, 8, 1000);
  if (event->button() != Qt::LeftButton || !filled_ || !rail.contains(event->position())) {
    return QWidget::mousePressEvent(event);
  }
  dragging_ = true;
  dragFrom_ = event->position().y();
  dragScale_ = whatIf_.value_or(presentScale());
  setCursor(Qt::ClosedHandCursor);
  update();
}

void Histogram::mouseMoveEvent(QMouseEvent* event) {
  if (!dragging_) {
    if (filled_ && handle().adjusted(-8, -1000, 8, 1000).contains(event->position())) {
      setCursor(Qt::SizeVerCursor);
    } else {
      unsetCursor();
    }
    return;
  }
  // Moving up means a smaller scale, which places values lower in the window.
  const double binades = (dragFrom_ - event->position().y()) / plotArea().height() * binades_->range().span();
  changeWhatIf(dragScale_ - static_cast<int>(std::lround(binades)));
}

void Histogram::mouseReleaseEvent(QMouseEvent* event) {
  if (!dragging_) return QWidget::mouseReleaseEvent(event);
  dragging_ = false;
  unsetCursor();
  update();
}

void Histogram::keyPressEvent(QKeyEvent* event) {
  if (!filled_ || !format_) return QWidget::keyPressEvent(event);
  const int scale = whatIf_.value_or(presentScale());
  switch (event->key()) {
    case Qt::Key_Up:
      return changeWhatIf(scale - 1);
    case Qt::Key_Down:
      return changeWhatIf(scale + 1);
    case Qt::Key_Home:
      return changeWhatIf(presentScale());
    default:
      return QWidget::keyPressEvent(event);
  }
}

std::optional<PickedNumber> Histogram::numberAt(QPointF at) const {
  const QRectF area = plotArea();
  if (!filled_ || !area.contains(at)) return std::nullopt;
  const Range range = binades_->range();
  const double exponent = range.high - (at.y() - area.top()) / area.height() * range.span();
  return PickedNumber{std::exp2(std::floor(exponent)), format_};
}

QString Histogram::valuesAt(QPointF at) const {
  const QRectF area = plotArea();
  if (!filled_ || !area.contains(at)) return {};
  const Range range = binades_->range();
  const int shown = static_cast<int>(std::floor(range.high - (at.y() - area.top()) / area.height() * range.span()));
  const auto valuesOf = [shown](const formats::TensorStats& stats, double offset) {
    const int stored = shown - static_cast<int>(std::lround(offset));
    const bool known = stored >= formats::kFirstBinade && stored <= formats::kLastBinade;
    return known ? stats.binades[static_cast<std::size_t>(stored - formats::kFirstBinade)] : 0U;
  };
  const auto shareOf = [](std::uint32_t values, const formats::TensorStats& stats) {
    const auto all = static_cast<double>(stats.count - stats.zero);
    return share(all > 0 ? values / all : 0);
  };
  const std::uint32_t values = valuesOf(stats_, offset());
  QString text = tr("%1 to %2: %3 values, %4")
                     .arg(powerOfTwo(shown), powerOfTwo(shown + 1), grouped(static_cast<std::int64_t>(values)),
                          shareOf(values, stats_));
  if (other_) {
    const QString there = shareOf(valuesOf(other_->stats, offsetOf(other_->scaleLog2)), other_->stats);
    text += u'\n' + tr("%1: %2").arg(otherText(), there);
  }
  return text;
}

void Histogram::contextMenuEvent(QContextMenuEvent* event) {
  std::optional<PickedNumber> number;
  if (event->reason() != QContextMenuEvent::Keyboard) {
    number = numberAt(event->pos());
  } else if (filled_) {
    number = PickedNumber{static_cast<double>(stats_.largest) * std::exp2(offset()), format_};
  }
  openLookMenu(*event, this, number);
}

void Histogram::focusInEvent(QFocusEvent* event) {
  keyboardFocus_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  QWidget::focusInEvent(event);
}

void Histogram::focusOutEvent(QFocusEvent* event) {
  keyboardFocus_ = false;
  QWidget::focusOutEvent(event);
}

QSize Histogram::sizeHint() const {
  return {240, 280};
}
QSize Histogram::minimumSizeHint() const {
  return {140, 140};
}

}  // namespace binade::views
