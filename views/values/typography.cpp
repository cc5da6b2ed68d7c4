// SPDX-License-Identifier: Apache-2.0
#include "views/values/typography.h"

#include "views/values/numbers.h"

#include <QLocale>
#include <QRegularExpression>

namespace binade::views {

namespace {

/// Replaces a group of each match.
template <class Make>
QString replaced(const QString& text, const QRegularExpression& pattern, int group, const Make& make) {
  QString made;
  qsizetype from = 0;
  for (const QRegularExpressionMatch& match : pattern.globalMatch(text)) {
    made += QStringView(text).sliced(from, match.capturedStart(group) - from);
    made += make(match);
    from = match.capturedEnd(group);
  }
  made += QStringView(text).sliced(from);
  return made;
}

}  // namespace

QString typeset(const QString& text) {
  static const QRegularExpression power(QStringLiteral("2\\^(-?\\d{1,4})"));
  static const QRegularExpression step(QStringLiteral("\\bsteps? (\\d{4,15})\\b"));
  const QString raised = replaced(
      text, power, 0, [](const QRegularExpressionMatch& match) { return powerOfTwo(match.capturedView(1).toInt()); });
  return replaced(raised, step, 1,
                  [](const QRegularExpressionMatch& match) { return grouped(match.capturedView(1).toLongLong()); });
}

QString typeset(const std::string& text) {
  return typeset(QString::fromStdString(text));
}

QString typesetFigures(const std::string& text) {
  // No part of a hexadecimal number (`0x1e38`), of a name (`layer-1e5`) or of a file's name (`1e5.pt`).
  static const QRegularExpression exponent(
      QStringLiteral("(?<![\\w.])(?<![\\w.]-)(\\d+(?:\\.\\d+)?)e([+-]?\\d{1,3})\\b(?!\\.\\w)"));
  // A minus begins a number: no hyphen within a name, no option.
  static const QRegularExpression minus(QStringLiteral("(?<![\\w.#-])-(?=\\d|inf\\b)"));
  const QString raised = replaced(typeset(text), exponent, 0, [](const QRegularExpressionMatch& match) {
    const QString power = QStringLiteral("10") + powerOfTwo(match.capturedView(2).toInt()).sliced(1);
    if (match.capturedView(1) == QLatin1String("1")) return power;
    return match.captured(1) + QStringLiteral(" × ") + power;
  });
  return replaced(raised, minus, 0, [](const QRegularExpressionMatch&) { return QStringLiteral("−"); });
}

QString typesetNumber(const std::string& text) {
  static const QRegularExpression number(
      QStringLiteral("^-?(0|[1-9]\\d{0,17})(\\.\\d+)?(?:e[+-]?\\d{1,3})?(?: [^\\d\\s]+)?$"));
  QString made = typesetFigures(text);
  const QRegularExpressionMatch match = number.match(QString::fromStdString(text));
  if (!match.hasMatch()) return made;
  const QString whole = match.captured(1);
  QString decimals = match.captured(2);
  if (!decimals.isEmpty()) decimals.replace(0, 1, QLocale().decimalPoint());
  // The sign before it keeps its length; of `1e-5`, the first digit of `10⁻⁵` is meant, which stays.
  return made.replace(match.capturedStart(1), whole.size() + match.capturedLength(2),
                      wholeNumber(whole.toLongLong()) + decimals);
}

QString wholeNumber(std::int64_t value) {
  constexpr std::int64_t kUngrouped = 9999;
  if (value > kUngrouped || value < -kUngrouped) return grouped(value);
  return QString::number(value).replace(QLatin1Char('-'), QChar(u'−'));
}

QString menuText(QString name) {
  return name.replace(u'&', QStringLiteral("&&"));
}

}  // namespace binade::views
