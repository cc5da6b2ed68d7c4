// SPDX-License-Identifier: Apache-2.0
#include "views/plot/histogram.h"

#include "views/numbers.h"
#include "views/plot/axis.h"
#include "views/plot/empty_text.h"
#include "views/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

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
  whatIf_.reset();
  describe();
  update();
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

void Histogram::setUnscaled(bool unscaled) {
  unscaled_ = unscaled;
  update();
}

double Histogram::offset() const {
  return unscaled_ ? -std::round(scaleLog2_) : 0;
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
  const double middle = std::clamp((top + bottom) / 2, area.top() + kGripHigh / 2, area.bottom() - kGripHigh / 2);
  return {area.right() + 10, std::round(middle - kGripHigh / 2), kGripWide, kGripHigh};
}

double Histogram::greatestShare() const {
  const auto all = static_cast<double>(stats_.count - stats_.zero);
  if (!(all > 0)) return 0;
  return *std::max_element(stats_.binades.begin(), stats_.binades.end()) / all;
}

void Histogram::describe() {
  if (!filled_) {
    setAccessibleDescription(headline_ + QLatin1Char(' ') + sentence_);
    return;
  }
  QString text = tr("Step %1: largest %2").arg(grouped(step_), figure(stats_.largest));
  if (whatIf_) text += tr(". Window as if the loss scale were %1").arg(powerOfTwo(*whatIf_));
  setAccessibleDescription(text);
}

bool Histogram::event(QEvent* event) {
  // A shown widget has waited with its words until now.
  if (event->type() == QEvent::Show) describe();
  return QWidget::event(event);
}

void Histogram::paintEvent(QPaintEvent*) {
  const Colors& c = colors();
  QPainter painter(this);
  painter.fillRect(rect(), c.panel);
  if (!filled_) {
    drawEmptyText(painter, rect(), headline_, sentence_);
    return;
  }
  const QRectF area = plotArea();
  if (format_) {
    const FormatWindow window(*format_, windowShift());
    QColor ground = formatColor(*format_);
    ground.setAlpha(c.theme == Theme::kDark ? 26 : 20);
    const double top = std::max(area.top(), binadeToY(window.overflow));
    const double bottom = std::min(area.bottom(), binadeToY(window.underflow));
    if (bottom > top) painter.fillRect(QRectF(area.left(), top, area.width(), bottom - top), ground);
  }
  painter.save();
  painter.setClipRect(area);
  paintBars(painter, area);
  painter.restore();
  if (format_) paintWindow(painter, area);

  painter.setPen(QPen(c.line, 0));
  painter.drawLine(QPointF(area.left(), area.top()), QPointF(area.left(), area.bottom()));
  painter.drawLine(QPointF(area.left(), area.bottom()), QPointF(area.right(), area.bottom()));
  painter.setFont(textFont(11));
  painter.setPen(c.secondText);
  drawText(painter, {area.left(), area.bottom() + 20, area.width(), 16}, Qt::AlignRight | Qt::AlignVCenter,
           tr("step %1").arg(grouped(step_)));
  if (keyboardFocus_) {
    painter.setPen(QPen(c.indigo, 0));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void Histogram::paintBars(QPainter& painter, const QRectF& area) const {
  const Colors& c = colors();
  const double greatest = greatestShare();
  const Range shares = widened({0, std::max(greatest * 100, 1.0)}, 3);
  const auto ticks = linearTicks(shares, 3);
  painter.setPen(QPen(c.grid, 0));
  for (const Tick& tick : ticks) {
    const double x = std::round(area.left() + tick.value / shares.high * area.width());
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
  }
  const auto all = static_cast<double>(stats_.count - stats_.zero);
  std::optional<FormatWindow> window;
  if (format_) window.emplace(*format_, windowShift());
  const double largest = stats_.largest > 0 ? std::log2(static_cast<double>(stats_.largest)) + offset() : -1e9;
  for (int i = 0; i < formats::kBinades; ++i) {
    const std::uint32_t values = stats_.binades[static_cast<std::size_t>(i)];
    if (values == 0) continue;
    const double binade = formats::kFirstBinade + i + offset();
    const double top = std::round(binadeToY(binade + 1)) + 1;
    const double bottom = std::round(binadeToY(binade));
    const bool over =
        window && (binade >= window->overflow || (binade + 1 > window->overflow && largest >= window->overflow));
    const bool under = window && binade + 1 <= window->underflow;
    const double wide = std::max(1.0, values / all * 100 / shares.high * area.width());
    painter.fillRect(QRectF(area.left(), top, wide, std::max(1.0, bottom - top)),
                     over || under ? c.crimson : c.dataLine);
  }
  painter.setClipping(false);
  painter.setFont(figureFont(11));
  for (const Tick& tick : ticks) {
    const double x = area.left() + tick.value / shares.high * area.width();
    const bool last = &tick == &ticks.back();
    const QString label = last ? tick.label + QStringLiteral(" %") : tick.label;
    painter.setPen(c.secondText);
    drawText(painter, {x - 30, area.bottom() + 5, 60, 15}, Qt::AlignHCenter | Qt::AlignVCenter, label);
  }
}

void Histogram::paintWindow(QPainter& painter, const QRectF& area) const {
  const Colors& c = colors();
  const QColor color = formatColor(*format_);
  const FormatWindow window(*format_, windowShift());
  const auto visible = [&](double y) { return y >= area.top() - 1 && y <= area.bottom() + 1; };
  const auto label = [&](double y, const QString& text) {
    if (y + 19 > area.bottom()) return;
    painter.setFont(figureFont(11, QFont::DemiBold));
    painter.setPen(c.text);
    drawText(painter, {area.left(), y + 3, area.width() - 4, 16}, Qt::AlignRight | Qt::AlignVCenter, text);
  };
  const double over = std::round(binadeToY(window.overflow));
  const double normal = std::round(binadeToY(window.normal));
  const double under = std::round(binadeToY(window.underflow));
  if (visible(over)) {
    painter.fillRect(QRectF(area.left(), over - 1, area.width(), 2), color);
    const double most = format_->largest();
    label(over, most < 1e9 ? grouped(static_cast<std::int64_t>(most)) : figure(most));
  }
  if (visible(normal)) {
    QPen pen(color, 0, Qt::CustomDashLine);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.drawLine(QPointF(area.left(), normal), QPointF(area.right(), normal));
    label(normal, powerOfTwo(format_->min_exponent()));
  }
  if (visible(under)) {
    painter.fillRect(QRectF(area.left(), under - 1, area.width(), 2), color);
    label(under, powerOfTwo(format_->subnormal_exponent() - 1));
  }
  const QRectF grip = handle();
  const double rail = grip.center().x();
  const double top = std::clamp(over, area.top(), area.bottom());
  const double bottom = std::clamp(under, area.top(), area.bottom());
  painter.fillRect(QRectF(rail - 1, top, 2, bottom - top), color);
  painter.fillRect(QRectF(rail - 4, top - 1, 8, 2), color);
  painter.fillRect(QRectF(rail - 4, bottom - 1, 8, 2), color);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(dragging_ || hasFocus() ? c.indigo : color, 1.4));
  painter.setBrush(c.panel);
  painter.drawRoundedRect(grip, 3, 3);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setBrush(Qt::NoBrush);
  for (const double y : {-4.0, 0.0, 4.0}) {
    painter.fillRect(QRectF(grip.left() + 3, grip.center().y() + y - 0.5, grip.width() - 6, 1), c.thirdText);
  }
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
  // Up is a window higher up: a smaller scale would put the values lower in it.
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
