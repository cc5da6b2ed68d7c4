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
#include <utility>
#include <vector>

namespace binade::views {

namespace {
constexpr double kAbove = 10;  ///< a growth mark's distance from the line
constexpr double kBelow = 10;
constexpr double kBandBin = 8;    ///< px that share the edges of the band
constexpr double kBandReach = 8;  ///< binades beyond the line within which the band's edges extend the axis
}  // namespace

ScalePlot::ScalePlot(StepAxis* axis, QWidget* parent) : Plot(axis, parent) {
  setTitle(tr("Loss scale"));
  setEmptyText(tr("No loss scale yet"),
               tr("The loss scale of a run with a gradient scaler appears here, step by step."));
}

void ScalePlot::append(std::int64_t step, double scale) {
  if (!(scale > 0) || !std::isfinite(scale)) return;
  if (!own_.append(step, std::log2(scale))) return;
  stepAxis()->extend(step);
  scheduleRepaint();
}

void ScalePlot::setSource(const Series* log2) {
  source_ = log2;
  fitted_.reset();
  if (source_ != nullptr) followSource();
}

void ScalePlot::followSource() {
  if (series().empty()) return;
  stepAxis()->extend(series().stepAt(0));
  stepAxis()->extend(series().lastStep());
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
  fitted_.reset();
  bandLow_.clear();
  bandHigh_.clear();
  scheduleRepaint();
}

void ScalePlot::clear() {
  own_.clear();
  others_.clear();
  clearBand();
  setZoomedValues(std::nullopt);
  Plot::clear();
}

Range ScalePlot::valueRange() const {
  if (const auto zoomed = zoomedValues()) return *zoomed;
  // A frame needs the range for every mark.
  std::size_t samples = series().size() + bandLow_.size();
  for (const auto& [name, other] : others_) samples += other.size();
  const Range steps = stepAxis()->range();
  if (!fitted_ || fitted_->samples != samples || fitted_->steps != steps)
    fitted_ = Fitted{steps, samples, automaticRange(steps)};
  return fitted_->range;
}

Range ScalePlot::automaticRange(const Range& steps) const {
  const auto first = static_cast<std::int64_t>(std::floor(steps.low));
  const auto end = static_cast<std::int64_t>(std::ceil(steps.high)) + 1;
  SeriesRecord all = series().query(first, end);
  if (!all.finite()) all.add(series().empty() ? 16 : series().lastValue());
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

std::vector<Plot::PartValue> ScalePlot::partsAt(std::int64_t step) const {
  std::vector<PartValue> all;
  const auto add = [&](int part, const QString& name, const Series& log2) {
    if (isPartHidden(part)) return;
    const auto index = log2.at(step);
    const double scale = index ? std::exp2(log2.valueAt(*index)) : std::numeric_limits<double>::quiet_NaN();
    all.push_back({part, name, scale, index ? scaleText(scale) : QStringLiteral("–")});
  };
  add(kScalePart, tr("scale"), series());
  int part = kFirstOtherPart;
  for (const auto& [name, series] : others_) add(part++, name, series);
  return all;
}

// Scales change by factors.
QString ScalePlot::changeText(const PartValue& from, const PartValue& to) const {
  if (std::isnan(from.value) || std::isnan(to.value)) return QStringLiteral("–");
  const bool grows = to.value >= from.value;
  const double factor = grows ? to.value / from.value : from.value / to.value;
  const bool few = factor < 10'000 && factor == std::floor(factor);
  const QString text = few ? grouped(static_cast<std::int64_t>(factor)) : scaleText(factor);
  return (grows ? QStringLiteral("× %1") : QStringLiteral("÷ %1")).arg(text);
}

void ScalePlot::setBandSentence(const QString& sentence, const QString& brief) {
  bandSentence_ = sentence;
  bandBrief_ = brief;
  update();
}

QString ScalePlot::valuesAt(std::int64_t step) const {
  QStringList values;
  for (const PartValue& each : partsAt(step)) {
    values << (each.part == kScalePart ? each.name + QLatin1Char(' ') + each.text
                                       : tr("%1: %2").arg(each.name, each.text));
  }
  QString text = values.join(QLatin1Char('\n'));
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
  const auto index = series().at(step);
  if (!index) return std::nullopt;
  double nearest = series().valueAt(*index);
  for (const auto& [name, series] : others_) {
    const auto at = value ? series.at(step) : std::nullopt;
    if (at && std::fabs(series.valueAt(*at) - *value) < std::fabs(nearest - *value)) nearest = series.valueAt(*at);
  }
  // A scale is a float32; the logarithm has lost the last bits of a double.
  return PickedNumber{static_cast<double>(static_cast<float>(std::exp2(nearest)))};
}

QString ScalePlot::nowText() const {
  return series().empty() ? QString() : scaleText(std::exp2(series().lastValue()));
}

QString ScalePlot::summary() const {
  const auto count = [this](MarkKind kind) { return grouped(countMarks(marks(), kind)); };
  return tr("Loss scale %1 after step %2. %3 steps skipped, %4 back-offs, %5 growths")
      .arg(nowText(), grouped(series().lastStep()), count(MarkKind::kSkipped), count(MarkKind::kBackOff),
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
  for (std::size_t i = series().lowerBound(static_cast<std::int64_t>(std::ceil(range.low))); i < series().size(); ++i) {
    const std::int64_t step = series().stepAt(i);
    if (step > last) break;
    while (skip != skips.end() && skip->last() < step) ++skip;
    const bool skipped = skip != skips.end() && skip->step <= step;
    text += csvLine({QString::number(step), plainNumber(std::exp2(series().valueAt(i))),
                     skipped ? QStringLiteral("1") : QStringLiteral("0")});
  }
  return text;
}

std::vector<Plot::LegendEntry> ScalePlot::legend() const {
  std::vector<LegendEntry> entries{{LegendEntry::Kind::kLine, tr("loss scale"), MarkKind::kSkipped, {}, kScalePart}};
  if (!bandLow_.empty())
    entries.push_back({LegendEntry::Kind::kBand, tr("safe scale band"), MarkKind::kSkipped, {}, kBandPart});
  int part = kFirstOtherPart;
  for (const auto& [name, series] : others_)
    entries.push_back({LegendEntry::Kind::kFaintLine, name, MarkKind::kSkipped, {}, part++});
  for (const MarkKind kind : {MarkKind::kSkipped, MarkKind::kBackOff, MarkKind::kGrowth, MarkKind::kPolicyEdit}) {
    entries.push_back({LegendEntry::Kind::kMark, markName(kind), kind, {}, -1});
  }
  return entries;
}

std::vector<Tick> ScalePlot::valueTicks(int most) const {
  return binadeTicks(valueRange(), most);
}

// The scales that are safe in all the steps from `first` to `last`, by the observation in force at `first` and the
// later ones; nullopt if there are none.
std::optional<Range> ScalePlot::commonBand(std::int64_t first, std::int64_t last) const {
  const auto held = bandLow_.at(first);
  const std::int64_t from = held ? bandLow_.stepAt(*held) : first;
  const SeriesRecord lows = bandLow_.query(from, last + 1);
  const SeriesRecord highs = bandHigh_.query(from, last + 1);
  if (!lows.finite() || !highs.finite() || lows.max > highs.min) return std::nullopt;
  return Range{lows.max, highs.min};
}

void ScalePlot::paintBand(QPainter& painter, const QRectF& area) const {
  if (bandLow_.empty()) return;
  const Colors& c = colors();
  const Range values = valueRange();
  const TraceFrame frame(area, valueToY(values.high), valueToY(values.low), stepAxis()->range(), values);
  const auto inside = [&](double log2) { return log2 > values.low && log2 < values.high; };
  const auto y = [&](double log2) { return frame.y(std::clamp(log2, values.low, values.high)); };
  const std::int64_t latest = std::max(bandLow_.lastStep(), series().empty() ? 0 : series().lastStep());
  QPainterPath gap;
  // Edges that differ from one observation to the next would look like a bar code: a few pixels share one band. Bins
  // are of steps, so that edges stay where they are while the axis scrolls.
  const auto bin =
      std::max<std::int64_t>(1, std::llround(frame.step(area.left() + kBandBin) - frame.step(area.left())));
  std::int64_t bin_shown = -1;
  std::optional<Range> common;
  std::optional<QPointF> before;  // y of the edges of the column before: high, low
  for (double x = area.left(); x < area.right(); x += 1) {
    const auto step = static_cast<std::int64_t>(std::floor(frame.step(x)));
    if (step > latest) break;
    const auto index = bandLow_.at(step);
    const std::optional<QPointF> last = std::exchange(before, std::nullopt);
    if (!index) continue;
    double low = bandLow_.valueAt(*index);
    double high = bandHigh_.valueAt(*index);
    if (step / bin != bin_shown) {
      bin_shown = step / bin;
      common = commonBand(bin_shown * bin, bin_shown * bin + bin - 1);
    }
    if (common) {
      low = std::max(low, common->low);
      high = std::min(high, common->high);
    }
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
    // Each edge is one line: where it steps, it is drawn upright.
    const auto riser = [&](double from, double to) {
      if (std::fabs(from - to) > 1)
        painter.fillRect(QRectF(x, std::min(from, to), 1, std::fabs(from - to)), c.bandEdge);
    };
    if (last) {
      riser(last->x(), top);
      riser(last->y(), bottom);
    }
    before = QPointF(top, bottom);
  }
  if (gap.isEmpty()) return;
  painter.save();
  painter.setClipPath(gap, Qt::IntersectClip);
  drawHatching(painter, gap.boundingRect(), c.crimson);
  painter.restore();
}

// In the newest band, where the safe scales lie now, and only between its edges.
void ScalePlot::paintBandSentence(QPainter& painter, const QRectF& area) const {
  if (bandSentence_.isEmpty() || bandLow_.empty()) return;
  const Range values = valueRange();
  painter.setFont(textFont(11));
  const double right =
      std::min(stepToX(static_cast<double>(series().empty() ? 0 : series().lastStep())), area.right()) - 8;
  // The lines of policy edits do not run through the words.
  double edge = area.left();
  for (const Mark& mark : marks()) {
    const double x = stepToX(static_cast<double>(mark.step));
    if (mark.kind == MarkKind::kPolicyEdit && x < right) edge = std::max(edge, x);
  }
  const bool fits = textWidth(painter.font(), bandSentence_) + 10 <= right - edge;
  const QString& text = fits || bandBrief_.isEmpty() ? bandSentence_ : bandBrief_;
  const double wide = textWidth(painter.font(), text);
  const QRectF row(right - wide - 2, 0, wide + 2, 16);
  if (row.left() < area.left() + 8) return;
  // Below the line and everything that the row would cross.
  const auto from = static_cast<std::int64_t>(std::floor(xToStep(row.left())));
  const auto until = static_cast<std::int64_t>(std::ceil(xToStep(right))) + 1;
  SeriesRecord line = series().query(from, until);
  if (const auto held = series().at(from)) line.add(series().valueAt(*held));
  SeriesRecord low = bandLow_.query(from, until);
  if (const auto held = bandLow_.at(from)) low.add(bandLow_.valueAt(*held));
  if (!line.finite()) return;
  const double top = valueToY(line.min) + 18;  // leaves room for marks of back-offs
  const double bottom = low.finite() ? std::min(valueToY(std::max(low.max, values.low)), stripY() - 10) : stripY() - 10;
  if (bottom - top < row.height()) return;
  painter.setPen(colors().secondText);
  drawText(painter, row.translated(0, std::round((top + bottom - row.height()) / 2)), Qt::AlignLeft | Qt::AlignVCenter,
           text);
}

void ScalePlot::paintBandArrow(QPainter& painter, const QRectF& area, double edge, bool up) const {
  const Range values = valueRange();
  if (std::isnan(edge) || (up ? edge <= values.high : edge >= values.low)) return;
  const Colors& c = colors();
  const double y = up ? area.top() + 8 : stripY() - 14;
  const double x = area.left() + 6;
  painter.setFont(figureFont(11));
  painter.setPen(c.secondText);
  // Not a triangle, which is the mark of a back-off or a growth.
  const QString arrow = up ? QStringLiteral("↑") : QStringLiteral("↓");
  drawText(painter, {x, y - 8, 12, 16}, Qt::AlignLeft | Qt::AlignVCenter, arrow);
  constexpr double kRoomForWords = 90;  // a lower chart has marks there
  if (area.height() < kRoomForWords) return;
  QString text = up ? tr("no upper limit") : tr("no lower limit");
  if (std::isfinite(edge)) {
    const QString limit = powerOfTwo(static_cast<int>(std::lround(edge)));
    text = up ? tr("safe up to %1").arg(limit) : tr("safe down to %1").arg(limit);
  }
  drawText(painter, {x + 12, y - 8, area.width() - 24, 16}, Qt::AlignLeft | Qt::AlignVCenter, text);
}

void ScalePlot::paintOthers(QPainter& painter, const QRectF& area) const {
  const Range values = valueRange();
  painter.setFont(textFont(11));
  int part = kFirstOtherPart - 1;
  for (const auto& [name, series] : others_) {
    ++part;
    if (series.empty() || isPartHidden(part)) continue;
    const TraceFrame frame(area, valueToY(values.high), valueToY(values.low), stepAxis()->range(), values);
    TraceCanvas canvas(painter, area);
    drawStepTrace(canvas, frame, series, chosenPart() == part ? colors().dataLine : colors().faintDataLine, 1.8);
    canvas.flush();
    painter.setPen(colors().secondText);
    const double x = std::min(stepToX(static_cast<double>(series.lastStep())), area.right());
    drawText(painter, {x - 160, valueToY(series.lastValue()) - 16, 156, 14}, Qt::AlignRight | Qt::AlignVCenter, name);
  }
}

void ScalePlot::paintData(QPainter& painter, const QRectF& area) {
  const bool band = !bandLow_.empty() && !isPartHidden(kBandPart);
  if (band) paintBand(painter, area);
  paintOthers(painter, area);
  const Range values = valueRange();
  if (!isPartHidden(kScalePart)) {
    const TraceFrame frame(area, valueToY(values.high), valueToY(values.low), stepAxis()->range(), values);
    TraceCanvas canvas(painter, area);
    drawStepTrace(canvas, frame, series(), isPartFaint(kScalePart) ? colors().faintDataLine : colors().dataLine, 1.8);
  }
  if (!band) return;
  paintBandArrow(painter, area, bandHigh_.lastValue(), true);
  paintBandArrow(painter, area, bandLow_.lastValue(), false);
  paintBandSentence(painter, area);
}

double ScalePlot::lineEdge(const MarkGroup& group, bool top) const {
  SeriesRecord around = series().query(group.first, group.last + 2);
  if (!around.finite()) around.add(series().empty() ? 0 : series().lastValue());
  return valueToY(top ? around.max : around.min);
}

Plot::PlacedMarks ScalePlot::markPositions() const {
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
      // At its own step like all marks; a group is drawn at its first step, with the count after the last, and beside
      // the labels of the axis.
      constexpr double kOffLabels = 7;
      const double x = group.count > 1 ? std::max(group.x, area.left() + kOffLabels) : group.x;
      result.emplace_back(QPointF(x, y), group);
    }
  }
  return result;
}

void ScalePlot::paintForeground(QPainter& painter, const QRectF&, const PlacedMarks& placed) {
  for (const MarkKind kind : {MarkKind::kBackOff, MarkKind::kGrowth}) {
    std::vector<MarkGroup> groups;
    std::vector<double> heights;
    for (const auto& [at, group] : placed) {
      if (group.kind != kind) continue;
      drawMark(painter, kind, at);
      groups.push_back(group);
      groups.back().lastX = at.x();  // the count stands beside the mark
      heights.push_back(at.y());
    }
    painter.setFont(textFont(11));
    painter.setPen(colors().secondText);
    for (std::size_t i = 0; i < groups.size(); ++i) paintCount(painter, groups, i, heights[i]);
  }
}

void ScalePlot::zoomValues(Range range) {
  if (range.span() > 0.5) setZoomedValues(range);
}

}  // namespace binade::views
