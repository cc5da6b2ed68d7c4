// SPDX-License-Identifier: Apache-2.0
#include "views/numbers/format_ruler.h"

#include "views/theme.h"
#include "views/values/format_name.h"
#include "views/values/numbers.h"

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kRulerNames = 144;
constexpr double kRulerRight = 14;
constexpr double kRulerTop = 20;
constexpr double kRulerBottom = 26;
constexpr double kLeastLane = 34;
constexpr double kMostLane = 54;
constexpr double kLaneBar = 12;
/// Numbers of the selected format on each side of the value that `Fit to value` shows.
constexpr int kNeighbours = 6;

}  // namespace

FormatRuler::FormatRuler(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Ruler of formats"));
  setAttribute(Qt::WA_OpaquePaintEvent);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setMinimumWidth(320);
}

void FormatRuler::setFormats(std::vector<formats::Format> formats) {
  formats_ = std::move(formats);
  selected_ = std::clamp(selected_, 0, std::max(0, laneCount() - 1));
  setMinimumHeight(static_cast<int>(kRulerTop + kRulerBottom + kLeastLane * laneCount()));
  if (fitted_) fit();
  layOut();
}

void FormatRuler::setShown(const ShownNumber& shown) {
  shown_ = shown;
  describe();
  update();
}

void FormatRuler::setSelected(const formats::Format& format) {
  const auto found = std::find(formats_.begin(), formats_.end(), format);
  if (found == formats_.end()) return;
  selected_ = static_cast<int>(found - formats_.begin());
  if (fitted_) fit();
  describe();
  update();
}

void FormatRuler::setScale(RulerAxis::Scale scale) {
  if (axis_.scale() == scale) return;
  const Range values = axis_.values();
  const bool whole = fitted_;
  axis_.set(scale, axis_.range());
  if (whole || (axis_.isLog() && values.low <= 0)) return fit();
  showValues(values.low, values.high);
}

void FormatRuler::showValues(double low, double high) {
  if (!(low < high)) return;
  axis_.showValues(axis_.scale(), {low, high});
  fitted_ = false;
  layOut();
}

void FormatRuler::setCursorValue(std::optional<double> value) {
  cursor_ = value;
  describe();
  update();
}

void FormatRuler::fit() {
  fitted_ = true;
  if (formats_.empty()) return;
  if (axis_.isLog()) {
    double low = formatAt(0).subnormal_exponent();
    double high = formatAt(0).max_exponent();
    for (const formats::Format& format : formats_) {
      low = std::min<double>(low, format.subnormal_exponent());
      high = std::max<double>(high, format.max_exponent());
    }
    // Room for the labels at the ends.
    const double beside = (high - low) * 0.06 + 2;
    axis_.set(RulerAxis::Scale::kLog2, {low - beside, high + 1 + beside});
  } else {
    constexpr double kBeside = 1.15;
    const double largest = formatAt(selected_).largest() * kBeside;
    axis_.set(RulerAxis::Scale::kLinear, {-largest, largest});
  }
  layOut();
}

void FormatRuler::fitToValue() {
  if (formats_.empty()) return;
  const numbers::Number nearest =
      numbers::round_to(shown_.real, formatAt(selected_), formats::Overflow::kSaturate).number;
  const double centre = numbers::value(nearest);
  if (!std::isfinite(centre)) return fit();
  const double wide = kNeighbours * numbers::ulp(nearest);
  if (!axis_.isLog()) return showValues(centre - wide, centre + wide);
  const double size = std::fabs(centre);
  if (size == 0) return fit();
  // A quarter of the smallest numbers, because there the next lower one is 0.
  showValues(std::max(size - wide, size / 4), size + wide);
}

void FormatRuler::layOut() {
  lanes_.clear();
  const double wide = plotArea().width();
  for (const formats::Format& format : formats_) lanes_.push_back(rulerLane(axis_, format, wide));
  describe();
  update();
}

QRectF FormatRuler::plotArea() const {
  return {kRulerNames, kRulerTop, std::max(8.0, width() - kRulerNames - kRulerRight),
          std::max(8.0, height() - kRulerTop - kRulerBottom)};
}

double FormatRuler::laneHigh() const {
  return std::clamp(plotArea().height() / std::max(1, laneCount()), kLeastLane, kMostLane);
}

QRectF FormatRuler::laneBox(int lane) const {
  const QRectF area = plotArea();
  return {area.left(), std::round(area.top() + lane * laneHigh()), area.width(), std::floor(laneHigh())};
}

QRectF FormatRuler::barBox(int lane) const {
  const QRectF box = laneBox(lane);
  // The line below the bar holds the arrow and its text.
  constexpr double kArrowLine = 15;
  const double spare = box.height() - kLaneBar - kArrowLine;
  return {box.left(), std::round(box.top() + spare / 2), box.width(), kLaneBar};
}

double FormatRuler::xOf(double value) const {
  return plotArea().left() + rulerX(axis_, value, plotArea().width());
}

double FormatRuler::pixel() const {
  return axis_.range().span() / plotArea().width();
}

double FormatRuler::coordinateAt(double x) const {
  return axis_.range().low + (x - plotArea().left()) * pixel();
}

double FormatRuler::valueAt(double x) const {
  return axis_.snapped(coordinateAt(x), pixel());
}

int FormatRuler::laneAt(double y) const {
  const double lane = std::floor((y - plotArea().top()) / laneHigh());
  return lane >= 0 && lane < laneCount() ? static_cast<int>(lane) : -1;
}

numbers::Real FormatRuler::subject() const {
  const auto at = pointed();
  return at ? numbers::Real{*at} : shown_.real;
}

numbers::Rounded FormatRuler::rounding(int lane) const {
  const formats::Format& format = formatAt(lane);
  return pointed() ? numbers::round_to(subject(), format, shown_.overflow) : shown_.in(format);
}

QString FormatRuler::roundingText(int lane) const {
  const numbers::Rounded rounded = rounding(lane);
  const double number = numbers::value(rounded.number);
  // As many figures as tell the format's numbers apart.
  const int figures = std::max(6, 2 + (formatAt(lane).mantissa_bits + 1) * 3 / 10);
  QString text = QStringLiteral("→ ") + briefText(number, figures);
  const auto add = [&text](const QString& part) { text += QStringLiteral(" · ") + part; };
  if (const QString effect = roundingEffect(subject(), rounded); !effect.isEmpty()) {
    add(rounded.tie ? tr("%1 (tie)").arg(effect) : effect);
    return text;
  }
  if (std::isnan(number)) return text;
  if (rounded.exact) {
    add(tr("exact"));
    return text;
  }
  const bool down = rounded.number == rounded.below;
  if (rounded.tie) {
    add(down ? tr("tie, down to even") : tr("tie, up to even"));
  } else {
    add(down ? tr("down") : tr("up"));
  }
  const double gap = numbers::value(rounded.above) - numbers::value(rounded.below);
  if (std::isfinite(gap)) add(tr("gap %1").arg(briefText(gap)));
  return text;
}

QLineF FormatRuler::arrow(int lane) const {
  const numbers::Real real = subject();
  if (std::isnan(real.nearest)) return {};
  const QRectF area = plotArea();
  double number = numbers::value(rounding(lane).number);
  // NaN is where overflow leads in a format without infinity.
  if (std::isnan(number)) number = std::copysign(HUGE_VAL, real.nearest);
  const double y = barBox(lane).bottom() + 8;
  const auto within = [&](double value) { return std::clamp(xOf(value), area.left(), area.right()); };
  return {within(real.nearest), y, within(number), y};
}

QString FormatRuler::laneTip(int lane) const {
  const formats::Format& format = formatAt(lane);
  const QString ends = format.finite_only ? tr("no infinity") : tr("infinity beyond it");
  return tr("%1: largest %2 (%3), smallest normal %4, smallest subnormal %5, %6 significant bits")
      .arg(formatName(format), exactText(format.largest()), ends, powerOfTwo(format.min_exponent()),
           powerOfTwo(format.subnormal_exponent()))
      .arg(format.mantissa_bits + 1);
}

QStringList FormatRuler::lines() const {
  const Range values = axis_.values();
  QStringList parts{(axis_.isLog() ? tr("Logarithmic scale from %1 to %2") : tr("Linear scale from %1 to %2"))
                        .arg(briefText(values.low), briefText(values.high))};
  parts << (pointed() ? tr("Pointed at %1") : tr("Value %1")).arg(plainNumber(subject().nearest));
  for (int lane = 0; lane < laneCount(); ++lane)
    parts << formatName(formatAt(lane)) + QLatin1Char(' ') + roundingText(lane);
  return parts;
}

void FormatRuler::describe() {
  setAccessibleDescription(formats_.empty() ? QString() : lines().join(QStringLiteral(". ")));
}

QSize FormatRuler::sizeHint() const {
  return {640, static_cast<int>(kRulerTop + kRulerBottom + kMostLane * laneCount())};
}

}  // namespace binade::views
