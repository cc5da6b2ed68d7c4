// SPDX-License-Identifier: Apache-2.0
#include "views/numbers/ruler_lane.h"

#include "engine/numbers/ruler_marks.h"

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kFarAway = 1e6;  // px
/// Spans narrower than this many px are left out: the bar's ground shows them.
constexpr double kLeastDense = 0.5;

class LaneBuilder {
 public:
  LaneBuilder(const RulerAxis& axis, const formats::Format& format, double width)
      : axis_(axis), format_(format), width_(width) {}

  RulerLane build() {
    addExtents();
    const Range shown = widerByANumber();
    for (const auto& span : numbers::marks_between(shown.low, shown.high, format_, 0).spans) addSpan(span);
    addLimits();
    return std::move(lane_);
  }

 private:
  double x(double value) const { return rulerX(axis_, value, width_); }
  /// The shown values and a number on each side, so that a tie is found between two numbers that are out of sight.
  Range widerByANumber() const {
    Range shown = axis_.values();
    const double below = numbers::value(numbers::round_to({shown.low}, format_).below);
    const double above = numbers::value(numbers::round_to({shown.high}, format_).above);
    if (std::isfinite(below)) shown.low = below;
    if (std::isfinite(above)) shown.high = above;
    return shown;
  }

  bool isShown(double at) const { return at >= 0 && at <= width_; }

  RulerLane::Extent cut(double left, double right) const {
    return {std::clamp(left, 0.0, width_), std::clamp(right, 0.0, width_)};
  }

  void addExtents() {
    const double left = axis_.isLog() ? x(format_.smallest_subnormal()) : x(-format_.largest());
    const double right = x(format_.largest());
    lane_.bar = cut(left, right);
    lane_.visible = right > 0 && left < width_;
    lane_.continuesLeft = left < 0;
    lane_.continuesRight = right > width_;
    const double normal = format_.smallest_normal();
    lane_.subnormals = cut(axis_.isLog() ? left : x(-normal), x(normal));
  }

  void addSpan(const numbers::RulerMarks::Span& span) {
    if (!axis_.isLog() || !span.subnormal) return addPart(span);
    // Subnormals spread towards 0: one binade of them has half as many as the next.
    for (int exponent = format_.subnormal_exponent(); exponent < format_.min_exponent(); ++exponent) {
      numbers::RulerMarks::Span part = span;
      part.from = std::max(span.from, std::ldexp(1.0, exponent));
      part.to = std::min(span.to, std::ldexp(1.0, exponent + 1));
      if (part.from < part.to) addPart(part);
    }
  }

  void addPart(const numbers::RulerMarks::Span& span) {
    const double left = x(span.from);
    const double right = x(span.to);
    const double apart = (right - left) / ((span.to - span.from) / span.spacing);
    if (apart >= RulerLane::kApart) return addNumbers(span, apart >= RulerLane::kTieApart);
    const RulerLane::Extent shown = cut(left, right);
    if (shown.right - shown.left >= kLeastDense)
      lane_.dense.push_back({shown.left, shown.right, span.spacing, span.subnormal});
  }

  /// The numbers of a span are the multiples of its spacing. Its upper end belongs to the next span, unless it is the
  /// format's largest number; a number that two spans share is added once.
  void addNumbers(const numbers::RulerMarks::Span& span, bool ties) {
    const double first = std::ceil(span.from / span.spacing);
    const double last = std::floor(span.to / span.spacing);
    for (double index = first; index <= last; ++index) {
      const double value = index * span.spacing;
      const double at = x(value);
      if (isShown(at) && (lane_.numbers.empty() || at > lane_.numbers.back().x + 0.5))
        lane_.numbers.push_back({at, value != 0 && std::fabs(value) < format_.smallest_normal()});
    }
    if (!ties) return;
    for (double index = first; index < last; ++index) {
      const double tie = x((index + 0.5) * span.spacing);
      if (isShown(tie)) lane_.ties.push_back(tie);
    }
  }

  /// The ties beyond both ends: above the largest number, unless the format has nothing there to round to, and below
  /// the smallest positive one.
  void addLimits() {
    const double largest = format_.largest();
    const double spacing = std::ldexp(1.0, format_.max_exponent() - format_.mantissa_bits);
    if (!format_.all_finite) addLimit(largest, largest + spacing / 2);
    if (axis_.isLog()) return addLimit(format_.smallest_subnormal(), format_.underflow_limit());
    if (!format_.all_finite) addLimit(-largest, -largest - spacing / 2);
  }

  void addLimit(double number, double tie) {
    const double at = x(tie);
    if (isShown(at) && std::fabs(at - x(number)) * 2 >= RulerLane::kTieApart) lane_.ties.push_back(at);
  }

  const RulerAxis& axis_;
  const formats::Format& format_;
  double width_;
  RulerLane lane_;
};

}  // namespace

RulerLane rulerLane(const RulerAxis& axis, const formats::Format& format, double width) {
  return LaneBuilder(axis, format, width).build();
}

double rulerX(const RulerAxis& axis, double value, double width) {
  const Range range = axis.range();
  const double x = (axis.coordinate(value) - range.low) / range.span() * width;
  return std::isnan(x) ? -kFarAway : std::clamp(x, -kFarAway, kFarAway);
}

}  // namespace binade::views
