// SPDX-License-Identifier: Apache-2.0
#include "views/plot/axis.h"
#include "views/plot/empty_text.h"
#include "views/plot/histogram.h"
#include "views/theme.h"
#include "views/values/elide.h"
#include "views/values/numbers.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

double greatestShareOf(const formats::TensorStats& stats) {
  const auto all = static_cast<double>(stats.count - stats.zero);
  if (!(all > 0)) return 0;
  return *std::max_element(stats.binades.begin(), stats.binades.end()) / all;
}

}  // namespace

double Histogram::percentAtEnd() const {
  const double greatest = std::max(greatestShareOf(stats_), other_ ? greatestShareOf(other_->stats) : 0);
  return widened({0, std::max(greatest * 100, 1.0)}, 3).high;
}

QString Histogram::largestText() const {
  const double most = format_->largest();
  return most < 1e9 ? grouped(static_cast<std::int64_t>(most)) : figure(most);
}

QRectF Histogram::labelColumn() const {
  if (!format_) return {};
  constexpr double kMostLabelShare = 0.6;  // share of a narrow plot; the rest is kept for the bars
  const QRectF area = plotArea();
  const QFont font = figureFont(11, QFont::DemiBold);
  double wide = 0;
  for (const QString& text :
       {largestText(), powerOfTwo(format_->min_exponent()), powerOfTwo(format_->subnormal_exponent() - 1)}) {
    wide = std::max(wide, textWidth(font, text));
  }
  wide = std::min(std::ceil(wide) + 12, kMostLabelShare * area.width());
  return {area.right() - wide, area.top(), wide, area.height()};
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
    ground.setAlpha(isDark(c.theme) ? 26 : 20);
    const double top = std::max(area.top(), binadeToY(window.overflow));
    const double bottom = std::min(area.bottom(), binadeToY(window.underflow));
    if (bottom > top) painter.fillRect(QRectF(area.left(), top, area.width(), bottom - top), ground);
  }
  painter.save();
  painter.setClipRect(area);
  paintBars(painter, area);
  painter.restore();
  if (other_) paintOther(painter, area);
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
  const double room = area.width() - labelColumn().width();
  const Range shares{0, percentAtEnd()};
  const auto ticks = linearTicks(shares, 3);
  painter.setPen(QPen(c.grid, 0));
  for (const Tick& tick : ticks) {
    const double x = std::round(area.left() + tick.value / shares.high * room);
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
    const double wide = std::max(1.0, values / all * 100 / shares.high * room);
    painter.fillRect(QRectF(area.left(), top, wide, std::max(1.0, bottom - top)),
                     over || under ? c.crimson : c.dataLine);
  }
  painter.setClipping(false);
  painter.setFont(figureFont(11));
  for (const Tick& tick : ticks) {
    const double x = area.left() + tick.value / shares.high * room;
    const bool last = &tick == &ticks.back();
    const QString label = last ? tick.label + QStringLiteral(" %") : tick.label;
    painter.setPen(c.secondText);
    drawText(painter, {x - 30, area.bottom() + 5, 60, 15}, Qt::AlignHCenter | Qt::AlignVCenter, label);
  }
}

// An outline of ends of bars, and the run's name above it.
void Histogram::paintOther(QPainter& painter, const QRectF& area) const {
  const auto all = static_cast<double>(other_->stats.count - other_->stats.zero);
  if (!(all > 0)) return;
  const QColor color = seriesColor(1);
  const double room = area.width() - labelColumn().width();
  QPolygonF line;
  double end = area.left();  // of the bar before
  for (int i = 0; i < formats::kBinades; ++i) {
    const double share = other_->stats.binades[static_cast<std::size_t>(i)] / all;
    const double next = share > 0 ? area.left() + std::max(1.0, share * 100 / percentAtEnd() * room) : area.left();
    if (next == end) continue;
    const double y = std::round(binadeToY(formats::kFirstBinade + i + offsetOf(other_->scaleLog2)));
    line << QPointF(end, y) << QPointF(next, y);
    end = next;
  }
  if (end != area.left()) {
    const double y = std::round(binadeToY(formats::kLastBinade + 1 + offsetOf(other_->scaleLog2)));
    line << QPointF(end, y) << QPointF(area.left(), y);
  }
  painter.setPen(QPen(color, 0));
  painter.save();
  painter.setClipRect(area);
  painter.drawPolyline(line);
  painter.restore();
  constexpr double kNameHigh = 16;
  constexpr double kSample = 14;
  if (area.top() < kNameHigh + 4) return;
  const double y = area.top() - kNameHigh - 2;
  painter.drawLine(QPointF(area.left(), y + kNameHigh / 2), QPointF(area.left() + kSample, y + kNameHigh / 2));
  painter.setFont(textFont(11));
  painter.setPen(colors().secondText);
  const double left = area.left() + kSample + 6;
  drawText(painter, {left, y, width() - left - 4, kNameHigh}, Qt::AlignLeft | Qt::AlignVCenter,
           elidedMiddle(otherText(), painter.font(), width() - left - 4));
}

void Histogram::paintWindow(QPainter& painter, const QRectF& area) const {
  const Colors& c = colors();
  const QColor color = formatColor(*format_);
  const FormatWindow window(*format_, windowShift());
  const auto visible = [&](double y) { return y >= area.top() - 1 && y <= area.bottom() + 1; };
  double taken = area.top() - kLabelLine;  // by the label before, from the top
  const auto label = [&](double y, const QString& text) {
    if (y + 19 > area.bottom() || y < taken + kLabelLine) return;
    taken = y;
    painter.setFont(figureFont(11, QFont::DemiBold));
    painter.setPen(c.text);
    drawText(painter, {area.left(), y + 3, area.width() - 4, 16}, Qt::AlignRight | Qt::AlignVCenter, text);
  };
  const double over = std::round(binadeToY(window.overflow));
  const double normal = std::round(binadeToY(window.normal));
  const double under = std::round(binadeToY(window.underflow));
  if (visible(over)) {
    painter.fillRect(QRectF(area.left(), over - 1, area.width(), 2), color);
    label(over, largestText());
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

}  // namespace binade::views
