// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/figure_panel.h"

#include "engine/lessons/figure_parts.h"
#include "views/lessons/figure_ink.h"
#include "views/theme.h"
#include "views/values/colors.h"
#include "views/values/numbers.h"
#include "views/values/typography.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace binade::views {

namespace {

constexpr double kAxisNames = 16;  // px: the line of an axis' name
constexpr double kHalfTick = 10;   // half the height of a label with an exponent
constexpr double kTickRoom = 22;   // tick and its label, below the plot
constexpr double kPlotRight = 20;
constexpr double kMostNames = 0.34;  // share of the width that names of rows may take
constexpr double kSubLane = 15;
constexpr double kFullSubLane = 28;  // with bars of full height
constexpr double kLeastRow = 26;
constexpr double kNameLine = 18;
constexpr double kMarkLabel = 15;

QFont axisFont() {
  return figureFont(11);
}

QFont bandFont() {
  return textFont(11, QFont::DemiBold);
}

double widestName(const lessons::Panel& panel) {
  double widest = 0;
  for (const std::string& name : panel.bar_labels)
    widest = std::max(widest, textWidth(textFont(12), typesetNumber(name)));
  return widest;
}

bool namesAbove(const lessons::Panel& panel, double width) {
  return panel.rows && widestName(panel) > kMostNames * width;
}

double rowHigh(const lessons::Panel& panel, std::size_t row, bool names_above, double lane = kSubLane) {
  const auto lanes = static_cast<double>(std::max<std::size_t>(formatsOfRow(panel, row).size(), 1));
  const double bars = lanes * lane + 8;
  return names_above ? bars + kNameLine : std::max(kLeastRow, bars);
}

double rowsHigh(const lessons::Panel& panel, double width, double lane) {
  const bool above = namesAbove(panel, width);
  double rows = 0;
  for (std::size_t row = 0; row < panel.bar_labels.size(); ++row) rows += rowHigh(panel, row, above, lane);
  return std::max(rows, kLeastRow);
}

double belowPlot(const lessons::Panel& panel) {
  return kTickRoom + (panel.x.label.empty() ? 0 : kAxisNames);
}

bool hasBands(const lessons::Panel& panel, bool on_x) {
  return std::any_of(panel.bands.begin(), panel.bands.end(), [&](const auto& band) { return band.on_x == on_x; });
}

bool hasMarks(const lessons::Panel& panel) {
  return std::any_of(panel.marks.begin(), panel.marks.end(), [](const auto& mark) { return mark.on_x; });
}

/// Labels of bands and marks are inside a plot, but above rows, whose bars leave no room.
double abovePlot(const lessons::Panel& panel) {
  constexpr double kStripHigh = 17;
  if (panel.rows) return 6 + (hasBands(panel, true) ? kStripHigh : 0) + (hasMarks(panel) ? kStripHigh : 0);
  return panel.y.label.empty() ? kHalfTick : kAxisNames + kHalfTick;
}

/// Bands across the y axis have their labels beside the plot.
double rightOfPlot(const lessons::Panel& panel) {
  double widest = 0;
  for (const lessons::Band& band : panel.bands) {
    if (!band.on_x) widest = std::max(widest, textWidth(bandFont(), typesetNumber(band.label)));
  }
  return std::max(kPlotRight, widest > 0 ? widest + 8 : 0);
}

/// Draws a label on a ground that hides the data behind it.
void drawOnGround(QPainter& painter, const QRectF& place, const QString& text) {
  QColor ground = colors().panel;
  ground.setAlpha(190);
  painter.fillRect(place.adjusted(-3, 0, 3, 0), ground);
  drawText(painter, place, Qt::AlignLeft | Qt::AlignVCenter, text);
}

}  // namespace

std::vector<std::optional<formats::Format>> formatsOfRow(const lessons::Panel& panel, std::size_t row) {
  std::vector<std::optional<formats::Format>> found;
  for (const lessons::Bar& bar : panel.bars) {
    if (bar.row == row && std::find(found.begin(), found.end(), bar.format) == found.end()) found.push_back(bar.format);
  }
  return found;
}

FigurePanel::FigurePanel(const lessons::Panel& panel, const QRectF& rect)
    : panel_(panel), rect_(rect), head_(PanelHead::of(panel, rect.width())) {
  layOut();
}

double FigurePanel::leastHeight(const lessons::Panel& panel, double width, double plot) {
  const double frame = PanelHead::of(panel, width).height + abovePlot(panel) + belowPlot(panel);
  if (!panel.rows) return frame + plot;
  return frame + rowsHigh(panel, width, kSubLane);
}

double FigurePanel::rowsSpare(const lessons::Panel& panel, double width) {
  return panel.rows ? rowsHigh(panel, width, kFullSubLane) - rowsHigh(panel, width, kSubLane) : 0;
}

void FigurePanel::layOut() {
  namesAbove_ = namesAbove(panel_, rect_.width());
  const double top = rect_.top() + head_.height + abovePlot(panel_);
  const double bottom = std::max(top + 1, rect_.bottom() - belowPlot(panel_));
  y_ = {panel_.y, bottom, top};
  double margin = 4;
  if (panel_.rows) {
    if (!namesAbove_) margin = widestName(panel_) + 12;
  } else {
    for (const Tick& tick : y_.ticks(std::max(2, static_cast<int>((bottom - top) / 34)))) {
      margin = std::max(margin, textWidth(axisFont(), tick.label) + 12);
    }
  }
  const double left = std::round(rect_.left() + margin);
  area_ = {left, top, std::max(1.0, std::round(rect_.right() - rightOfPlot(panel_)) - left), bottom - top};
  x_ = {panel_.x, area_.left(), area_.right()};
}

bool FigurePanel::sharesX(const FigurePanel& other) const {
  const lessons::Axis& a = panel_.x;
  const lessons::Axis& b = other.panel_.x;
  return a.scale == b.scale && a.low == b.low && a.high == b.high;
}

void FigurePanel::fitBetween(double left, double right) {
  area_.setLeft(std::max(left, area_.left()));
  area_.setRight(std::max(area_.left() + 1, std::min(right, area_.right())));
  x_ = {panel_.x, area_.left(), area_.right()};
}

std::vector<FigurePanel::LaidTick> FigurePanel::leftTicks() const {
  std::vector<LaidTick> laid;
  if (panel_.rows) return laid;
  for (const Tick& tick : y_.ticks(std::max(2, static_cast<int>(area_.height() / 34)))) {
    if (const auto at = y_.at(tick.value)) laid.push_back({std::round(*at), tick.label});
  }
  return laid;
}

std::vector<FigurePanel::LaidTick> FigurePanel::bottomTicks() const {
  std::vector<Tick> ticks;
  if (!panel_.rows && !panel_.bar_labels.empty()) {
    for (std::size_t row = 0; row < panel_.bar_labels.size(); ++row) {
      ticks.push_back({static_cast<double>(row), typesetNumber(panel_.bar_labels[row])});
    }
  } else {
    ticks = x_.ticks(std::max(2, static_cast<int>(area_.width() / 60)));
  }
  std::vector<LaidTick> laid;
  double taken = -1e9;
  for (const Tick& tick : ticks) {
    const auto at = x_.at(tick.value);
    if (!at) continue;
    const double half = textWidth(axisFont(), tick.label) / 2;
    if (*at - half < taken + 8) continue;
    taken = *at + half;
    laid.push_back({std::round(*at), tick.label});
  }
  return laid;
}

lessons::Role FigurePanel::roleAt(double x) const {
  for (const lessons::Band& band : panel_.bands) {
    if (band.on_x && x >= band.from && x < band.to) return band.role;
  }
  return lessons::Role::kPlain;
}

void FigurePanel::paint(QPainter& painter) const {
  head_.paint(painter, rect_.topLeft(), panel_);
  painter.save();
  painter.setClipRect(area_.adjusted(0, 0, 1, 1), Qt::IntersectClip);
  paintBands(painter);
  paintGrid(painter);
  painter.restore();
  painter.save();
  // Points at the edge stay whole.
  painter.setClipRect(area_.adjusted(-3, -3, 3, 3), Qt::IntersectClip);
  paintLimits(painter, false);
  paintBars(painter);
  for (const lessons::Series& series : panel_.series) paintSeries(painter, series);
  // Columns of a histogram stand side by side, and would hide half of a limit between them.
  paintLimits(painter, true);
  painter.restore();
  paintAxes(painter);
  paintBandLabels(painter);
  paintMarks(painter);
  if (panel_.rows) {
    paintRowNames(painter);
    paintRowTexts(painter);
  } else {
    paintColumnTexts(painter);
  }
}

void FigurePanel::paintGrid(QPainter& painter) const {
  painter.setPen(QPen(colors().grid, 0));
  for (const LaidTick& tick : leftTicks()) {
    painter.drawLine(QPointF(area_.left(), tick.at), QPointF(area_.right(), tick.at));
  }
  if (!panel_.rows) return;
  for (const LaidTick& tick : bottomTicks()) {
    painter.drawLine(QPointF(tick.at, area_.top()), QPointF(tick.at, area_.bottom()));
  }
}

void FigurePanel::paintAxes(QPainter& painter) const {
  const Colors& c = colors();
  painter.setFont(axisFont());
  painter.setPen(QPen(c.line, 0));
  painter.drawLine(area_.bottomLeft(), area_.bottomRight());
  if (!panel_.rows) painter.drawLine(area_.topLeft(), area_.bottomLeft());
  for (const LaidTick& tick : bottomTicks()) {
    painter.setPen(QPen(c.line, 0));
    painter.drawLine(QPointF(tick.at, area_.bottom()), QPointF(tick.at, area_.bottom() + 4));
    painter.setPen(c.secondText);
    const double wide = textWidth(painter.font(), tick.label) + 1;
    const double left = std::clamp(tick.at - wide / 2, rect_.left(), std::max(rect_.left(), rect_.right() - wide));
    drawText(painter, {left, area_.bottom() + 6, wide, 15}, Qt::AlignLeft | Qt::AlignVCenter, tick.label);
  }
  painter.setPen(c.secondText);
  for (const LaidTick& tick : leftTicks()) {
    drawText(painter, {rect_.left(), tick.at - 8, area_.left() - rect_.left() - 8, 16},
             Qt::AlignRight | Qt::AlignVCenter, tick.label);
  }
  painter.setPen(c.thirdText);
  drawText(painter, {rect_.left(), area_.bottom() + kTickRoom, area_.right() - rect_.left(), kAxisNames},
           Qt::AlignRight | Qt::AlignVCenter, typeset(panel_.x.label));
  if (!panel_.rows) {
    drawText(painter, {rect_.left(), area_.top() - kAxisNames - kHalfTick, rect_.width(), kAxisNames},
             Qt::AlignLeft | Qt::AlignVCenter, typeset(panel_.y.label));
  }
}

void FigurePanel::paintBands(QPainter& painter) const {
  for (const lessons::Band& band : panel_.bands) {
    const FigureAxis& axis = band.on_x ? x_ : y_;
    const double from = axis.cut(band.from);
    const double to = axis.cut(band.to);
    const QRectF rect = band.on_x ? QRectF(from, area_.top(), to - from, area_.height())
                                  : QRectF(area_.left(), std::min(from, to), area_.width(), std::fabs(from - to));
    painter.fillRect(rect, figureGround(band.role));
    if (band.format || band.label.empty() || !axis.shows(band.from)) continue;
    painter.setPen(QPen(colors().bandEdge, 0));
    if (band.on_x) painter.drawLine(QPointF(from, area_.top()), QPointF(from, area_.bottom()));
    if (!band.on_x) painter.drawLine(QPointF(area_.left(), from), QPointF(area_.right(), from));
  }
}

void FigurePanel::paintLimits(QPainter& painter, bool on_x) const {
  constexpr double kLimit = 2;  // px
  for (const lessons::Band& band : panel_.bands) {
    const FigureAxis& axis = band.on_x ? x_ : y_;
    if (band.on_x != on_x || !band.format || !axis.shows(band.from)) continue;
    const double at = std::round(axis.cut(band.from)) - kLimit / 2;
    const QRectF line =
        band.on_x ? QRectF(at, area_.top(), kLimit, area_.height()) : QRectF(area_.left(), at, area_.width(), kLimit);
    painter.fillRect(line, formatColor(*band.format));
  }
}

void FigurePanel::paintBandLabels(QPainter& painter) const {
  constexpr double kLabel = 15;
  std::vector<QRectF> taken;
  painter.setFont(bandFont());
  for (const lessons::Band& band : panel_.bands) {
    if (band.label.empty()) continue;
    const QString text = typesetNumber(band.label);
    const double wide = textWidth(painter.font(), text) + 1;
    const FigureAxis& axis = band.on_x ? x_ : y_;
    const double low = std::min(axis.cut(band.from), axis.cut(band.to));
    const double high = std::max(axis.cut(band.from), axis.cut(band.to));
    if (high - low < (band.on_x ? wide + 4 : kLabel - 4)) continue;
    painter.setPen(figureLabelInk(band.role));
    if (!band.on_x) {
      taken.emplace_back(area_.right() + 6, (low + high - kLabel) / 2, wide, kLabel);
      drawText(painter, taken.back(), Qt::AlignLeft | Qt::AlignVCenter, text);
      continue;
    }
    const double top = panel_.rows ? area_.top() - kLabel - 2 : area_.top() + 2;
    drawOnGround(painter, {(low + high - wide) / 2, top, wide, kLabel}, text);
  }
  // The limits of a format, as numbers between the names of its parts.
  painter.setFont(figureFont(11));
  painter.setPen(colors().secondText);
  for (const lessons::Band& band : panel_.bands) {
    if (band.on_x || !band.format || !y_.shows(band.from)) continue;
    const QRectF place(area_.right() + 6, y_.cut(band.from) - kLabel / 2, rect_.right() - area_.right() - 6, kLabel);
    const bool crowded =
        std::any_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(place); });
    if (crowded) continue;
    drawText(painter, place, Qt::AlignLeft | Qt::AlignVCenter, typesetNumber(lessons::number_text(band.from)));
  }
}

std::vector<FigurePanel::LaidText> FigurePanel::markLabels() const {
  constexpr double kApart = 24;  // px between labels that are not those of neighbours
  const double row = hasBands(panel_, true) ? kMarkLabel + 3 : 0;
  const double top = panel_.rows ? area_.top() - kMarkLabel - 2 - row : area_.top() + 2 + row;
  std::vector<LaidText> laid;
  double last = 0;  // the mark before
  for (const lessons::Mark& mark : panel_.marks) {
    if (!mark.on_x || !x_.shows(mark.at)) continue;
    const double at = std::round(x_.cut(mark.at));
    const QString text = typesetNumber(mark.label);
    const double wide = textWidth(bandFont(), text) + 1;
    const double before = std::exchange(last, at);
    if (!laid.empty() && laid.back().text == text && at - before < wide + kApart) continue;
    double left = at + 5;
    if (left + wide > rect_.right()) left = at - wide - 5;
    if (left < (laid.empty() ? rect_.left() : laid.back().place.right() + 6)) continue;
    QRectF place(left, top, wide, kMarkLabel);
    // The first step of a loss scale is at the top: there, the foot of the plot is free.
    const QRectF foot = place.translated(0, area_.bottom() - kMarkLabel - 2 - top);
    if (!panel_.rows && isStepped(place) && !isStepped(foot)) place = foot;
    laid.push_back({text, place, mark.role});
  }
  return laid;
}

bool FigurePanel::isLimit(const QRectF& place) const {
  return std::any_of(panel_.bands.begin(), panel_.bands.end(), [&](const lessons::Band& band) {
    if (band.on_x || !band.format || !y_.shows(band.from)) return false;
    const double at = y_.cut(band.from);
    return at >= place.top() && at <= place.bottom();
  });
}

QRectF FigurePanel::levelLabel(const lessons::Mark& mark) const {
  constexpr double kFromEdge = 6;  // px
  const double at = std::round(y_.cut(mark.at));
  const double wide = textWidth(bandFont(), typesetNumber(mark.label)) + 1;
  const double top = at - kMarkLabel - 1 < area_.top() ? at + 2 : at - kMarkLabel - 1;
  const QRectF right(area_.right() - wide - kFromEdge, top, wide, kMarkLabel);
  const QRectF left(area_.left() + kFromEdge, top, wide, kMarkLabel);
  const auto taken = [&](const QRectF& place) { return isCrossed(place) || isStepped(place); };
  return taken(right) && !taken(left) ? left : right;
}

void FigurePanel::paintMarks(QPainter& painter) const {
  painter.setFont(bandFont());
  const auto isLost = [](lessons::Role role) {
    return role == lessons::Role::kOverflow || role == lessons::Role::kZero;
  };
  for (const lessons::Mark& mark : panel_.marks) {
    const FigureAxis& axis = mark.on_x ? x_ : y_;
    if (!axis.shows(mark.at)) continue;
    const double at = std::round(axis.cut(mark.at));
    QPen pen(isLost(mark.role) ? colors().crimson : colors().secondText, 0, Qt::CustomDashLine);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    if (mark.on_x) {
      painter.drawLine(QPointF(at, area_.top()), QPointF(at, area_.bottom()));
      continue;
    }
    painter.drawLine(QPointF(area_.left(), at), QPointF(area_.right(), at));
    painter.setPen(isLost(mark.role) ? colors().crimson : colors().text);
    drawOnGround(painter, levelLabel(mark), typesetNumber(mark.label));
  }
  // Above the lines of later marks.
  for (const LaidText& label : markLabels()) {
    painter.setPen(isLost(label.role) ? colors().crimson : colors().text);
    drawOnGround(painter, label.place, label.text);
  }
}

std::optional<FigureHit> FigurePanel::hitAt(QPointF position) const {
  if (!area_.adjusted(-6, -6, 6, 6).contains(position)) return std::nullopt;
  if (auto hit = barAt(position)) return hit;
  return pointAt(position);
}

}  // namespace binade::views
