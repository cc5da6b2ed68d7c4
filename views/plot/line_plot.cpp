// SPDX-License-Identifier: Apache-2.0
#include "views/plot/line_plot.h"

#include "views/plot/csv.h"
#include "views/plot/trace.h"
#include "views/values/numbers.h"

#include <QAction>
#include <QMenu>

#include <algorithm>
#include <cmath>

namespace binade::views {

LinePlot::LinePlot(StepAxis* axis, QWidget* parent) : Plot(axis, parent) {
  setEmptyText(tr("No steps yet"), tr("Each training step adds a point."));
}

int LinePlot::addSeries(const LineStyle& style) {
  lines_.push_back({style, {}, nullptr, RunningMean(style.meanOf), {}, {}});
  return static_cast<int>(lines_.size()) - 1;
}

void LinePlot::keepSeries(int count) {
  if (static_cast<std::size_t>(count) >= lines_.size()) return;
  lines_.resize(static_cast<std::size_t>(count));
  // Other series that get these numbers later are visible.
  const std::set<int> hidden = hiddenParts();
  for (auto part = hidden.lower_bound(partOf(count)); part != hidden.end(); ++part) setPartHidden(*part, false);
  if (chosenPart() && *chosenPart() >= partOf(count)) choosePart(std::nullopt);
  fitted_.reset();
  scheduleRepaint();
}

void LinePlot::append(int series, std::int64_t step, double value) {
  if (!lines_[static_cast<std::size_t>(series)].own.append(step, value)) return;
  stepAxis()->extend(step);
  scheduleRepaint();
}

void LinePlot::setSource(int series, const Series* source) {
  Line& line = lines_[static_cast<std::size_t>(series)];
  line.source = source;
  line.mean.clear();
  fitted_.reset();
  if (source != nullptr) followSource(series);
}

void LinePlot::followSource(int series) {
  const Series& values = lines_[static_cast<std::size_t>(series)].values();
  if (values.empty()) return;
  stepAxis()->extend(values.stepAt(0));
  stepAxis()->extend(values.lastStep());
  scheduleRepaint();
}

void LinePlot::appendRange(int series, std::int64_t step, double low, double high) {
  Line& line = lines_[static_cast<std::size_t>(series)];
  if (line.low.append(step, low)) line.high.append(step, high);
  scheduleRepaint();
}

void LinePlot::clear() {
  for (Line& line : lines_) {
    line.own.clear();
    line.mean.clear();
    line.low.clear();
    line.high.clear();
  }
  setZoomedValues(std::nullopt);
  fitted_.reset();
  Plot::clear();
}

bool LinePlot::isEmpty() const {
  return std::all_of(lines_.begin(), lines_.end(), [](const Line& line) { return line.values().empty(); });
}

SeriesRecord LinePlot::visibleValues() const {
  const Range steps = stepAxis()->range();
  SeriesRecord all;
  const auto first = static_cast<std::int64_t>(std::ceil(steps.low));
  const auto end = static_cast<std::int64_t>(std::floor(steps.high)) + 1;
  const auto add = [&](const Series& values) {
    if (values.empty()) return;
    const bool whole = first <= values.stepAt(0) && values.lastStep() < end;
    all.add(whole ? values.all() : values.query(first, end));
  };
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Line& line = lines_[i];
    if (isShown(i, 0)) add(line.values());
    if (line.hasMean() && isMeanShown(i)) add(line.currentMean().complete());
    if (!isShown(i, 2)) continue;
    add(line.low);
    add(line.high);
  }
  return all;
}

Range LinePlot::automaticRange(const SeriesRecord& all) const {
  constexpr double kHeadRoom = 0.05;  // of the axis, so that the line does not touch the edge
  if (!all.finite()) return {0, 1};
  Range range{all.min, all.max};
  if (kind_ == ValueScale::Kind::kSymlog) {
    // Whole decades would leave most of the chart empty: the ends of the data, with room in the scale's own units.
    const ValueScale scale = symlogFor(range);
    const double low = scale.forward(range.low);
    const double high = scale.forward(range.high);
    const double room = high > low ? kHeadRoom * (high - low) : 0.5;
    return {scale.inverse(low - room), scale.inverse(high + room)};
  }
  if (range.low >= 0) range.low = 0;  // the axis starts at 0 if all values are positive
  if (range.high == 0 && range.low == 0) range.high = 1;
  const Range whole = widened(range);
  const double room = kHeadRoom * range.span();
  return {range.low < 0 ? std::min(whole.low, range.low - room) : whole.low, std::max(whole.high, range.high + room)};
}

const LinePlot::Fitted& LinePlot::fitted() const {
  std::size_t samples = 0;
  for (const Line& line : lines_) samples += line.values().size() + line.low.size();
  const Range steps = stepAxis()->range();
  if (!fitted_ || fitted_->samples != samples || fitted_->steps != steps || fitted_->hidden != hiddenParts()) {
    const SeriesRecord all = visibleValues();
    fitted_ = Fitted{steps, samples, hiddenParts(), all, automaticRange(all)};
  }
  return *fitted_;
}

Range LinePlot::valueRange() const {
  if (const auto zoomed = zoomedValues()) return *zoomed;
  return fitted().range;
}

ValueScale LinePlot::valueScale() const {
  if (kind_ == ValueScale::Kind::kLinear) return {};
  const SeriesRecord& all = fitted().values;
  return symlogFor(all.finite() ? Range{all.min, all.max} : Range{0, 1});
}

void LinePlot::setAxisKind(ValueScale::Kind kind) {
  if (kind == kind_) return;
  kind_ = kind;
  fitted_.reset();
  setZoomedValues(std::nullopt);
  update();
  Q_EMIT axisKindChanged(kind);
}

void LinePlot::addMenuEntries(QMenu& menu) {
  menu.addSeparator();
  QAction* log = menu.addAction(tr("Logarithmic axis (symlog)"));
  log->setToolTip(tr("Logarithmic for both signs, linear around 0"));
  log->setCheckable(true);
  log->setChecked(kind_ == ValueScale::Kind::kSymlog);
  connect(log, &QAction::toggled, this,
          [this](bool on) { setAxisKind(on ? ValueScale::Kind::kSymlog : ValueScale::Kind::kLinear); });
}

QColor LinePlot::colorOf(std::size_t line) const {
  const QColor& own = lines_[line].style.color;
  if (own.isValid()) return own;
  return lines_.size() > 1 ? seriesColor(static_cast<int>(line)) : colors().dataLine;
}

QString LinePlot::valueText(const Line& line, double value) const {
  if (line.style.format && std::isfinite(value)) return line.style.format(value);
  const QString text = figure(value);
  return line.style.unit.isEmpty() || !std::isfinite(value) ? text : text + QLatin1Char(' ') + line.style.unit;
}

std::vector<Plot::PartValue> LinePlot::partsAt(std::int64_t step) const {
  std::vector<PartValue> all;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Line& line = lines_[i];
    const int series = static_cast<int>(i);
    const auto index = line.values().at(step);
    const bool there = index && line.values().stepAt(*index) == step;
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (isShown(i, 0)) {
      const double value = there ? line.values().valueAt(*index) : kNone;
      all.push_back({partOf(series), line.style.name, value, there ? valueText(line, value) : QStringLiteral("–")});
    }
    if (line.hasMean() && isMeanShown(i)) {
      const auto mean = there ? line.mean.at(line.values(), *index) : RunningMean::Mean{kNone, line.style.meanOf};
      const QString name =
          lines_.size() == 1 ? tr("mean of %1").arg(mean.of) : tr("%1, mean of %2").arg(line.style.name).arg(mean.of);
      all.push_back({meanPartOf(series), name, mean.value, there ? valueText(line, mean.value) : QStringLiteral("–")});
    }
  }
  return all;
}

QString LinePlot::changeText(const PartValue& from, const PartValue& to) const {
  const double change = to.value - from.value;
  if (std::isnan(change)) return QStringLiteral("–");
  const QString text = valueText(lines_[static_cast<std::size_t>(to.part / 3)], std::fabs(change));
  return change > 0 ? QLatin1Char('+') + text : change < 0 ? QChar(u'−') + text : text;
}

QString LinePlot::valuesAt(std::int64_t step) const {
  QStringList lines;
  for (const PartValue& value : partsAt(step)) {
    const bool mean = value.part % 3 == 1;
    if (mean && std::isnan(value.value) && value.text == QStringLiteral("–")) continue;
    lines << (mean ? tr("%1: %2").arg(value.name, value.text) : value.name + QLatin1Char(' ') + value.text);
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Line& line = lines_[i];
    const auto at = isShown(i, 2) ? line.low.at(step) : std::nullopt;
    if (!at || line.low.stepAt(*at) != step) continue;
    lines << tr("%1: %2 … %3")
                 .arg(line.style.range, valueText(line, line.low.valueAt(*at)),
                      valueText(line, line.high.valueAt(*at)));
  }
  return lines.join(QLatin1Char('\n'));
}

std::optional<PickedNumber> LinePlot::numberAt(std::int64_t step, std::optional<double> value) const {
  std::optional<double> nearest;
  for (const Line& line : lines_) {
    const auto index = line.values().at(step);
    if (!index || line.values().stepAt(*index) != step) continue;
    const double here = line.values().valueAt(*index);
    if (!nearest || (value && std::fabs(here - *value) < std::fabs(*nearest - *value))) nearest = here;
  }
  return nearest ? std::optional(PickedNumber{*nearest}) : std::nullopt;
}

int LinePlot::partWithMean(std::size_t line) const {
  const int series = static_cast<int>(line);
  return lines_.size() > 1 ? partOf(series) : meanPartOf(series);
}

// The chosen one, else the first that is not hidden.
const LinePlot::Line& LinePlot::standingLine() const {
  if (chosenPart()) {
    const auto chosen = static_cast<std::size_t>(*chosenPart() / 3);
    if (chosen < lines_.size() && isShown(chosen, 0)) return lines_[chosen];
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (isShown(i, 0)) return lines_[i];
  }
  return lines_.front();
}

QString LinePlot::nowText() const {
  if (lines_.empty() || standingLine().values().empty()) return {};
  return valueText(standingLine(), standingLine().values().lastValue());
}

std::optional<std::pair<int, QString>> LinePlot::standingPart() const {
  if (lines_.size() < 2) return std::nullopt;
  const Line& line = standingLine();
  return std::pair{partOf(static_cast<int>(&line - lines_.data())), line.style.name};
}

QString LinePlot::summary() const {
  QStringList parts;
  for (const Line& line : lines_) {
    if (line.values().empty()) continue;
    parts << tr("%1: %2 after step %3")
                 .arg(line.style.name, valueText(line, line.values().lastValue()), grouped(line.values().lastStep()));
    const SeriesRecord& all = line.values().all();
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
    next.push_back(line.values().lowerBound(first));
  }
  QString text = csvLine(header);
  for (;;) {
    std::int64_t step = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (next[i] < lines_[i].values().size()) step = std::min(step, lines_[i].values().stepAt(next[i]));
    }
    if (step > last) break;
    QStringList row{QString::number(step)};
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Series& values = lines_[i].values();
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
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Line& line = lines_[i];
    const int series = static_cast<int>(i);
    const bool apart = line.hasMean() && lines_.size() == 1;  // the mean has an entry of its own
    entries.push_back({apart ? LegendEntry::Kind::kFaintLine : LegendEntry::Kind::kLine,
                       apart ? tr("each step") : line.style.name, MarkKind::kSkipped, apart ? QColor() : colorOf(i),
                       partOf(series)});
    if (!line.low.empty())
      entries.push_back({LegendEntry::Kind::kBand, line.style.range, MarkKind::kSkipped, {}, rangePartOf(series)});
    if (apart) {
      entries.push_back({LegendEntry::Kind::kLine, tr("mean of %1").arg(line.style.meanOf), MarkKind::kSkipped,
                         colorOf(i), meanPartOf(series)});
    }
  }
  if (lines_.size() > 1 && lines_.front().hasMean()) {
    entries.push_back({LegendEntry::Kind::kFaintLine,
                       tr("each step, under the mean of %1").arg(lines_.front().style.meanOf),
                       MarkKind::kSkipped,
                       {}});
  }
  if (hasNonFinite()) {
    entries.push_back({LegendEntry::Kind::kMark, tr("NaN or inf"), MarkKind::kCarriedOn, {}});
  }
  entries.push_back({LegendEntry::Kind::kMark, tr("step skipped: weights unchanged"), MarkKind::kSkipped, {}});
  if (countMarks(marks(), MarkKind::kPolicyEdit) > 0)
    entries.push_back({LegendEntry::Kind::kMark, markName(MarkKind::kPolicyEdit), MarkKind::kPolicyEdit, {}});
  return entries;
}

/// The unit that all series have; empty: none, or different ones.
QString LinePlot::unitOfAll() const {
  const QString& unit = lines_.front().style.unit;
  const bool same =
      std::all_of(lines_.begin(), lines_.end(), [&](const Line& line) { return line.style.unit == unit; });
  return same ? unit : QString();
}

bool LinePlot::hasNonFinite() const {
  return std::any_of(lines_.begin(), lines_.end(), [](const Line& line) { return line.values().all().nonFinite > 0; });
}

std::vector<Tick> LinePlot::valueTicks(int most) const {
  // Without finite values there are no ticks.
  const bool finite =
      std::any_of(lines_.begin(), lines_.end(), [](const Line& line) { return line.values().all().finite(); });
  if (!finite) return {};
  std::vector<Tick> ticks = kind_ == ValueScale::Kind::kSymlog ? symlogTicks(valueRange(), valueScale(), most)
                                                               : linearTicks(valueRange(), most);
  // The unit appears once, at the end of the axis.
  if (const QString unit = unitOfAll(); !ticks.empty() && !unit.isEmpty())
    ticks.back().label += QLatin1Char(' ') + unit;
  return ticks;
}

void LinePlot::paintData(QPainter& painter, const QRectF& area) {
  const Range range = valueRange();
  const TraceFrame frame(area, valueToY(range.high), valueToY(range.low), stepAxis()->range(), range, valueScale());
  const Colors& c = colors();
  TraceCanvas canvas(painter, area);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (isShown(i, 2)) drawRange(canvas, frame, lines_[i].low, lines_[i].high, c.band, c.bandEdge);
  }
  const auto draw = [&](std::size_t i) {
    const Line& line = lines_[i];
    const bool mean = line.hasMean();
    const int series = static_cast<int>(i);
    const auto paler = [&](const QColor& color, int part) { return isPartFaint(part) ? c.faintDataLine : color; };
    const QColor color = colorOf(i);
    line.values().buckets().setPhase(static_cast<double>(i) / static_cast<double>(lines_.size()));
    if (isShown(i, 0)) {
      const bool chosen = lines_.size() == 1 && chosenPart() == partOf(series);
      drawTrace(canvas, frame, line.values(), mean && !chosen ? c.faintDataLine : paler(color, partOf(series)),
                mean && !chosen ? 1 : 1.6);
    }
    if (!mean || line.values().empty() || !isMeanShown(i)) return;
    drawTrace(canvas, frame, line.currentMean().complete(), paler(color, partWithMean(i)), 1.6);
    drawTrace(canvas, frame, line.mean.tail(line.values()), paler(color, partWithMean(i)), 1.6);
  };
  // The chosen one is in front.
  const std::size_t front = chosenPart() ? static_cast<std::size_t>(*chosenPart() / 3) : lines_.size();
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (i != front) draw(i);
  }
  if (front < lines_.size()) draw(front);
}

void LinePlot::paintForeground(QPainter& painter, const QRectF& area, const PlacedMarks&) {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (isShown(i, 0) && lines_[i].values().all().nonFinite > 0) paintNonFinite(painter, area, lines_[i]);
  }
}

void LinePlot::paintNonFinite(QPainter& painter, const QRectF& area, const Line& line) const {
  constexpr double kApart = 8;
  for (double x = area.left(); x < area.right(); x += kApart) {
    const auto first = static_cast<std::int64_t>(std::ceil(xToStep(x)));
    const auto end = static_cast<std::int64_t>(std::ceil(xToStep(std::min(x + kApart, area.right()))));
    if (line.values().query(first, end).nonFinite == 0) continue;
    drawMark(painter, MarkKind::kCarriedOn, {x + kApart / 2, area.top() + 5});
  }
}

void LinePlot::zoomValues(Range range) {
  if (range.span() > 0) setZoomedValues(range);
}

}  // namespace binade::views
