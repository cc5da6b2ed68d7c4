// SPDX-License-Identifier: Apache-2.0
#include "app/window/fuzzy_match.h"

#include <QStringList>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace binade::app {

namespace {

constexpr int kAtWordStart = 8;
constexpr int kInARow = 5;
constexpr int kLetter = 1;

bool startsWord(const QString& text, qsizetype at) {
  if (at == 0) return true;
  const QChar before = text[at - 1];
  return !before.isLetterOrNumber() || (before.isLower() && text[at].isUpper());
}

// For each letter of the part, the best score with that letter at each place of the text.
std::optional<int> scoreOfPart(const QString& part, const QString& text) {
  constexpr int kNone = -1;
  const auto size = static_cast<std::size_t>(text.size());
  std::vector<int> before(size + 1, 0);  // [i]: the letters so far, the last one just before i
  bool first = true;
  for (const QChar letter : part) {
    std::vector<int> now(size + 1, kNone);
    int best = first ? 0 : kNone;  // of all earlier places
    for (std::size_t i = 0; i < size; ++i) {
      if (!first) best = std::max(best, before[i]);
      if (best == kNone || text[static_cast<qsizetype>(i)].toCaseFolded() != letter.toCaseFolded()) continue;
      const int next_to = first || before[i] == kNone ? kNone : before[i] + kInARow;
      now[i + 1] = kLetter + (startsWord(text, static_cast<qsizetype>(i)) ? kAtWordStart : 0) + std::max(best, next_to);
    }
    before = std::move(now);
    first = false;
  }
  const int score = *std::max_element(before.begin(), before.end());
  return score == kNone ? std::nullopt : std::optional(score);
}

}  // namespace

std::optional<int> fuzzyScore(const QString& typed, const QString& text) {
  int score = 0;
  for (const QString& part : typed.split(QChar(u' '), Qt::SkipEmptyParts)) {
    const std::optional<int> one = scoreOfPart(part, text);
    if (!one) return std::nullopt;
    score += *one;
  }
  // Of two texts that fit alike the shorter one holds less that was not asked for.
  return typed.trimmed().isEmpty() ? 0 : score * 256 - static_cast<int>(std::min<qsizetype>(text.size(), 255));
}

}  // namespace binade::app
