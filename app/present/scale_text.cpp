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
  if (!ok) value = QLocale().toDouble(plain, &ok);
  if (!ok) value = QLocale::c().toDouble(plain, &ok);
  if (!ok || !std::isfinite(value) || value <= 0) return std::nullopt;
  return value;
}

}  // namespace binade::app
