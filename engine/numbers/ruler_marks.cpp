// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/ruler_marks.h"

#include "engine/numbers/layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace binade::numbers {

namespace {

using formats::Format;

/// Position of a number in the order of its format's values: 0 for both zeros, 1 for the smallest subnormal.
std::int64_t ordinal_of(const Number& number) {
  const std::uint32_t sign = Layout(number.format).sign;
  const auto magnitude = static_cast<std::int64_t>(number.bits & (sign - 1));
  return is_negative(number) ? -magnitude : magnitude;
}

Number number_at(std::int64_t ordinal, const Format& format) {
  const auto magnitude = static_cast<std::uint32_t>(std::abs(ordinal));
  return {format, ordinal < 0 ? magnitude | Layout(format).sign : magnitude};
}

/// Collects the parts of spans that lie in an interval.
class SpansWithin {
 public:
  SpansWithin(double low, double high) : low_(low), high_(high) {}

  void add(RulerMarks::Span span) {
    span.from = std::max(span.from, low_);
    span.to = std::min(span.to, high_);
    if (span.from < span.to) spans_.push_back(span);
  }
  /// Adds the span with the opposite sign. 0 stays positive.
  void add_mirrored(const RulerMarks::Span& span) { add({0 - span.to, 0 - span.from, span.spacing, span.subnormal}); }
  std::vector<RulerMarks::Span> take() { return std::move(spans_); }

 private:
  double low_, high_;
  std::vector<RulerMarks::Span> spans_;
};

RulerMarks::Span binade_span(int exponent, const Format& format) {
  const bool top = exponent == format.max_exponent();
  return {std::ldexp(1.0, exponent), top ? format.largest() : std::ldexp(1.0, exponent + 1),
          std::ldexp(1.0, exponent - format.mantissa_bits), false};
}

}  // namespace

RulerMarks marks_between(double low, double high, const Format& format, std::size_t most) {
  RulerMarks marks;
  // Rounding outwards beyond the largest number gives the pattern after it, which is not counted.
  const auto end = static_cast<std::int64_t>(Layout(format).largest);
  const std::int64_t first = std::max(ordinal_of(round_to({low}, format).above), -end);
  const std::int64_t last = std::min(ordinal_of(round_to({high}, format).below), end);
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(last - first + 1, 0));
  marks.count = static_cast<double>(count);
  if (count <= most) {
    marks.numbers.reserve(count);
    for (std::int64_t ordinal = first; ordinal <= last; ++ordinal) {
      marks.numbers.push_back(number_at(ordinal, format));
    }
  }
  SpansWithin spans(low, high);
  const RulerMarks::Span subnormals{0, format.smallest_normal(), format.smallest_subnormal(), true};
  const int bottom = format.min_exponent();
  const int top = format.max_exponent();
  for (int exponent = top; exponent >= bottom; --exponent) spans.add_mirrored(binade_span(exponent, format));
  spans.add_mirrored(subnormals);
  spans.add(subnormals);
  for (int exponent = bottom; exponent <= top; ++exponent) spans.add(binade_span(exponent, format));
  marks.spans = spans.take();
  return marks;
}

}  // namespace binade::numbers
