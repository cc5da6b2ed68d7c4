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

QString menuText(QString name) {
  return name.replace(u'&', QStringLiteral("&&"));
}

}  // namespace binade::views
