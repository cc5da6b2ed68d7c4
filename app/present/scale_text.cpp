// SPDX-License-Identifier: Apache-2.0
#include "app/present/scale_text.h"

#include "views/values/numbers.h"

#include <QLocale>

#include <cmath>
#include <cstdint>

namespace binade::app {

namespace {

constexpr QChar kMinus(0x2212);
constexpr QChar kRaisedMinus(0x207B);
constexpr QStringView kRaised(u"⁰¹²³⁴⁵⁶⁷⁸⁹");

// Turns `2¹⁷` into `2^17`, drops spaces, and replaces the minus sign by a hyphen.
QString plainNotation(const QString& text) {
  QString plain;
  bool raised = false;
  for (const QChar c : text) {
    const qsizetype digit = kRaised.indexOf(c);
    if (!raised && (digit >= 0 || c == kRaisedMinus)) {
      plain += u'^';
      raised = true;
    }
    if (digit >= 0) {
      plain += QString::number(digit);
    } else if (c == kRaisedMinus || c == kMinus) {
      plain += u'-';
    } else if (!c.isSpace()) {
      plain += c;
    }
  }
  return plain;
}

}  // namespace

QString scaleWithValue(double scale) {
  constexpr double kWholeBelow = 9007199254740992.0;
  const QString text = views::scaleText(scale);
  int exponent = 0;
  const bool power = std::frexp(scale, &exponent) == 0.5;
  if (!power || scale < 1 || scale >= kWholeBelow) return text;
  return QStringLiteral("%1 (%2)").arg(text, views::grouped(static_cast<std::int64_t>(scale)));
}

std::optional<double> parseScale(const QString& text) {
  const QString plain = plainNotation(text);
  double value = 0;
  bool ok = false;
  for (const QLatin1String power : {QLatin1String("2^"), QLatin1String("2**")}) {
    if (plain.startsWith(power)) value = std::ldexp(1.0, plain.mid(power.size()).toInt(&ok));
  }
  int exponent = 0;
  if (!ok) {
    // `65.536` is a power of two to a reader of German, and no other scale is meant by it.
    value = QLocale().toDouble(plain, &ok);
    ok = ok && value >= 1024 && std::frexp(value, &exponent) == 0.5;
  }
  if (!ok) {
    const std::optional<double> typed = views::typedNumber(plain);
    ok = typed.has_value();
    value = typed.value_or(0);
  }
  if (!ok || !std::isfinite(value) || value <= 0) return std::nullopt;
  return value;
}

}  // namespace binade::app
