// SPDX-License-Identifier: Apache-2.0
#include "views/plot/front_plot.h"

#include "views/theme.h"
#include "views/values/colors.h"
#include "views/values/numbers.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPolygonF>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace binade::views {

namespace {

constexpr double kFrontLeft = 78;
constexpr double kFrontRight = 16;
constexpr double kFrontTop = 22;
constexpr double kFrontBottom = 36;
constexpr double kFrontRadius = 4;
constexpr double kLegendLine = 16;
constexpr double kLegendMark = 14;  // px from the middle of a mark to its name, and half a mark before it
constexpr double kFrontLegendGap = 12;
constexpr double kLeastArea = 60;     // height that a further line of the legend leaves for the points
constexpr double kFrontReach = 9;     // px within which a click meets a point
constexpr double kFrontLabel = 84;    // px between labels of the cost
constexpr double kFrontFailures = 1;  // room for failing points above the others, in ranges of these

// A range of one value, or none, is widened so that its points lie in the middle.
Range frontRange(double low, double high) {
  if (low > high) return {-1, 1};
  const double room = high > low ? (high - low) * 0.08 : std::max(std::abs(high) * 0.1, 1e-9);
  return {low - room, high + room};
}

bool holds(const FrontPoint& point) {
  return point.verdict == FrontVerdict::kFront || point.verdict == FrontVerdict::kBeaten;
}

}  // namespace

FrontPlot::FrontPlot(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Cost against loss gap"));
  describe();
}

void FrontPlot::setPoints(std::vector<FrontPoint> points, const QString& cost,
                          std::function<QString(double)> costText) {
  const qlonglong before = chosen();
  points_ = std::move(points);
  std::erase_if(points_, [](const FrontPoint& each) { return !std::isfinite(each.cost) || !std::isfinite(each.gap); });
  std::stable_sort(points_.begin(), points_.end(),
                   [](const FrontPoint& a, const FrontPoint& b) { return a.cost < b.cost; });
  cost_ = cost;
  cost_text_ = std::move(costText);
  fitRanges();
  setChosen(before);
  update();
}

void FrontPlot::setPresent(std::optional<double> cost, const QString& text) {
  present_ = cost && std::isfinite(*cost) ? cost : std::nullopt;
  present_text_ = text;
  fitRanges();
  update();
}

void FrontPlot::fitRanges() {
  double low = 0;  // the base's loss is part of the axis
  double high = 0;
  double highest = 0;
  bool some = false;
  for (const FrontPoint& each : points_) {
    highest = std::max(highest, each.gap);
    if (!holds(each)) continue;
    some = true;
    low = std::min(low, each.gap);
    high = std::max(high, each.gap);
  }
  if (!some) {
    for (const FrontPoint& each : points_) low = std::min(low, each.gap);
    high = highest;
  } else if (highest > high) {
    high = std::min(highest, high + kFrontFailures * std::max(high - low, 1e-12));
  }
  gaps_ = frontRange(low, high);
  if (points_.empty()) {
    costs_ = frontRange(1, 0);
    return;
  }
  const double cheapest = points_.front().cost;
  const double dearest = points_.back().cost;
  costs_ = frontRange(std::min(cheapest, present_.value_or(cheapest)), std::max(dearest, present_.value_or(dearest)));
}

void FrontPlot::setChosen(qlonglong id) {
  const auto found =
      std::find_if(points_.begin(), points_.end(), [id](const FrontPoint& each) { return each.id == id; });
  chosen_ = found == points_.end() ? -1 : static_cast<int>(found - points_.begin());
  describe();
  update();
}

qlonglong FrontPlot::chosen() const {
  return chosen_ < 0 || chosen_ >= count() ? -1 : points_[static_cast<std::size_t>(chosen_)].id;
}

void FrontPlot::choose(int index) {
  if (index < 0 || index >= count()) return;
  chosen_ = index;
  describe();
  update();
  Q_EMIT pointChosen(chosen());
}

void FrontPlot::describe() {
  setAccessibleDescription(chosen_ >= 0      ? points_[static_cast<std::size_t>(chosen_)].text
                           : points_.empty() ? tr("No policy was tried.")
                                             : tr("%1 policies. Left and Right choose one.").arg(grouped(count())));
}

FrontPlot::Mark FrontPlot::markOf(const FrontPoint& point) {
  switch (point.verdict) {
    case FrontVerdict::kFront:
      return Mark::kFront;
    case FrontVerdict::kBeaten:
      return Mark::kBeaten;
    case FrontVerdict::kUndecided:
      return Mark::kUndecided;
    case FrontVerdict::kRejected:
      return Mark::kRejected;
    case FrontVerdict::kLost:
      return Mark::kLost;
  }
  return Mark::kUndecided;
}

std::vector<FrontPlot::LegendEntry> FrontPlot::legendEntries() const {
  std::vector<LegendEntry> entries;
  const auto shows = [this](Mark mark) {
    return std::any_of(points_.begin(), points_.end(), [this, mark](const FrontPoint& each) {
      return each.gap > gaps_.high ? mark == Mark::kAbove : markOf(each) == mark;
    });
  };
  const std::pair<Mark, QString> names[] = {{Mark::kFront, tr("front")},
                                            {Mark::kBeaten, tr("not on the front")},
                                            {Mark::kUndecided, tr("not decided")},
                                            {Mark::kRejected, tr("rejected")},
                                            {Mark::kLost, tr("lost")},
                                            {Mark::kAbove, tr("above the scale")}};
  for (const auto& [mark, name] : names) {
    if (shows(mark)) entries.push_back({mark, name});
  }
  if (present_ && !points_.empty()) entries.push_back({Mark::kPresent, tr("present policy")});
  const QFont font = textFont(11);
  const int lines = 1 + std::max(0, static_cast<int>((height() - kFrontTop - kFrontBottom - kLeastArea) / kLegendLine));
  const double first = 8 + textWidth(font, tr("Loss gap")) + 2 * kFrontLegendGap;
  double left = first;
  int line = 0;
  for (LegendEntry& each : entries) {
    const double wide = kLegendMark + textWidth(font, each.name);
    if (left + wide > width() - 8 && left > 8) {
      left = 8;
      ++line;
    }
    each.line = line;
    each.at = {left + kFrontRadius, 2 + kLegendLine * (line + 0.5)};
    left += wide + kFrontLegendGap;
  }
  std::erase_if(entries, [lines](const LegendEntry& each) { return each.line >= lines; });
  return entries;
}

QStringList FrontPlot::legend() const {
  QStringList names;
  for (const LegendEntry& each : legendEntries()) names << each.name;
  return names;
}

QRectF FrontPlot::area() const {
  const auto entries = legendEntries();
  const double top = kFrontTop + (entries.empty() ? 0 : entries.back().line * kLegendLine);
  return {kFrontLeft, top, std::max(1.0, width() - kFrontLeft - kFrontRight),
          std::max(1.0, height() - top - kFrontBottom)};
}

QPointF FrontPlot::presentPlace() const {
  return present_ && !points_.empty() ? toPixel(area(), *present_, 0) : QPointF(-1, -1);
}

QPointF FrontPlot::toPixel(const QRectF& in, double cost, double gap) const {
  const double x = in.left() + (cost - costs_.low) / costs_.span() * in.width();
  const double y = in.bottom() - (gap - gaps_.low) / gaps_.span() * in.height();
  return {x, std::clamp(y, in.top(), in.bottom())};
}

QPointF FrontPlot::place(qlonglong id) const {
  const auto found =
      std::find_if(points_.begin(), points_.end(), [id](const FrontPoint& each) { return each.id == id; });
  return found == points_.end() ? QPointF(-1, -1) : toPixel(area(), *found);
}

int FrontPlot::pointAt(QPointF at) const {
  const QRectF in = area();
  int nearest = -1;
  double least = kFrontReach;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const QPointF away = toPixel(in, points_[i]) - at;
    const double distance = std::hypot(away.x(), away.y());
    // Where two lie on each other, the one of the front is meant.
    if (distance > least || (distance == least && points_[i].verdict != FrontVerdict::kFront)) continue;
    least = distance;
    nearest = static_cast<int>(i);
  }
  return nearest;
}

bool FrontPlot::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int at = pointAt(help->pos());
    if (at >= 0) {
      QToolTip::showText(help->globalPos(), points_[static_cast<std::size_t>(at)].text.toHtmlEscaped(), this);
    } else if (const QPointF away = presentPlace() - QPointF(help->pos());
               !present_text_.isEmpty() && std::hypot(away.x(), away.y()) <= kFrontReach) {
      QToolTip::showText(help->globalPos(), present_text_.toHtmlEscaped(), this);
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  return QWidget::event(event);
}

void FrontPlot::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) choose(pointAt(event->position()));
}

void FrontPlot::keyPressEvent(QKeyEvent* event) {
  const int last = count() - 1;
  switch (event->key()) {
    case Qt::Key_Left:
      return choose(chosen_ < 0 ? 0 : std::max(0, chosen_ - 1));
    case Qt::Key_Right:
      return choose(std::min(last, chosen_ + 1));
    case Qt::Key_Home:
      return choose(0);
    case Qt::Key_End:
      return choose(last);
    default:
      QWidget::keyPressEvent(event);
  }
}

void FrontPlot::focusInEvent(QFocusEvent* event) {
  update();
  QWidget::focusInEvent(event);
}

void FrontPlot::focusOutEvent(QFocusEvent* event) {
  update();
  QWidget::focusOutEvent(event);
}

void FrontPlot::paintEvent(QPaintEvent*) {
  const Colors& c = colors();
  const QRectF in = area();
  QPainter painter(this);
  painter.fillRect(rect(), c.panel);
  painter.setFont(figureFont(11));
  for (const Tick& tick : labelsApart(linearTicks(gaps_, 5), in.height() / gaps_.span(), kLabelLine)) {
    const double y = std::round(in.bottom() - (tick.value - gaps_.low) / gaps_.span() * in.height()) + 0.5;
    painter.setPen(QPen(tick.value == 0 ? c.line : c.grid, 0));
    painter.drawLine(QPointF(in.left(), y), QPointF(in.right(), y));
    painter.setPen(c.secondText);
    // A small gap in full has more zeros than there is room for.
    const bool fits = textWidth(painter.font(), tick.label) <= kFrontLeft - 8;
    drawText(painter, {0, y - 8, kFrontLeft - 8, 16}, Qt::AlignRight | Qt::AlignVCenter,
             fits ? tick.label : figure(tick.value, 2));
  }
  const int most = std::max(2, static_cast<int>(in.width() / kFrontLabel));
  const auto is_whole = [](double value) { return value == std::floor(value); };
  const bool counts =
      is_whole(present_.value_or(0)) &&
      std::all_of(points_.begin(), points_.end(), [&](const auto& each) { return is_whole(each.cost); });
  for (const Tick& tick : linearTicks(costs_, most)) {
    if (!cost_text_ || points_.empty()) break;
    if (counts && !is_whole(tick.value)) continue;
    const double x = std::round(in.left() + (tick.value - costs_.low) / costs_.span() * in.width()) + 0.5;
    painter.setPen(QPen(c.grid, 0));
    painter.drawLine(QPointF(x, in.top()), QPointF(x, in.bottom()));
    painter.setPen(c.secondText);
    drawText(painter, {x - kFrontLabel / 2, in.bottom() + 2, kFrontLabel, 16}, Qt::AlignCenter, cost_text_(tick.value));
  }
  painter.setFont(textFont(11));
  drawText(painter, {8, 2, width() - 16.0, 16}, Qt::AlignLeft | Qt::AlignVCenter, tr("Loss gap"));
  drawText(painter, {in.left(), in.bottom() + 18, in.width(), 16}, Qt::AlignRight | Qt::AlignVCenter, cost_);

  painter.setRenderHint(QPainter::Antialiasing);
  drawLegend(painter);
  drawPoints(painter);
  if (!hasFocus()) return;
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(QPen(c.indigo, 0));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -1.5, -1.5));
}

QColor FrontPlot::inkOf(Mark mark) {
  const Colors& c = colors();
  return mark == Mark::kLost ? c.crimson : mark == Mark::kUndecided ? c.thirdText : c.dataLine;
}

void FrontPlot::drawMark(QPainter& painter, Mark mark, QPointF at) {
  const QColor ink = inkOf(mark);
  painter.setPen(QPen(ink, 0));
  painter.setBrush(mark == Mark::kFront ? QBrush(ink) : QBrush(Qt::NoBrush));
  switch (mark) {
    case Mark::kFront:
    case Mark::kBeaten:
      painter.drawEllipse(at, kFrontRadius, kFrontRadius);
      break;
    case Mark::kUndecided:  // a shape of its own, not only a colour
      painter.drawRect(QRectF(at - QPointF(3.5, 3.5), QSizeF(7, 7)));
      break;
    case Mark::kRejected:
    case Mark::kLost:
      painter.drawLine(at + QPointF(-4, -4), at + QPointF(4, 4));
      painter.drawLine(at + QPointF(-4, 4), at + QPointF(4, -4));
      break;
    case Mark::kPresent:
      painter.drawPolygon(
          QPolygonF({at + QPointF(0, -5), at + QPointF(5, 0), at + QPointF(0, 5), at + QPointF(-5, 0)}));
      break;
    case Mark::kAbove:
      painter.drawPolygon(QPolygonF({at + QPointF(-5, 4), at + QPointF(5, 4), at + QPointF(0, -4)}));
      break;
  }
}

void FrontPlot::drawLegend(QPainter& painter) const {
  painter.setFont(textFont(11));
  for (const LegendEntry& each : legendEntries()) {
    drawMark(painter, each.mark, each.at);
    painter.setPen(colors().secondText);
    const double left = each.at.x() - kFrontRadius + kLegendMark;
    drawText(painter, {left, each.at.y() - kLegendLine / 2, width() - left, kLegendLine},
             Qt::AlignLeft | Qt::AlignVCenter, each.name);
  }
}

void FrontPlot::drawPoints(QPainter& painter) const {
  const Colors& c = colors();
  const QRectF in = area();
  QPointF before;
  bool joined = false;
  painter.setPen(QPen(c.dataLine, 0));
  for (const FrontPoint& each : points_) {
    if (each.verdict != FrontVerdict::kFront) continue;
    const QPointF at = toPixel(in, each);
    if (joined) painter.drawLine(before, at);
    before = at;
    joined = true;
  }
  if (present_ && !points_.empty()) drawMark(painter, Mark::kPresent, toPixel(in, *present_, 0));
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const FrontPoint& each = points_[i];
    const QPointF at = toPixel(in, each);
    if (each.gap > gaps_.high) {
      painter.setPen(QPen(inkOf(markOf(each)), 0));
      painter.setBrush(Qt::NoBrush);
      painter.drawPolygon(QPolygonF({at + QPointF(-5, 8), at + QPointF(5, 8), at}));
    } else {
      drawMark(painter, markOf(each), at);
    }
    if (static_cast<int>(i) != chosen_) continue;
    painter.setPen(QPen(c.indigo, 0));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(at, kFrontRadius + 4, kFrontRadius + 4);
  }
}

}  // namespace binade::views
