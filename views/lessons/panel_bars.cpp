// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/figure_ink.h"
#include "views/lessons/figure_panel.h"
#include "views/theme.h"
#include "views/values/elide.h"
#include "views/values/numbers.h"
#include "views/values/typography.h"

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kBarLeast = 12;  // px of a bar in a row
constexpr double kBarFull = 24;   // where there is room
constexpr double kBarGap = 3;
constexpr double kRowGap = 8;  // between the bars of two rows, at least
constexpr double kDotWide = 12;
constexpr double kNamesHigh = 18;
constexpr double kColumnPart = 0.64;  // of the distance of two columns

/// The side of a row's text, in the order in which places are tried.
enum class Side { kRight, kInsideRight, kInsideLeft, kLeft };

QFont columnFont() {
  return figureFont(10);
}

bool isLostBar(const lessons::Bar& bar) {
  return bar.role == lessons::Role::kZero || bar.role == lessons::Role::kOverflow;
}

std::vector<Side> sidesOf(const lessons::Bar& bar) {
  // Beside it is the bar of what is not lost.
  if (isLostBar(bar)) return {Side::kInsideRight, Side::kInsideLeft};
  if (bar.role == lessons::Role::kSubnormal) return {Side::kLeft, Side::kInsideLeft, Side::kInsideRight};
  return {Side::kRight, Side::kInsideRight, Side::kInsideLeft, Side::kLeft};
}

bool isInside(Side side) {
  return side == Side::kInsideLeft || side == Side::kInsideRight;
}

QRectF textPlace(const QRectF& bar, Side side, double wide) {
  constexpr double kGap = 6;
  constexpr double kHigh = 15;
  double left = 0;
  switch (side) {
    case Side::kRight:
      left = bar.right() + kGap;
      break;
    case Side::kInsideRight:
      left = bar.right() - kGap - wide;
      break;
    case Side::kInsideLeft:
      left = bar.left() + kGap;
      break;
    case Side::kLeft:
      left = bar.left() - kGap - wide;
      break;
  }
  return {left, bar.center().y() - kHigh / 2, wide, kHigh};
}

}  // namespace

QRectF FigurePanel::laneOf(std::size_t row) const {
  const std::size_t rows = std::max<std::size_t>(panel_.bar_labels.size(), row + 1);
  const double high = area_.height() / static_cast<double>(rows);
  return {area_.left(), area_.top() + high * static_cast<double>(row), area_.width(), high};
}

QRectF FigurePanel::barBox(const lessons::Bar& bar) const {
  if (panel_.rows) {
    const auto formats = formatsOfRow(panel_, bar.row);
    const auto lane = static_cast<double>(std::find(formats.begin(), formats.end(), bar.format) - formats.begin());
    QRectF row = laneOf(bar.row);
    if (namesAbove_) row.setTop(row.top() + kNamesHigh);
    const auto lanes = static_cast<double>(formats.size());
    const double thick = std::clamp(std::round((row.height() - kRowGap) / lanes) - kBarGap, kBarLeast, kBarFull);
    const double pitch = thick + kBarGap;
    const double top = row.center().y() - lanes * pitch / 2 + lane * pitch + kBarGap / 2;
    const double left = x_.cut(bar.from);
    const double right = x_.cut(bar.to);
    return QRectF(left, std::round(top), std::max(right - left, right > left ? 1.0 : 0.0), thick);
  }
  const auto column = static_cast<double>(bar.row);
  const double middle = x_.at(column).value_or(area_.left());
  const double wide = std::fabs(x_.at(column + 1).value_or(middle) - middle) * kColumnPart;
  const double top = y_.cut(bar.to);
  const double bottom = y_.cut(bar.from);
  // Nothing is left of a value that became 0: a line at the foot stands for it.
  const double least = bar.role == lessons::Role::kZero ? 2 : 1;
  const double high = std::max(bottom - top, least);
  return {std::round(middle - wide / 2), std::round(bottom - high), std::round(wide), std::round(high)};
}

// A bar from a number to itself has no extent: a dot at the number stands for it.
std::optional<QRectF> FigurePanel::dotOf(const lessons::Bar& bar) const {
  if (!panel_.rows || bar.from != bar.to || bar.from == 0 || !x_.shows(bar.from)) return std::nullopt;
  return QRectF(x_.cut(bar.from) - kDotWide / 2, barBox(bar).center().y() - kDotWide / 2, kDotWide, kDotWide);
}

QRectF FigurePanel::drawnBox(const lessons::Bar& bar) const {
  return dotOf(bar).value_or(barBox(bar));
}

void FigurePanel::paintBars(QPainter& painter) const {
  for (const lessons::Bar& bar : panel_.bars) {
    const QRectF box = barBox(bar);
    if (const auto dot = dotOf(bar)) {
      painter.save();
      painter.setRenderHint(QPainter::Antialiasing);
      painter.setPen(Qt::NoPen);
      painter.setBrush(figureInk(bar.format, bar.role));
      painter.drawEllipse(dot->adjusted(2, 2, -2, -2));
      painter.restore();
      continue;
    }
    if (box.width() <= 0) continue;
    fillFigureBar(painter, box, bar.format, bar.role);
    if (!panel_.rows || isLostBar(bar)) continue;
    const QColor ink = textOnInk(bar.format, bar.role);
    const auto goesOn = [&](double end) { return !x_.shows(end) && box.width() > 10; };
    // A logarithmic axis does not show 0 either, but a bar from 0 begins there.
    if (bar.from > 0 && bar.from < panel_.x.low && goesOn(bar.from)) {
      drawGoesOn(painter, {box.left() + 2, box.center().y()}, false, ink);
    }
    if (bar.to > panel_.x.high && goesOn(bar.to)) {
      drawGoesOn(painter, {box.right() - 2, box.center().y()}, true, ink);
    }
  }
}

void FigurePanel::paintRowNames(QPainter& painter) const {
  painter.setFont(textFont(12));
  painter.setPen(colors().text);
  for (std::size_t row = 0; row < panel_.bar_labels.size(); ++row) {
    const QRectF lane = laneOf(row);
    const QString name = typesetNumber(panel_.bar_labels[row]);
    if (namesAbove_) {
      const QRectF place(rect_.left() + 4, lane.top() + 1, rect_.width() - 8, kNamesHigh);
      drawText(painter, place, Qt::AlignLeft | Qt::AlignVCenter, elidedRight(name, painter.font(), place.width()));
    } else {
      drawText(painter, {rect_.left(), lane.center().y() - 9, area_.left() - rect_.left() - 10, 18},
               Qt::AlignRight | Qt::AlignVCenter, name);
    }
  }
}

void FigurePanel::paintRowTexts(QPainter& painter) const {
  painter.setFont(figureFont(11));
  std::vector<QRectF> taken;
  const QRectF room(area_.left(), rect_.top(), rect_.right() - area_.left(), rect_.height());
  // What is lost comes first: its text has no other place.
  std::vector<const lessons::Bar*> bars;
  for (const lessons::Bar& bar : panel_.bars) bars.push_back(&bar);
  std::stable_partition(bars.begin(), bars.end(), [](const lessons::Bar* bar) { return isLostBar(*bar); });
  for (const lessons::Bar* each : bars) {
    const lessons::Bar& bar = *each;
    const QString text = typesetNumber(bar.text);
    QRectF box = drawnBox(bar);
    if (text.isEmpty() || box.width() <= 0) continue;
    constexpr double kArrowRoom = 6;
    if (!isLostBar(bar) && bar.to > panel_.x.high) box.setRight(box.right() - kArrowRoom);
    const double wide = textWidth(painter.font(), text) + 1;
    const auto over = [](const QRectF& place) {
      return [place](const QRectF& other) { return other.intersects(place); };
    };
    for (const Side side : dotOf(bar) ? std::vector{Side::kRight, Side::kLeft} : sidesOf(bar)) {
      const QRectF place = textPlace(box, side, wide);
      // An end beyond the axis has no place beside it.
      if (side == Side::kRight && !x_.shows(bar.to)) continue;
      if (side == Side::kLeft && !x_.shows(bar.from)) continue;
      if (isInside(side) && box.width() < wide + 10) continue;
      if (place.left() < room.left() || place.right() > room.right()) continue;
      if (std::any_of(taken.begin(), taken.end(), over(place))) continue;
      taken.push_back(place);
      const bool inside = isInside(side);
      const bool hatched = bar.role == lessons::Role::kSubnormal || bar.role == lessons::Role::kQuoted;
      if (inside && hatched) painter.fillRect(place.adjusted(-2, 2, 2, -2), colors().panel);
      painter.setPen(inside ? textOnInk(bar.format, bar.role) : colors().secondText);
      drawText(painter, place, Qt::AlignLeft | Qt::AlignVCenter, text);
      break;
    }
  }
}

std::vector<FigurePanel::LaidText> FigurePanel::columnTexts() const {
  constexpr double kHigh = 14;
  constexpr double kAboveColumn = 4;  // a line often ends at the top of its column
  constexpr int kMostRaised = 10;     // more would be far from its column
  std::vector<LaidText> laid;
  if (panel_.rows) return laid;
  for (const lessons::Bar& bar : panel_.bars) {
    const QRectF box = barBox(bar);
    const QString text = typesetNumber(bar.text);
    const double wide = textWidth(columnFont(), text) + 1;
    // A text wider than its column would name the wrong one: it is in the tool tip and in the table.
    if (text.isEmpty() || wide > box.width() / kColumnPart - 2) continue;
    const double top = std::max(box.top() - kHigh - kAboveColumn, area_.top());
    const QRectF place(box.center().x() - wide / 2, top, wide, kHigh);
    const bool taken =
        std::any_of(laid.begin(), laid.end(), [&](const LaidText& other) { return other.place.intersects(place); });
    if (taken || place.left() < area_.left() || place.right() > area_.right()) continue;
    LaidText each{text, place, bar.role};
    int raised = 0;
    const auto taken_at = [&](int up) {
      return isCrossed(place.translated(0, -up)) || isLimit(place.translated(0, -up));
    };
    while (raised <= kMostRaised && taken_at(raised)) ++raised;
    if (raised <= kMostRaised && top - raised >= area_.top()) {
      each.place.translate(0, -raised);
    } else {
      each.halo = true;
    }
    laid.push_back(each);
  }
  return laid;
}

void FigurePanel::paintColumnTexts(QPainter& painter) const {
  painter.setFont(columnFont());
  for (const LaidText& each : columnTexts()) {
    if (each.halo) {
      painter.setPen(colors().panel);
      for (const QPointF& beside : {QPointF(-1, -1), QPointF(0, -1.5), QPointF(1, -1), QPointF(-1.5, 0),
                                    QPointF(1.5, 0), QPointF(-1, 1), QPointF(0, 1.5), QPointF(1, 1)}) {
        drawText(painter, each.place.translated(beside), Qt::AlignLeft | Qt::AlignVCenter, each.text);
      }
    }
    painter.setPen(figureLabelInk(each.role));
    drawText(painter, each.place, Qt::AlignLeft | Qt::AlignVCenter, each.text);
  }
}

std::optional<FigureHit> FigurePanel::barAt(QPointF position) const {
  for (const lessons::Bar& bar : panel_.bars) {
    const QRectF box = drawnBox(bar);
    // A column is hit in all its height, so that a low one can be hit.
    const QRectF target =
        panel_.rows ? box.adjusted(0, -3, 0, 3) : QRectF(box.left(), area_.top(), box.width(), area_.height());
    if (box.width() <= 0 || !target.contains(position)) continue;
    double value = bar.to;
    // A bar from 0 has one number, and one between two numbers has its nearer end.
    const bool ends = panel_.rows && bar.from != 0 && x_.shows(bar.from);
    if (ends && (!x_.shows(bar.to) || position.x() < box.center().x())) value = bar.from;
    const QString name = bar.row < panel_.bar_labels.size() ? typesetNumber(panel_.bar_labels[bar.row]) : QString();
    const QString text = bar.text.empty() ? name : QStringLiteral("%1: %2").arg(name, typesetNumber(bar.text));
    return FigureHit{text, PickedNumber{withoutRoundingError(value), bar.format}};
  }
  return std::nullopt;
}

}  // namespace binade::views
