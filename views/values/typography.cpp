// SPDX-License-Identifier: Apache-2.0
#include "views/values/typography.h"

#include "views/values/numbers.h"

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
  static const QRegularExpression exponent(QStringLiteral("\\de([+-]\\d{1,3})\\b"));
  // A minus begins a number: no hyphen within a name, no option.
  static const QRegularExpression minus(QStringLiteral("(?<![\\w.#-])-(?=\\d|inf\\b)"));
  const QString raised = replaced(typeset(text), exponent, 0, [](const QRegularExpressionMatch& match) {
    const QString power = powerOfTwo(match.capturedView(1).toInt()).sliced(1);
    return QString(match.captured(0).front()) + QStringLiteral(" × 10") + power;
  });
  return replaced(raised, minus, 0, [](const QRegularExpressionMatch&) { return QStringLiteral("−"); });
}

QString menuText(QString name) {
  return name.replace(u'&', QStringLiteral("&&"));
}

}  // namespace binade::views
