// SPDX-License-Identifier: Apache-2.0
#include "views/numbers/shown_number.h"

#include "views/values/numbers.h"

#include <QCoreApplication>

#include <cmath>
#include <limits>

namespace binade::views {

namespace {

/// Most characters of a value that is written with all its digits.
constexpr int kMostDigits = 12;
constexpr char kNumberContext[] = "binade::views::NumberWords";

QString numberTr(const char* text) {
  return QCoreApplication::translate(kNumberContext, text);
}

QString kindText(numbers::Kind kind) {
  switch (kind) {
    case numbers::Kind::kZero:
      return numberTr("zero");
    case numbers::Kind::kSubnormal:
      return numberTr("subnormal");
    case numbers::Kind::kNormal:
      return numberTr("normal");
    case numbers::Kind::kInfinity:
      return numberTr("infinity");
    case numbers::Kind::kNan:
      break;
  }
  return numberTr("NaN");
}

bool isFinite(numbers::Kind kind) {
  return kind != numbers::Kind::kInfinity && kind != numbers::Kind::kNan;
}

}  // namespace

numbers::Rounded ShownNumber::in(const formats::Format& format) const {
  if (!pattern || pattern->format != format) return numbers::round_to(real, format, overflow);
  numbers::Rounded kept;
  kept.number = kept.below = kept.above = *pattern;
  kept.exact = true;
  if (!isFinite(numbers::kind(*pattern))) kept.error = std::numeric_limits<double>::quiet_NaN();
  return kept;
}

NumberWords numberWords(const ShownNumber& shown, const formats::Format& format) {
  const QString unknown = QStringLiteral("–");
  const numbers::Rounded rounded = shown.in(format);
  const numbers::Kind kind = numbers::kind(rounded.number);
  NumberWords words;
  words.value = exactText(numbers::value(rounded.number));
  words.kind = kindText(kind);
  words.effect = roundingEffect(shown.real, rounded);
  words.error = unknown;
  if (std::isfinite(rounded.error)) words.error = rounded.exact ? QStringLiteral("0") : figure(rounded.error);
  words.ulp = isFinite(kind) ? powerOfTwo(std::ilogb(numbers::ulp(rounded.number))) : unknown;
  words.binade = isFinite(kind) && kind != numbers::Kind::kZero ? powerOfTwo(numbers::binade(rounded.number)) : unknown;
  return words;
}

QString roundingEffect(const numbers::Real& real, const numbers::Rounded& rounded) {
  const numbers::Kind kind = numbers::kind(rounded.number);
  const formats::Format& format = rounded.number.format;
  if (std::isnan(real.nearest) && kind == numbers::Kind::kZero) return numberTr("becomes 0");
  if (rounded.exact || std::isnan(real.nearest)) return {};
  if (format.all_finite && std::fabs(real.nearest) > format.largest()) return numberTr("saturates");
  if (!std::isinf(real.nearest) && kind == numbers::Kind::kInfinity) return numberTr("overflows to infinity");
  if (kind == numbers::Kind::kNan) return numberTr("overflows to NaN");
  if (kind == numbers::Kind::kZero) return numberTr("becomes 0");
  if (isFinite(kind) && !isFinite(numbers::kind(numbers::round_to(real, format).number))) return numberTr("saturates");
  return {};
}

QString exactText(double value) {
  if (std::isnan(value)) return QStringLiteral("NaN");
  return QString::fromStdString(numbers::exact_decimal(value)).replace(u'-', u'−');
}

QString briefText(double value, int figures) {
  if (!std::isfinite(value)) return figure(value);
  int exponent = 0;
  const bool power = std::fabs(std::frexp(value, &exponent)) == 0.5;
  const double size = std::fabs(value);
  if (size >= 1 && size < 1e9 && value == std::floor(value)) return grouped(static_cast<std::int64_t>(value));
  if (power && (size < 0.01 || size > 1))
    return (value < 0 ? QStringLiteral("−") : QString()) + powerOfTwo(exponent - 1);
  QString text = exactText(value);
  return text.size() <= kMostDigits ? text : figure(value, figures);
}

QString realText(double value) {
  constexpr int kMostRealDigits = 24;
  constexpr int kRealFigures = 9;
  if (!std::isfinite(value)) return figure(value);
  const QString text = exactText(value);
  return text.size() <= kMostRealDigits ? text : QStringLiteral("≈ ") + figure(value, kRealFigures);
}

}  // namespace binade::views
