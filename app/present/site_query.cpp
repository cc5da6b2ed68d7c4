// SPDX-License-Identifier: Apache-2.0
#include "app/present/site_query.h"

#include <QRegularExpression>

#include <algorithm>

namespace binade::app {

namespace {

bool containsAny(const QString& text, const QStringList& parts) {
  return parts.isEmpty() || std::any_of(parts.begin(), parts.end(),
                                        [&](const QString& part) { return text.contains(part, Qt::CaseInsensitive); });
}

const QStringList& queryKeys() {
  static const QStringList keys{QStringLiteral("format:"), QStringLiteral("op:"), QStringLiteral("path:"),
                                QStringLiteral("verdict:")};
  return keys;
}

/// Returns the part of a line that ends at the cursor and contains no space.
QString wordAt(const QString& line, qsizetype cursor) {
  const QString before = line.left(cursor);
  qsizetype from = before.size();
  while (from > 0 && !before[from - 1].isSpace()) --from;
  return before.mid(from);
}

}  // namespace

SiteQuery SiteQuery::parse(const QString& text) {
  SiteQuery query;
  static const QRegularExpression spaces(QStringLiteral("\\s+"));
  for (const QString& word : text.split(spaces, Qt::SkipEmptyParts)) {
    const qsizetype colon = word.indexOf(u':');
    const QString key = word.left(std::max<qsizetype>(colon, 0)).toLower();
    QStringList* list = key == u"format"    ? &query.formats
                        : key == u"op"      ? &query.ops
                        : key == u"path"    ? &query.paths
                        : key == u"verdict" ? &query.verdicts
                                            : nullptr;
    if (list == nullptr || word.mid(colon).startsWith(u"::")) {
      query.words.append(word);
    } else {
      list->append(word.mid(colon + 1).split(u',', Qt::SkipEmptyParts));
    }
  }
  return query;
}

bool SiteQuery::isEmpty() const {
  return formats.isEmpty() && ops.isEmpty() && paths.isEmpty() && verdicts.isEmpty() && words.isEmpty();
}

bool SiteQuery::matches(const QString& path, const QString& op, const QString& format, const QString& verdict) const {
  if (!containsAny(format, formats) || !containsAny(op, ops) || !containsAny(path, paths) ||
      !containsAny(verdict, verdicts)) {
    return false;
  }
  if (words.isEmpty()) return true;
  const QString all = path + u'/' + op + u' ' + format + u' ' + verdict;
  return std::all_of(words.begin(), words.end(),
                     [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

QStringList completions(const QString& line, qsizetype cursor, const SiteVocabulary& words, qsizetype most) {
  const QString word = wordAt(line, cursor);
  if (word.isEmpty()) return {};
  QStringList first;
  QStringList then;
  const auto offer = [&](const QString& whole, const QString& value, const QString& typed) {
    if (whole.compare(word, Qt::CaseInsensitive) == 0) return;
    if (value.startsWith(typed, Qt::CaseInsensitive)) {
      first << whole;
    } else if (value.contains(typed, Qt::CaseInsensitive)) {
      then << whole;
    }
  };
  const qsizetype colon = word.indexOf(u':');
  const QString key = word.left(colon + 1).toLower();
  if (queryKeys().contains(key) && !word.mid(colon).startsWith(u"::")) {
    // The last alternative is the one that is being typed.
    const qsizetype from = std::max(colon, word.lastIndexOf(u',')) + 1;
    const QString typed = word.mid(from);
    const QStringList values = key == u"format:" ? words.formats
                               : key == u"op:"   ? words.ops
                               : key == u"path:" ? words.paths
                                                 : QStringList();
    for (const QString& value : values) offer(word.left(from) + value, value, typed);
  } else {
    for (const QString& each : queryKeys()) {
      if (each.startsWith(word, Qt::CaseInsensitive)) first << each;
    }
    const auto all = [&](const QString& prefix, const QStringList& values) {
      for (const QString& value : values) offer(prefix + value, value, word);
    };
    all(QStringLiteral("format:"), words.formats);
    all(QStringLiteral("op:"), words.ops);
    all(QStringLiteral("path:"), words.paths);
  }
  return (first + then).mid(0, most);
}

QString shortOp(const std::string& op) {
  return QString::fromStdString(op).section(QStringLiteral("::"), -1);
}

}  // namespace binade::app
