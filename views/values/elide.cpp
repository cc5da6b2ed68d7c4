// SPDX-License-Identifier: Apache-2.0
#include "views/values/elide.h"

#include "views/values/numbers.h"

#include <QList>
#include <QRegularExpression>

#include <algorithm>
#include <vector>

namespace binade::views {

namespace {

constexpr char16_t kEllipsis = u'…';
constexpr double kSlack = 0.5;  // sums of advances are inexact

/// A number in this program's notation: sign or relation, grouped digits, superscripts, a power of ten, a unit.
const QRegularExpression& numberPattern() {
  static const QRegularExpression pattern(
      QStringLiteral("[−+±≤≥≈×<>~-]*[ \u00a0]?"
                     "\\d(?:[\\d,.'\u00a0\u202f\u2009]*\\d)?"
                     "[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*"
                     "(?:[ \u00a0]?×[ \u00a0]?10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
                     "(?:[ \u00a0](?:%|[µnm]?s|[kKMGT]?i?B)(?![\\w%]))?"));
  return pattern;
}

/// Returns the positions where the text may be cut, ascending, including both ends: not inside a number and not inside
/// a surrogate pair.
std::vector<qsizetype> places(const QString& text) {
  std::vector<bool> inside(static_cast<std::size_t>(text.size()) + 1, false);
  for (const QRegularExpressionMatch& match : numberPattern().globalMatch(text)) {
    for (qsizetype at = match.capturedStart() + 1; at < match.capturedEnd(); ++at)
      inside[static_cast<std::size_t>(at)] = true;
  }
  std::vector<qsizetype> found;
  for (qsizetype at = 0; at <= text.size(); ++at) {
    const bool in_pair = at > 0 && at < text.size() && text[at - 1].isHighSurrogate();
    if (!inside[static_cast<std::size_t>(at)] && !in_pair) found.push_back(at);
  }
  return found;
}

bool endsInFigure(const QString& text) {
  static const QRegularExpression figure(QStringLiteral("[\\d⁰¹²³⁴⁵⁶⁷⁸⁹]$"));
  return text.contains(figure);
}

/// Returns the kept beginning. A space follows a number, so that the ellipsis does not look like further digits.
QString head(const QString& text, qsizetype end) {
  QString kept = text.left(end);
  while (!kept.isEmpty() && (kept.back().isSpace() || kept.back() == u',')) kept.chop(1);
  if (endsInFigure(kept)) kept += u' ';
  return kept;
}

}  // namespace

QString elidedRight(const QString& text, const QFont& font, double width) {
  if (textWidth(font, text) <= width + kSlack) return text;
  const std::vector<qsizetype> cuts = places(text);
  for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) {
    const QString shown = head(text, *cut) + QChar(kEllipsis);
    if (*cut < text.size() && textWidth(font, shown) <= width + kSlack) return shown;
  }
  return QString(QChar(kEllipsis));
}

QString elidedMiddle(const QString& text, const QFont& font, double width) {
  if (textWidth(font, text) <= width + kSlack) return text;
  const std::vector<qsizetype> cuts = places(text);
  QString shown(QChar{kEllipsis});
  std::size_t first = 0;
  std::size_t last = cuts.size() - 1;
  bool left = true;
  bool right = true;
  // Extends both ends in turn while the next piece fits.
  while ((left || right) && first < last) {
    bool& side = left && (!right || cuts[first] <= text.size() - cuts[last]) ? left : right;
    const std::size_t from = &side == &left ? first + 1 : first;
    const std::size_t to = &side == &left ? last : last - 1;
    if (from >= to) break;
    const QString wider = head(text, cuts[from]) + QChar(kEllipsis) + text.mid(cuts[to]);
    if (textWidth(font, wider) > width + kSlack) {
      side = false;
      continue;
    }
    shown = wider;
    first = from;
    last = to;
  }
  return shown;
}

QString elidedName(const QString& name, const QFont& font, double width) {
  if (textWidth(font, name) <= width + kSlack) return name;
  // Where a part begins: after `.`, `/`, `:` or `_`, and before `#`.
  QList<qsizetype> starts;
  for (qsizetype at = 1; at < name.size(); ++at) {
    const QChar before = name[at - 1];
    const bool separates = before == u'.' || before == u'/' || before == u':' || before == u'_';
    if ((separates && name[at] != u':') || name[at] == u'#') starts << at;
  }
  const auto fits = [&](const QString& text) { return textWidth(font, text) <= width + kSlack; };
  QString shown;
  qsizetype tail = name.size();
  for (auto start = starts.rbegin(); start != starts.rend(); ++start) {
    const QString kept = QChar(kEllipsis) + name.mid(*start);
    if (!fits(kept)) break;
    shown = kept;
    tail = *start;
  }
  // Not even the last part fits.
  if (shown.isEmpty()) return elidedMiddle(name, font, width);
  for (const qsizetype start : starts) {
    const QString kept = name.left(start) + QChar(kEllipsis) + name.mid(tail);
    if (start >= tail || !fits(kept)) break;
    shown = kept;
  }
  return shown;
}

QStringList brokenLines(const QString& text, const QFont& font, double width, int most) {
  QStringList lines;
  QString rest = text;
  const auto fits = [&](const QString& line) { return textWidth(font, line) <= width + kSlack; };
  while (lines.size() + 1 < most && !fits(rest)) {
    const std::vector<qsizetype> cuts = places(rest);
    const auto breaks = [&](qsizetype at) {
      if (at <= 0 || at >= rest.size()) return false;
      const bool between = rest[at - 1] == u'/' || rest[at - 1] == u' ' || rest[at] == u' ';
      return between && fits(rest.left(at).trimmed());
    };
    const auto last = std::find_if(cuts.rbegin(), cuts.rend(), breaks);
    if (last == cuts.rend()) break;  // one long word
    lines << rest.left(*last).trimmed();
    rest = rest.mid(*last).trimmed();
  }
  return lines << elidedMiddle(rest, font, width);
}

}  // namespace binade::views
