// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/theme.h"

#include <QPainter>
#include <QString>

#include <cstdint>
#include <vector>

namespace binade::views {

/// Events at a step. The shape identifies the kind; colour is redundant.
enum class MarkKind {
  kSkipped,     ///< crimson x on the strip at the bottom
  kBackOff,     ///< crimson filled triangle, pointing down, below the line
  kGrowth,      ///< open triangle, pointing up, above the line
  kPolicyEdit,  ///< indigo flag on a dashed line through the chart
  kOverflow,    ///< crimson filled diamond
  kCarriedOn,   ///< crimson filled square: a NaN or infinity was passed on
  kNote,        ///< outlined indigo sheet, left of its step: the user wrote a note
};

struct Mark {
  std::int64_t step = 0;
  MarkKind kind = MarkKind::kSkipped;
  QString text;           ///< tool tip; for a policy edit also the text beside the flag
  std::int64_t more = 0;  ///< number of directly following steps with the same event

  std::int64_t last() const { return step + more; }  ///< the last of its steps
  std::int64_t count() const { return 1 + more; }    ///< number of steps that it represents
};

/// Appends a mark. An event that repeats in consecutive steps with the same text extends the previous mark, so the
/// number of marks stays bounded in a run that never recovers.
void appendMark(std::vector<Mark>& marks, const Mark& mark);

/// Returns the number of steps with marks of this kind.
std::int64_t countMarks(const std::vector<Mark>& marks, MarkKind kind);

/// Marks of one kind closer than 8 px, drawn as one with a count.
struct MarkGroup {
  MarkKind kind = MarkKind::kSkipped;
  std::int64_t first = 0;
  std::int64_t last = 0;
  double x = 0;  ///< position of the first
  double lastX = 0;
  std::int64_t count = 0;
  QString text;  ///< of the last
};

/// Legend text: `step skipped`.
QString markName(MarkKind kind);

/// Merges marks of one kind, which must be sorted by step. `toX` maps a step to a pixel. A mark joins a group if it is
/// less than `distance` px from the group's last mark.
template <typename ToX>
std::vector<MarkGroup> mergeMarks(const std::vector<Mark>& marks, MarkKind kind, ToX&& toX, double distance = 8) {
  std::vector<MarkGroup> groups;
  for (const Mark& mark : marks) {
    if (mark.kind != kind) continue;
    const double x = toX(static_cast<double>(mark.step));
    const double end = mark.more > 0 ? toX(static_cast<double>(mark.last())) : x;
    if (!groups.empty() && x - groups.back().lastX < distance) {
      MarkGroup& group = groups.back();
      group.last = mark.last();
      group.lastX = end;
      group.text = mark.text;
      group.count += mark.count();
    } else {
      groups.push_back({kind, mark.step, mark.last(), x, end, mark.count(), mark.text});
    }
  }
  return groups;
}

/// Draws one mark, about 9 px wide, centred at `at` (for a flag: the top of its pole).
void drawMark(QPainter& painter, MarkKind kind, QPointF at, const Colors& from = colors());

}  // namespace binade::views
