// SPDX-License-Identifier: Apache-2.0
#include "views/plot/scale_plot.h"

#include "views/plot/csv.h"
#include "views/plot/trace.h"
#include "views/table/delegates.h"
#include "views/values/numbers.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace binade::views {

namespace {
constexpr double kAbove = 10;  ///< a growth mark's distance from the line
constexpr double kBelow = 10;
constexpr double kBandReach = 8;  ///< binades beyond the line within which the band's edges extend the axis
}  // namespace

ScalePlot::ScalePlot(StepAxis* axis, QWidget* parent) : Plot(axis, parent) {
  setTitle(tr("Loss scale"));
  setEmptyText(tr("No loss scale yet"),
               tr("The loss scale of a run with a gradient scaler appears here, step by step."));
}

void ScalePlot::append(std::int64_t step, double scale) {
  if (!(scale > 0) || !std::isfinite(scale)) return;
  if (!log2_.append(step, std::log2(scale))) return;
  stepAxis()->extend(step);
  scheduleRepaint();
}

void ScalePlot::appendOther(const QString& name, std::int64_t step, double scale) {
  if (!(scale > 0) || !std::isfinite(scale)) return;
  if (others_[name].append(step, std::log2(scale))) scheduleRepaint();
}

void ScalePlot::appendBand(std::int64_t step, double lowLog2, double highLog2) {
  if (!bandLow_.append(step, lowLog2)) return;
  bandHigh_.append(step, highLog2);
  scheduleRepaint();
}

void ScalePlot::clearBand() {
  bandLow_.clear();
  bandHigh_.clear();
  scheduleRepaint();
}

void ScalePlot::clear() {
  log2_.clear();
  others_.clear();
  clearBand();
  zoomed_.reset();
  Plot::clear();
}

Range ScalePlot::valueRange() const {
  if (zoomed_) return *zoomed_;
  const Range steps = stepAxis()->range();
  const auto first = static_cast<std::int64_t>(std::floor(steps.low));
  const auto end = static_cast<std::int64_t>(std::ceil(steps.high)) + 1;
  SeriesRecord all = log2_.query(first, end);
  if (!all.finite()) all.add(log2_.empty() ? 16 : log2_.lastValue());
  for (const auto& [name, series] : others_) all.add(series.query(first, end));
  // The band's edges extend the axis only while they are near the line, so that they do not flatten it.
  const SeriesRecord low_edge = bandLow_.query(first, end);
  const SeriesRecord high_edge = bandHigh_.query(first, end);
  const double near_low = all.min - kBandReach;
  const double near_high = all.max + kBandReach;
  if (low_edge.finite()) all.add(std::clamp(low_edge.min, near_low, near_high));
  if (high_edge.finite()) all.add(std::clamp(high_edge.max, near_low, near_high));
  // Whole exponents with room for the marks, and at least 10 binades, so that one doubling does not look large.
  const double high = std::ceil(all.max + 1.5);
  const double low = std::min(std::floor(all.min - 2.5), high - 10);
  return {low, high};
}

QString ScalePlot::valuesAt(std::int64_t step) const {
  const auto index = log2_.at(step);
  if (!index) return tr("scale –");
  QString text = tr("scale %1").arg(scaleText(std::exp2(log2_.valueAt(*index))));
  for (const auto& [name, series] : others_) {
    if (const auto at = series.at(step)) {
      text += QLatin1Char('\n') + tr("%1: %2").arg(name, scaleText(std::exp2(series.valueAt(*at))));
    }
  }
  if (bandText_) {
    const QString band = bandText_(step);
    if (!band.isEmpty()) text += QLatin1Char('\n') + band;
  }
  for (const Mark& mark : marks()) {
    if (step >= mark.step && step <= mark.last())
      text += QLatin1Char('\n') + (mark.text.isEmpty() ? markName(mark.kind) : mark.text);
  }
  return text;
}

std::optional<PickedNumber> ScalePlot::numberAt(std::int64_t step, std::optional<double> value) const {
  const auto index = log2_.at(step);
  if (!index) return std::nullopt;
  double nearest = log2_.valueAt(*index);
  for (const auto& [name, series] : others_) {
    const auto at = value ? series.at(step) : std::nullopt;
    if (at && std::fabs(series.valueAt(*at) - *value) < std::fabs(nearest - *value)) nearest = series.valueAt(*at);
  }
  // A scale is a float32; the logarithm has lost the last bits of a double.
  return PickedNumber{static_cast<double>(static_cast<float>(std::exp2(nearest)))};
}

QString ScalePlot::nowText() const {
  return log2_.empty() ? QString() : scaleText(std::exp2(log2_.lastValue()));
}

QString ScalePlot::summary() const {
  const auto count = [this](MarkKind kind) { return grouped(countMarks(marks(), kind)); };
  return tr("Loss scale %1 after step %2. %3 steps skipped, %4 back-offs, %5 growths")
      .arg(nowText(), grouped(log2_.lastStep()), count(MarkKind::kSkipped), count(MarkKind::kBackOff),
           count(MarkKind::kGrowth));
}

QString ScalePlot::csv() const {
  QString text = csvLine({QStringLiteral("step"), QStringLiteral("loss scale"), QStringLiteral("skipped")});
  const Range range = stepAxis()->range();
  const auto last = static_cast<std::int64_t>(std::floor(range.high));
  std::vector<Mark> skips;
  std::copy_if(marks().begin(), marks().end(), std::back_inserter(skips),
               [](const Mark& mark) { return mark.kind == MarkKind::kSkipped; });
  auto skip = skips.begin();
  for (std::size_t i = log2_.lowerBound(static_cast<std::int64_t>(std::ceil(range.low))); i < log2_.size(); ++i) {
    const std::int64_t step = log2_.stepAt(i);
    if (step > last) break;
    while (skip != skips.end() && skip->last() < step) ++skip;
    const bool skipped = skip != skips.end() && skip->step <= step;
    text += csvLine({QString::number(step), plainNumber(std::exp2(log2_.valueAt(i))),
                     skipped ? QStringLiteral("1") : QStringLiteral("0")});
  }
  return text;
}

std::vector<Plot::LegendEntry> ScalePlot::legend() const {
  std::vector<LegendEntry> entries{{LegendEntry::Kind::kLine, tr("loss scale"), MarkKind::kSkipped, {}}};
  if (!bandLow_.empty()) entries.push_back({LegendEntry::Kind::kBand, tr("safe scale band"), MarkKind::kSkipped, {}});
  for (const MarkKind kind : {MarkKind::kSkipped, MarkKind::kBackOff, MarkKind::kGrowth, MarkKind::kPolicyEdit}) {
    entries.push_back({LegendEntry::Kind::kMark, markName(kind), kind, {}});
  }
  return entries;
}

std::vector<Tick> ScalePlot::valueTicks(int most) const {
  return binadeTicks(valueRange(), most);
}

void ScalePlot::paintBand(QPainter& painter, const QRectF& area) const {
  if (bandLow_.empty()) return;
  const Colors& c = colors();
  const Range values = valueRange();
  const auto inside = [&](double log2) { return log2 > values.low && log2 < values.high; };
  const auto y = [&](double log2) { return valueToY(std::clamp(log2, values.low, values.high)); };
  QPainterPath gap;
  for (double x = area.left(); x < area.right(); x += 1) {
    const auto step = static_cast<std::int64_t>(std::floor(xToStep(x)));
    const auto index = bandLow_.at(step);
    if (!index || step > std::max(bandLow_.lastStep(), log2_.empty() ? 0 : log2_.lastStep())) continue;
    const double low = bandLow_.valueAt(*index);
    const double high = bandHigh_.valueAt(*index);
    if (low > high) {
      // No scale between the edges is safe.
      const QRectF column(x, y(low), 1, y(high) - y(low));
      painter.fillRect(column, c.crimsonGround);
      gap.addRect(column);
      if (inside(low)) painter.fillRect(QRectF(x, y(low), 1, 1), c.crimson);
      if (inside(high)) painter.fillRect(QRectF(x, y(high) - 1, 1, 1), c.crimson);
      continue;
    }
    const double top = y(high);
    const double bottom = y(low);
    painter.fillRect(QRectF(x, top, 1, bottom - top), c.band);
    if (inside(high)) painter.fillRect(QRectF(x, top, 1, 1), c.bandEdge);
    if (inside(low)) painter.fillRect(QRectF(x, bottom - 1, 1, 1), c.bandEdge);
  }
  if (gap.isEmpty()) return;
  painter.save();
  painter.setClipPath(gap, Qt::IntersectClip);
  drawHatching(painter, gap.boundingRect(), c.crimson);
  painter.restore();
}

void ScalePlot::paintOthers(QPainter& painter, const QRectF& area) const {
  const Range values = valueRange();
  painter.setFont(textFont(11));
  for (const auto& [name, series] : others_) {
    if (series.empty()) continue;
    drawStepTrace(painter, {area, valueToY(values.high), valueToY(values.low), stepAxis()->range(), values}, series,
                  colors().faintDataLine, 1.8);
    painter.setPen(colors().secondText);
    const double x = std::min(stepToX(static_cast<double>(series.lastStep())), area.right());
    drawText(painter, {x - 160, valueToY(series.lastValue()) - 16, 156, 14}, Qt::AlignRight | Qt::AlignVCenter, name);
  }
}

void ScalePlot::paintData(QPainter& painter, const QRectF& area) {
  paintBand(painter, area);
  paintOthers(painter, area);
  const Range values = valueRange();
  drawStepTrace(painter, {area, valueToY(values.high), valueToY(values.low), stepAxis()->range(), values}, log2_,
                colors().dataLine, 1.8);
}

double ScalePlot::lineEdge(const MarkGroup& group, bool top) const {
  SeriesRecord around = log2_.query(group.first, group.last + 2);
  if (!around.finite()) around.add(log2_.empty() ? 0 : log2_.lastValue());
  return valueToY(top ? around.max : around.min);
}

std::vector<std::pair<QPointF, MarkGroup>> ScalePlot::markPositions() const {
  auto result = Plot::markPositions();
  const QRectF area = plotArea();
  const auto toX = [this](double step) { return stepToX(step); };
  for (const MarkKind kind : {MarkKind::kBackOff, MarkKind::kGrowth}) {
    const bool top = kind == MarkKind::kGrowth;
    for (const MarkGroup& group : mergeMarks(marks(), kind, toX)) {
      if (group.lastX < area.left() - 4 || group.x > area.right() + 4) continue;
      double y = lineEdge(group, top) + (top ? -kAbove : kBelow);
      // In a plot too low for both limits, the upper one takes precedence.
      y = std::max(std::min(y, stripY() - 12), area.top() + 5);
      // At its own step like all marks; a group is drawn at its first step, with the count after the last.
      result.emplace_back(QPointF(group.x, y), group);
    }
  }
  return result;
}

void ScalePlot::paintForeground(QPainter& painter, const QRectF&) {
  const auto placed = markPositions();
  for (const MarkKind kind : {MarkKind::kBackOff, MarkKind::kGrowth}) {
    std::vector<MarkGroup> groups;
    std::vector<double> heights;
    for (const auto& [at, group] : placed) {
      if (group.kind != kind) continue;
      drawMark(painter, kind, at);
      groups.push_back(group);
      heights.push_back(at.y());
    }
    painter.setFont(textFont(11));
    painter.setPen(colors().secondText);
    for (std::size_t i = 0; i < groups.size(); ++i) paintCount(painter, groups, i, heights[i]);
  }
}

void ScalePlot::zoomValues(Range range) {
  if (range.span() > 0.5) zoomed_ = range;
}

void ScalePlot::fitValues() {
  zoomed_.reset();
  update();
}

}  // namespace binade::views
