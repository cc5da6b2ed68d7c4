// SPDX-License-Identifier: Apache-2.0
#include "views/plot/heat_map.h"

#include "views/plot/csv.h"
#include "views/plot/empty_text.h"
#include "views/plot/heat_window.h"
#include "views/plot/shares.h"
#include "views/values/numbers.h"

#include <QAction>
#include <QMenu>

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::views {

HeatMap::HeatMap(StepAxis* steps, BinadeAxis* binades, QWidget* parent)
    : Plot(steps, parent), binades_(binades ? binades : new BinadeAxis(this)) {
  setTitle(tr("Values by binade"));
  setHeaderVisible(false);
  setEmptyText(tr("No tensor selected"), tr("Click an op call to see its tensor's binades, step by step."));
  connect(binades_, &BinadeAxis::rangeChanged, this, &HeatMap::scheduleRepaint);
  connect(stepAxis(), &StepAxis::rangeChanged, this, &HeatMap::applyZoom);
}

void HeatMap::appendColumn(std::int64_t step, const formats::TensorStats& stats, double scaleLog2) {
  if (!columns_.append(step, stats, scaleLog2)) return;
  stepAxis()->extend(step);
  const double shift = shiftAt(scaleLog2);
  if (stats.largest > 0) {
    has_values_ = true;
    binades_->include({std::log2(stats.smallest) + shift, std::log2(stats.largest) + shift});
  }
  has_non_finite_ = has_non_finite_ || stats.non_finite() > 0;
  scheduleRepaint();
}

void HeatMap::setFormat(std::optional<formats::Format> format) {
  format_ = format;
  update();
}

void HeatMap::setValues(Values values) {
  if (values_ == values) return;
  values_ = values;
  binades_->reset();
  for (std::int64_t step = std::max(columns_.firstStep(), columns_.lastStep() - HeatColumns::kSlots + 1);
       !columns_.empty() && step <= columns_.lastStep(); ++step) {
    const formats::TensorStats* stats = columns_.statsAt(step);
    if (!stats || !(stats->largest > 0)) continue;
    const double shift = shiftAt(columns_.at(step)->scaleLog2);
    binades_->include({std::log2(stats->smallest) + shift, std::log2(stats->largest) + shift});
  }
  update();
  Q_EMIT valuesChanged(values);
}

void HeatMap::setSampling(int every) {
  sampling_ = std::max(1, every);
  update();
}

void HeatMap::clear() {
  columns_.clear();
  has_values_ = false;
  has_non_finite_ = false;
  binades_->reset();
  Plot::clear();
}

// Every 4 binades where the labels have room, else every 8.
std::vector<Tick> HeatMap::valueTicks(int /*most*/) const {
  const double apart = plotArea().height() / valueRange().span() * 4;
  return binadeTicks(valueRange(), static_cast<int>(std::ceil(valueRange().span() / (apart >= kLabelLine ? 4 : 8))));
}

HeatColumn HeatMap::columnAt(double x, double width) const {
  // A step's cell is centred on it and extends to the next observation, which may come sooner than the interval.
  const auto first = static_cast<std::int64_t>(std::floor(xToStep(x) + 0.5));
  const auto end = static_cast<std::int64_t>(std::floor(xToStep(x + width) + 0.5 - 1e-9)) + 1;
  const HeatColumn here = columns_.query(first, std::max(end, first + 1));
  if (here.valid() || sampling_ == 1) return here;
  for (std::int64_t step = first - 1; step > first - sampling_; --step) {
    if (const HeatColumn* before = columns_.at(step)) return *before;
  }
  return columns_.query(first - sampling_ + 1, first);
}

void HeatMap::paintData(QPainter& painter, const QRectF& area) {
  const double ratio = painter.device() ? painter.device()->devicePixelRatioF() : 1;
  const int wide = static_cast<int>(std::ceil(area.width() * ratio));
  const int lowest = static_cast<int>(std::floor(valueRange().low));
  const int highest = static_cast<int>(std::ceil(valueRange().high));
  const int rows = highest - lowest;
  if (wide <= 0 || rows <= 0) return;

  std::array<QRgb, 256> heats;
  heats[0] = colors().panel.rgb();
  for (std::size_t i = 1; i < heats.size(); ++i) heats[i] = heatColor(static_cast<double>(i) / 255).rgb();

  QImage image(wide, rows, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  std::vector<QRectF> missing;
  const double firstX = stepToX(static_cast<double>(columns_.firstStep()) - 0.5);
  const double lastX = stepToX(static_cast<double>(columns_.lastStep()) + sampling_ - 0.5);
  for (int i = 0; i < wide; ++i) {
    const double x = area.left() + i / ratio;
    const HeatColumn column = columnAt(x, 1 / ratio);
    if (!column.valid()) {
      if (x < firstX || x >= lastX) continue;
      if (!missing.empty() && missing.back().right() > x - 0.01) {
        missing.back().setRight(x + 1 / ratio);
      } else {
        missing.emplace_back(x, area.top(), 1 / ratio, area.height());
      }
      continue;
    }
    const int shift = static_cast<int>(std::lround(shiftAt(column.scaleLog2)));
    for (int row = 0; row < rows; ++row) {
      const int binade = highest - 1 - row - shift;
      const bool inside = binade >= formats::kFirstBinade && binade <= formats::kLastBinade;
      const std::uint8_t heat =
          inside ? column.heat[static_cast<std::size_t>(binade - formats::kFirstBinade)] : std::uint8_t{0};
      reinterpret_cast<QRgb*>(image.scanLine(row))[i] = heats[heat];
    }
  }
  const QRectF target(area.left(), valueToY(highest), wide / ratio, valueToY(lowest) - valueToY(highest));
  painter.drawImage(target, image);
  for (const QRectF& gap : missing) drawVeil(painter, gap);
}

QString HeatMap::emptyReason() const {
  if (has_values_ || columns_.empty()) return {};
  return has_non_finite_ ? tr("No finite value other than 0") : tr("All values are 0");
}

void HeatMap::paintForeground(QPainter& painter, const QRectF& area, const PlacedMarks&) {
  paintWindow(painter, area);
  if (const QString reason = emptyReason(); !reason.isEmpty()) {
    drawEmptyText(painter, area, reason, tr("0 lies in no binade, so no row of this map shows it."));
  }
}

void HeatMap::paintWindow(QPainter& painter, const QRectF& area) const {
  if (!format_) return;
  painter.save();
  painter.setClipRect(area);
  const auto toY = [this](double exponent) { return valueToY(exponent); };
  if (values_ == Values::kAsHeld) {
    drawHeatWindow(painter, area, *format_, 0, toY);
    drawHeatWindowLabels(painter, area, *format_, 0, 0, toY);
  } else {
    paintMovingWindow(painter, area);
  }
  painter.restore();
}

void HeatMap::paintMovingWindow(QPainter& painter, const QRectF& area) const {
  const auto toY = [this](double exponent) { return valueToY(exponent); };
  double from = area.left();
  std::optional<float> scale;
  double highest = -1e9;
  double lowest = 1e9;
  for (double x = area.left(); x < area.right(); x += 1) {
    const HeatColumn column = columnAt(x, 1);
    if (!column.valid() || column.scaleLog2 == scale) continue;
    if (scale) drawHeatWindow(painter, {from, area.top(), x - from, area.height()}, *format_, shiftAt(*scale), toY);
    if (scale) from = x;
    scale = column.scaleLog2;
    highest = std::max(highest, shiftAt(*scale));
    lowest = std::min(lowest, shiftAt(*scale));
  }
  if (!scale) return;
  drawHeatWindow(painter, {from, area.top(), area.right() - from, area.height()}, *format_, shiftAt(*scale), toY);
  drawHeatWindowLabels(painter, area, *format_, highest, lowest, toY);
}

std::vector<Plot::PartValue> HeatMap::partsAt(std::int64_t step) const {
  const formats::TensorStats* stats = columns_.statsAt(step);
  if (!stats) return {{0, tr("largest"), std::numeric_limits<double>::quiet_NaN(), QStringLiteral("–")}};
  const double largest = static_cast<double>(stats->largest) * std::exp2(shiftAt(columns_.at(step)->scaleLog2));
  return {{0, tr("largest"), largest, figure(largest)}};
}

QString HeatMap::valuesAt(std::int64_t step) const {
  const formats::TensorStats* stats = columns_.statsAt(step);
  if (!stats) return tr("not observed at this step");
  QStringList lines;
  const double scale = std::exp2(shiftAt(columns_.at(step)->scaleLog2));
  lines << tr("largest %1").arg(figure(stats->largest * scale));
  lines << tr("zeros %1")
               .arg(share(stats->count ? static_cast<double>(stats->zero) / static_cast<double>(stats->count) : 0));
  if (stats->censored) {
    lines << tr("observed after rounding: losses are unknown");
  } else if (format_) {
    const Shares shares = sharesOf(*stats, *format_);
    lines << tr("becomes 0 %1").arg(share(shares.zero));
    lines << tr("subnormal %1").arg(share(shares.subnormal));
    lines
        << tr("overflow %1").arg((shares.overflowIsBound ? QStringLiteral("≤ ") : QString()) + share(shares.overflow));
  }
  if (stats->non_finite() > 0) {
    lines << tr("not finite %1").arg(grouped(static_cast<std::int64_t>(stats->non_finite())));
  }
  return lines.join(QLatin1Char('\n'));
}

// A cell counts the values of one binade: its number is the lower end, where the vertical axis has its label.
std::optional<PickedNumber> HeatMap::numberAt(std::int64_t step, std::optional<double> value) const {
  if (value) return PickedNumber{std::exp2(std::floor(*value)), format_};
  const formats::TensorStats* stats = columns_.statsAt(step);
  if (!stats) return std::nullopt;
  return PickedNumber{static_cast<double>(stats->largest) * std::exp2(shiftAt(columns_.at(step)->scaleLog2)), format_};
}

QString HeatMap::summary() const {
  const std::int64_t step = columns_.lastStep();
  return tr("Step %1. %2").arg(grouped(step), valuesAt(step).replace(QLatin1Char('\n'), QStringLiteral(", ")));
}

QString HeatMap::csv() const {
  const Range binades = valueRange();
  const int lowest = std::max(formats::kFirstBinade, static_cast<int>(std::floor(binades.low)));
  const int highest = std::min(formats::kLastBinade, static_cast<int>(std::ceil(binades.high)) - 1);
  QStringList header{QStringLiteral("step"), QStringLiteral("log2 loss scale"), QStringLiteral("values"),
                     QStringLiteral("zero"), QStringLiteral("not finite")};
  for (int b = lowest; b <= highest; ++b) header << QStringLiteral("2^%1").arg(b);
  QString text = csvLine(header);
  const Range range = stepAxis()->range();
  const auto last = std::min(columns_.lastStep(), static_cast<std::int64_t>(std::floor(range.high)));
  for (auto step = std::max(columns_.firstStep(), static_cast<std::int64_t>(std::ceil(range.low))); step <= last;
       ++step) {
    const formats::TensorStats* stats = columns_.statsAt(step);
    if (!stats) continue;
    QStringList row{QString::number(step), plainNumber(static_cast<double>(columns_.at(step)->scaleLog2)),
                    QString::number(stats->count), QString::number(stats->zero), QString::number(stats->non_finite())};
    for (int b = lowest; b <= highest; ++b) {
      row << QString::number(stats->binades[static_cast<std::size_t>(b - formats::kFirstBinade)]);
    }
    text += csvLine(row);
  }
  return text;
}

void HeatMap::fitValues() {
  setZoomedValues(std::nullopt);
  binades_->fit();
}

// Going back through views also changes the zoom that the step axis keeps.
void HeatMap::applyZoom() {
  if (applied_ == zoomedValues()) return;
  applied_ = zoomedValues();
  if (applied_) {
    binades_->setRange(*applied_);
  } else {
    binades_->fit();
  }
}

void HeatMap::addMenuEntries(QMenu& menu) {
  menu.addSeparator();
  QAction* held = menu.addAction(tr("Values as stored in the format"), this, [this] { setValues(Values::kAsHeld); });
  QAction* unscaled =
      menu.addAction(tr("Values divided by the loss scale"), this, [this] { setValues(Values::kUnscaled); });
  for (QAction* action : {held, unscaled}) action->setCheckable(true);
  held->setChecked(values_ == Values::kAsHeld);
  unscaled->setChecked(values_ == Values::kUnscaled);
}

}  // namespace binade::views
