// SPDX-License-Identifier: Apache-2.0
#include "views/plot/line_plot.h"

#include "views/plot/csv.h"
#include "views/plot/trace.h"
#include "views/values/numbers.h"

#include <algorithm>
#include <cmath>

namespace binade::views {

LinePlot::LinePlot(StepAxis* axis, QWidget* parent) : Plot(axis, parent) {
  setEmptyText(tr("No steps yet"), tr("Each training step adds a point."));
}

int LinePlot::addSeries(const LineStyle& style) {
  lines_.push_back({style, {}, {}, {}, {}});
  return static_cast<int>(lines_.size()) - 1;
}

void LinePlot::append(int series, std::int64_t step, double value) {
  Line& line = lines_[static_cast<std::size_t>(series)];
  if (!line.values.append(step, value)) return;
  // The window is complete once half a window of samples follows.
  const std::size_t half = line.half();
  if (half > 0 && line.values.size() > half) {
    const std::size_t middle = line.values.size() - 1 - half;
    line.mean.append(line.values.stepAt(middle), line.meanAt(middle).value);
  }
  stepAxis()->extend(step);
  scheduleRepaint();
}

// Centred; near both ends over as many samples as exist on each side, so the mean does not lag. Summed anew each time,
// since a running sum would never recover from one huge value.
LinePlot::Mean LinePlot::Line::meanAt(std::size_t index) const {
  const std::size_t reach = std::min({half(), index, values.size() - 1 - index});
  double sum = 0;
  int finite = 0;
  for (std::size_t i = index - reach; i <= index + reach; ++i) {
    const double sample = values.valueAt(i);
    if (!std::isfinite(sample)) continue;
    sum += sample;
    ++finite;
  }
  return {finite > 0 ? sum / finite : std::numeric_limits<double>::quiet_NaN(), static_cast<int>(2 * reach + 1)};
}

// Means of the newest samples, whose windows are incomplete, preceded by the last complete one.
Series LinePlot::Line::meanTail() const {
  Series tail;
  const std::size_t begin = mean.empty() ? 0 : mean.size() - 1;
  for (std::size_t i = begin; i < values.size(); ++i) tail.append(values.stepAt(i), meanAt(i).value);
  return tail;
}

void LinePlot::appendRange(int series, std::int64_t step, double low, double high) {
  Line& line = lines_[static_cast<std::size_t>(series)];
  if (line.low.append(step, low)) line.high.append(step, high);
  scheduleRepaint();
}

void LinePlot::clear() {
  for (Line& line : lines_) {
    line.values.clear();
    line.mean.clear();
    line.low.clear();
    line.high.clear();
  }
  zoomed_.reset();
  fitted_.reset();
  Plot::clear();
}

bool LinePlot::isEmpty() const {
  return std::all_of(lines_.begin(), lines_.end(), [](const Line& line) { return line.values.empty(); });
}

Range LinePlot::automaticRange() const {
  const Range steps = stepAxis()->range();
  SeriesRecord all;
  const auto first = static_cast<std::int64_t>(std::ceil(steps.low));
  const auto end = static_cast<std::int64_t>(std::floor(steps.high)) + 1;
  for (const Line& line : lines_) {
    for (const Series* values : {&line.values, &line.low, &line.high}) all.add(values->query(first, end));
  }
  if (!all.finite()) return {0, 1};
  Range range{all.min, all.max};
  if (range.low >= 0) range.low = 0;  // the axis starts at 0 if all values are positive
  if (range.high == 0 && range.low == 0) range.high = 1;
  return widened(range);
}

Range LinePlot::valueRange() const {
  if (zoomed_) return *zoomed_;
  std::size_t samples = 0;
  for (const Line& line : lines_) samples += line.values.size() + line.low.size();
  const Range steps = stepAxis()->range();
  if (!fitted_ || fitted_->samples != samples || fitted_->steps != steps) {
    fitted_ = Fitted{steps, samples, automaticRange()};
  }
  return fitted_->values;
}

QString LinePlot::valueText(const Line& line, double value) const {
  if (line.style.format && std::isfinite(value)) return line.style.format(value);
  const QString text = figure(value);
  return line.style.unit.isEmpty() || !std::isfinite(value) ? text : text + QLatin1Char(' ') + line.style.unit;
}

QString LinePlot::valuesAt(std::int64_t step) const {
  QStringList lines;
  for (const Line& line : lines_) {
    const auto index = line.values.at(step);
    const bool there = index && line.values.stepAt(*index) == step;
    lines << line.style.name + QLatin1Char(' ') +
                 (there ? valueText(line, line.values.valueAt(*index)) : QStringLiteral("–"));
    if (there && line.style.meanOf > 1) {
      const Mean mean = line.meanAt(*index);
      lines << tr("mean of %1: %2").arg(mean.of).arg(valueText(line, mean.value));
    }
    if (const auto at = line.low.at(step); at && line.low.stepAt(*at) == step) {
      lines << tr("%1: %2 … %3")
                   .arg(line.style.range, valueText(line, line.low.valueAt(*at)),
                        valueText(line, line.high.valueAt(*at)));
    }
  }
  return lines.join(QLatin1Char('\n'));
}

std::optional<PickedNumber> LinePlot::numberAt(std::int64_t step, std::optional<double> value) const {
  std::optional<double> nearest;
  for (const Line& line : lines_) {
    const auto index = line.values.at(step);
    if (!index || line.values.stepAt(*index) != step) continue;
    const double here = line.values.valueAt(*index);
    if (!nearest || (value && std::fabs(here - *value) < std::fabs(*nearest - *value))) nearest = here;
  }
  return nearest ? std::optional(PickedNumber{*nearest}) : std::nullopt;
}

QString LinePlot::nowText() const {
  if (lines_.empty() || lines_.front().values.empty()) return {};
  return valueText(lines_.front(), lines_.front().values.lastValue());
}

QString LinePlot::summary() const {
  QStringList parts;
  for (const Line& line : lines_) {
    if (line.values.empty()) continue;
    parts << tr("%1: %2 after step %3")
                 .arg(line.style.name, valueText(line, line.values.lastValue()), grouped(line.values.lastStep()));
    const auto all = line.values.queryIndexes(0, line.values.size());
    if (all.nonFinite > 0) parts << tr("%1 values not finite").arg(grouped(static_cast<std::int64_t>(all.nonFinite)));
  }
  const std::int64_t skipped = countMarks(marks(), MarkKind::kSkipped);
  if (skipped > 0) parts << tr("%1 steps skipped").arg(grouped(skipped));
  return parts.join(QStringLiteral(". "));
}

QString LinePlot::csv() const {
  QStringList header{QStringLiteral("step")};
  std::vector<std::size_t> next;
  const Range range = stepAxis()->range();
  const auto first = static_cast<std::int64_t>(std::ceil(range.low));
  const auto last = static_cast<std::int64_t>(std::floor(range.high));
  for (const Line& line : lines_) {
    const auto titled = [&](const QString& name) {
      return line.style.unit.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, line.style.unit);
    };
    header << titled(line.style.name);
    if (!line.low.empty()) header << titled(tr("lowest")) << titled(tr("highest"));
    next.push_back(line.values.lowerBound(first));
  }
  QString text = csvLine(header);
  for (;;) {
    std::int64_t step = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (next[i] < lines_[i].values.size()) step = std::min(step, lines_[i].values.stepAt(next[i]));
    }
    if (step > last) break;
    QStringList row{QString::number(step)};
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Series& values = lines_[i].values;
      const bool there = next[i] < values.size() && values.stepAt(next[i]) == step;
      row << (there ? plainNumber(values.valueAt(next[i]++)) : QString());
      if (lines_[i].low.empty()) continue;
      const auto at = lines_[i].low.at(step);
      const bool reached = at && lines_[i].low.stepAt(*at) == step;
      row << (reached ? plainNumber(lines_[i].low.valueAt(*at)) : QString());
      row << (reached ? plainNumber(lines_[i].high.valueAt(*at)) : QString());
    }
    text += csvLine(row);
  }
  return text;
}

std::vector<Plot::LegendEntry> LinePlot::legend() const {
  std::vector<LegendEntry> entries;
  for (const Line& line : lines_) {
    const bool mean = line.style.meanOf > 1;
    const bool only = lines_.size() == 1;
    entries.push_back({mean ? LegendEntry::Kind::kFaintLine : LegendEntry::Kind::kLine,
                       only && mean ? tr("each step") : line.style.name, MarkKind::kSkipped,
                       mean ? QColor() : line.style.color});
    if (!line.low.empty()) entries.push_back({LegendEntry::Kind::kBand, line.style.range, MarkKind::kSkipped, {}});
    if (mean) {
      entries.push_back({LegendEntry::Kind::kLine,
                         only ? tr("mean of %1").arg(line.style.meanOf)
                              : tr("%1, mean of %2").arg(line.style.name).arg(line.style.meanOf),
                         MarkKind::kSkipped, line.style.color});
    }
  }
  if (hasNonFinite()) {
    entries.push_back({LegendEntry::Kind::kMark, tr("NaN or inf"), MarkKind::kCarriedOn, {}});
  }
  entries.push_back({LegendEntry::Kind::kMark, tr("step skipped: weights unchanged"), MarkKind::kSkipped, {}});
  return entries;
}

bool LinePlot::hasNonFinite() const {
  return std::any_of(lines_.begin(), lines_.end(),
                     [](const Line& line) { return line.values.queryIndexes(0, line.values.size()).nonFinite > 0; });
}

std::vector<Tick> LinePlot::valueTicks(int most) const {
  // Without finite values there are no ticks.
  const bool finite = std::any_of(lines_.begin(), lines_.end(), [](const Line& line) {
    return line.values.queryIndexes(0, line.values.size()).finite();
  });
  std::vector<Tick> ticks = finite ? linearTicks(valueRange(), most) : std::vector<Tick>();
  // The unit appears once, at the end of the axis.
  if (!ticks.empty() && lines_.size() == 1 && !lines_.front().style.unit.isEmpty())
    ticks.back().label += QLatin1Char(' ') + lines_.front().style.unit;
  return ticks;
}

void LinePlot::paintData(QPainter& painter, const QRectF& area) {
  TraceFrame frame{area, valueToY(valueRange().high), valueToY(valueRange().low), stepAxis()->range(), valueRange()};
  const Colors& c = colors();
  for (const Line& line : lines_) paintRange(painter, area, line);
  for (const Line& line : lines_) {
    const QColor color = line.style.color.isValid() ? line.style.color : c.dataLine;
    const bool mean = line.style.meanOf > 1;
    drawTrace(painter, frame, line.values, mean ? c.faintDataLine : color, mean ? 1 : 1.6);
    if (!mean || line.values.empty()) continue;
    drawTrace(painter, frame, line.mean, color, 1.6);
    drawTrace(painter, frame, line.meanTail(), color, 1.6);
  }
}

// Each pixel column shows the lowest and highest value of its steps. Nothing is drawn where none was measured.
void LinePlot::paintRange(QPainter& painter, const QRectF& area, const Line& line) const {
  if (line.low.empty()) return;
  const Colors& c = colors();
  for (double x = area.left(); x < area.right(); x += 1) {
    const auto first = static_cast<std::int64_t>(std::floor(xToStep(x)));
    const auto end = std::max(first + 1, static_cast<std::int64_t>(std::ceil(xToStep(x + 1))));
    const SeriesRecord low = line.low.query(first, end);
    const SeriesRecord high = line.high.query(first, end);
    if (!low.finite() || !high.finite()) continue;
    const double top = valueToY(high.max);
    const double bottom = std::max(valueToY(low.min), top + 1);
    painter.fillRect(QRectF(x, top, 1, bottom - top), c.band);
    painter.fillRect(QRectF(x, top, 1, 1), c.bandEdge);
    painter.fillRect(QRectF(x, bottom - 1, 1, 1), c.bandEdge);
  }
}

void LinePlot::paintForeground(QPainter& painter, const QRectF& area) {
  for (const Line& line : lines_) paintNonFinite(painter, area, line);
}

void LinePlot::paintNonFinite(QPainter& painter, const QRectF& area, const Line& line) const {
  constexpr double kApart = 8;
  for (double x = area.left(); x < area.right(); x += kApart) {
    const auto first = static_cast<std::int64_t>(std::ceil(xToStep(x)));
    const auto end = static_cast<std::int64_t>(std::ceil(xToStep(std::min(x + kApart, area.right()))));
    if (line.values.query(first, end).nonFinite == 0) continue;
    drawMark(painter, MarkKind::kCarriedOn, {x + kApart / 2, area.top() + 5});
  }
}

void LinePlot::zoomValues(Range range) {
  if (range.span() > 0) zoomed_ = range;
}

void LinePlot::fitValues() {
  zoomed_.reset();
  update();
}

}  // namespace binade::views
