// SPDX-License-Identifier: Apache-2.0
#include "views/numbers/format_ruler.h"
#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/format_name.h"
#include "views/values/numbers.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kTickWide = 84;     // px that a label of the axis needs
constexpr double kSpacingWide = 76;  // px of the narrowest span whose spacing is written

QColor paleOf(const formats::Format& format) {
  QColor pale = formatColor(format);
  pale.setAlpha(isDark(colors().theme) ? 80 : 70);
  return pale;
}

QColor textOn(const formats::Format& format) {
  return format == formats::kFloat32 ? QColor(Qt::white) : QColor(0x12161B);
}

/// A text beside x, on the side with room.
void drawBeside(QPainter& painter, double x, double y, const QRectF& within, bool right, const QString& text) {
  constexpr double kBeside = 6;
  constexpr double kTextLine = 15;
  const double wide = std::min(textWidth(painter.font(), text) + 1, within.width());
  if (right && x + kBeside + wide > within.right()) right = false;
  if (!right && x - kBeside - wide < within.left()) right = x + kBeside + wide <= within.right();
  const double left = std::clamp(right ? x + kBeside : x - kBeside - wide, within.left(), within.right() - wide);
  drawText(painter, {left, y - kTextLine / 2, wide, kTextLine}, Qt::AlignLeft | Qt::AlignVCenter, text);
}

void drawHead(QPainter& painter, const QPointF& tip, double dx, double dy) {
  const QPointF along(dx * 5, dy * 5);
  const QPointF across(dy * 3, dx * 3);
  const QPointF corners[] = {tip, tip - along + across, tip - along - across};
  painter.drawConvexPolygon(corners, 3);
}

}  // namespace

void FormatRuler::paintEvent(QPaintEvent*) {
  const Colors& c = colors();
  QPainter painter(this);
  painter.fillRect(rect(), c.panel);
  if (formats_.empty()) return;
  const QRectF selected = laneBox(selected_);
  painter.fillRect(QRectF(0, selected.top(), width(), selected.height()), c.selectedRow);
  paintAxis(painter);
  for (int lane = 0; lane < laneCount(); ++lane) {
    paintName(painter, lane);
    paintBar(painter, lane);
    paintSpacings(painter, lane);
    paintMarks(painter, lane);
    paintEnds(painter, lane);
  }
  paintSubject(painter);
  for (int lane = 0; lane < laneCount(); ++lane) paintRounding(painter, lane);
  if (!hasFocus()) return;
  painter.setPen(QPen(c.indigo, 0));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void FormatRuler::paintAxis(QPainter& painter) const {
  const Colors& c = colors();
  const QRectF area = plotArea();
  const double foot = laneBox(laneCount() - 1).bottom() + 1;
  painter.setFont(figureFont(11));
  const auto ticks = axis_.ticks(std::max(2, static_cast<int>(area.width() / kTickWide)));
  double taken = 0;
  for (const Tick& tick : ticks) {
    const double x = std::round(area.left() + (tick.value - axis_.range().low) / pixel());
    painter.setPen(QPen(c.grid, 0));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, foot));
    painter.setPen(QPen(c.line, 0));
    painter.drawLine(QPointF(x, foot), QPointF(x, foot + 4));
    const double wide = textWidth(painter.font(), tick.label) + 1;
    const double left = std::min(x - wide / 2, width() - wide - 2);
    if (left < taken) continue;
    taken = left + wide + 8;
    painter.setPen(c.secondText);
    drawText(painter, {left, foot + 5, wide, 16}, Qt::AlignLeft | Qt::AlignVCenter, tick.label);
  }
  painter.setPen(QPen(c.line, 0));
  painter.drawLine(QPointF(area.left(), foot), QPointF(area.right(), foot));
}

void FormatRuler::paintName(QPainter& painter, int lane) const {
  constexpr double kSide = 10;
  constexpr double kLeftMargin = 12;
  const QRectF bar = barBox(lane);
  const formats::Format& format = formatAt(lane);
  drawFormatSquare(painter, QRectF(kLeftMargin, bar.center().y() - kSide / 2, kSide, kSide), formatName(format),
                   CellExecution::kNative);
  painter.setFont(textFont(12, lane == selected_ ? QFont::DemiBold : QFont::Normal));
  painter.setPen(colors().text);
  const double left = kLeftMargin + kSide + 6;
  drawText(painter, {left, bar.center().y() - 10, bar.left() - left - 4, 20}, Qt::AlignLeft | Qt::AlignVCenter,
           formatName(format));
}

void FormatRuler::paintBar(QPainter& painter, int lane) const {
  const Colors& c = colors();
  const formats::Format& format = formatAt(lane);
  const RulerLane& marks = lanes_[static_cast<std::size_t>(lane)];
  const QRectF box = barBox(lane);
  const auto part = [&](double left, double right) {
    return QRectF(box.left() + left, box.top(), std::max(1.0, right - left), box.height());
  };
  if (marks.visible) {
    painter.fillRect(part(marks.bar.left, marks.bar.right), c.panel);
    painter.fillRect(part(marks.bar.left, marks.bar.right), paleOf(format));
  }
  for (const RulerLane::Span& span : marks.dense) {
    if (!span.subnormal) painter.fillRect(part(span.left, span.right), formatColor(format));
  }
  if (marks.subnormals.right > marks.subnormals.left)
    drawHatching(painter, part(marks.subnormals.left, marks.subnormals.right), formatColor(format));
  painter.setPen(Qt::NoPen);
  painter.setBrush(c.text);
  painter.setRenderHint(QPainter::Antialiasing);
  const double middle = box.center().y();
  if (marks.continuesLeft && marks.visible) drawHead(painter, {box.left() + 1, middle}, -1, 0);
  if (marks.continuesRight && marks.visible) drawHead(painter, {box.right() - 1, middle}, 1, 0);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setBrush(Qt::NoBrush);
}

void FormatRuler::paintSpacings(QPainter& painter, int lane) const {
  const Colors& c = colors();
  const formats::Format& format = formatAt(lane);
  const QRectF box = barBox(lane);
  painter.setFont(figureFont(10));
  for (const RulerLane::Span& span : lanes_[static_cast<std::size_t>(lane)].dense) {
    const double wide = span.right - span.left;
    constexpr double kLeastBorder = 10;  // px of a span whose border is drawn
    if (wide >= kLeastBorder && span.left > 0) {
      painter.fillRect(QRectF(std::round(box.left() + span.left), box.top(), 1, box.height()), c.panel);
    }
    if (wide < kSpacingWide) continue;
    const QString text = tr("%1 apart").arg(briefText(span.spacing));
    const double needed = textWidth(painter.font(), text);
    if (needed + 8 > wide) continue;
    const QRectF place(box.left() + (span.left + span.right - needed) / 2, box.top(), needed + 1, box.height());
    if (span.subnormal) painter.fillRect(place.adjusted(-3, 1, 3, -1), c.panel);
    painter.setPen(span.subnormal ? c.text : textOn(format));
    drawText(painter, place, Qt::AlignLeft | Qt::AlignVCenter, text);
  }
}

void FormatRuler::paintMarks(QPainter& painter, int lane) const {
  const Colors& c = colors();
  const RulerLane& marks = lanes_[static_cast<std::size_t>(lane)];
  const QRectF box = barBox(lane);
  std::vector<QLineF> lines;
  lines.reserve(marks.numbers.size());
  for (const RulerLane::Mark& mark : marks.numbers) {
    const double x = std::round(box.left() + mark.x);
    // Normal numbers reach out of the bar, subnormal ones do not.
    const double beyond = mark.subnormal ? 0 : 3;
    lines.emplace_back(x, box.top() - beyond, x, box.bottom() + beyond - 1);
  }
  painter.setPen(QPen(c.text, 0));
  painter.drawLines(lines.data(), static_cast<int>(lines.size()));
  for (const double tie : marks.ties) {
    painter.fillRect(QRectF(std::round(box.left() + tie) - 1, std::round(box.center().y()) - 1, 3, 3), c.text);
  }
}

void FormatRuler::paintEnds(QPainter& painter, int lane) const {
  const formats::Format& format = formatAt(lane);
  const RulerLane& marks = lanes_[static_cast<std::size_t>(lane)];
  const QRectF box = barBox(lane);
  painter.setFont(figureFont(11));
  painter.setPen(colors().secondText);
  constexpr double kBeside = 8;
  const auto label = [&](double left, const QString& text, double wide) {
    if (left < box.left() || left + wide > box.right() + 10) return;
    drawText(painter, {left, box.center().y() - 8, wide, 16}, Qt::AlignLeft | Qt::AlignVCenter, text);
  };
  if (!marks.continuesRight && marks.visible) {
    QString text = briefText(format.largest());
    if (format.finite_only) text += tr(", no inf");
    label(box.left() + marks.bar.right + kBeside, text, textWidth(painter.font(), text) + 1);
  }
  if (!marks.continuesLeft && marks.visible) {
    const QString text = briefText(axis_.isLog() ? format.smallest_subnormal() : -format.largest());
    const double wide = textWidth(painter.font(), text) + 1;
    label(box.left() + marks.bar.left - kBeside - wide, text, wide);
  }
}

void FormatRuler::paintSubject(QPainter& painter) const {
  const Colors& c = colors();
  const QRectF area = plotArea();
  const double foot = laneBox(laneCount() - 1).bottom() + 1;
  painter.setFont(figureFont(11, QFont::DemiBold));
  const auto mark = [&](double value, const QColor& color, const QString& text) {
    if (std::isnan(value)) return false;
    const double x = xOf(value);
    if (x < area.left() - 1 || x > area.right() + 1) return false;
    painter.fillRect(QRectF(std::round(x), area.top() - 2, 1, foot - area.top() + 2), color);
    painter.setPen(color);
    drawBeside(painter, x, area.top() - 10, {area.left() - 60, 0, area.width() + 60, 1}, true, text);
    return true;
  };
  const double shown = shown_.real.nearest;
  const auto at = pointed();
  // One label only: both would overlap while the pointer is near the value.
  const QString value = axis_.isLog() && shown < 0 ? tr("value %1, at its magnitude").arg(realText(shown))
                                                   : tr("value %1").arg(realText(shown));
  mark(shown, c.indigo, at ? QString() : value);
  if (at) mark(*at, c.text, realText(*at));
}

void FormatRuler::paintRounding(QPainter& painter, int lane) const {
  const Colors& c = colors();
  const QLineF line = arrow(lane);
  if (line.isNull() && std::isnan(subject().nearest)) return;
  const QRectF box = barBox(lane);
  const numbers::Rounded rounded = rounding(lane);
  const bool lost = !roundingEffect(subject(), rounded).isEmpty();
  const QColor color = lost ? c.crimson : pointed() ? c.text : c.indigo;
  const double from = line.x1();
  const double to = line.x2();
  const bool right = to >= from;
  constexpr double kShaft = 5;  // px; a shorter arrow is drawn upright, at the number
  painter.setPen(QPen(color, 0));
  painter.setBrush(color);
  if (std::fabs(to - from) >= kShaft) {
    painter.drawLine(QPointF(from, line.y1()), QPointF(to, line.y1()));
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing);
    drawHead(painter, {to, line.y1()}, right ? 1 : -1, 0);
  } else {
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing);
    drawHead(painter, {to + 0.5, box.bottom() + 3}, 0, -1);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setBrush(Qt::NoBrush);
  painter.setFont(figureFont(11));
  painter.setPen(lost ? c.crimson : c.text);
  // Beyond the head, or where the view ends there, behind the tail: never over the shaft.
  const QString text = roundingText(lane);
  const QRectF within(box.left(), 0, box.width() + 10, 1);
  const double room = right ? within.right() - to : to - within.left();
  const bool beyond = room >= textWidth(painter.font(), text) + 8;
  drawBeside(painter, beyond ? to : from, line.y1(), within, beyond == right, text);
}

}  // namespace binade::views
