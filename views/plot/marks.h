// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/theme.h"

#include <QPainter>
#include <QString>

#include <cstdint>
#include <vector>

namespace binade::views {

/// What happened at a step. Shape tells the event, colour only helps.
enum class MarkKind {
  kSkipped,     ///< crimson x on the strip at the foot
  kBackOff,     ///< crimson filled triangle, down, below the line
  kGrowth,      ///< open triangle, up, above the line
  kPolicyEdit,  ///< indigo flag on a dashed line through the chart
  kOverflow,    ///< crimson filled diamond
  kCarriedOn,   ///< crimson filled square: a NaN or inf passed on
};

struct Mark {
  std::int64_t step = 0;
  MarkKind kind = MarkKind::kSkipped;
  QString text;           ///< tool tip; of a policy edit also the words beside the flag
  std::int64_t more = 0;  ///< steps that follow without a gap, at which the same happened

  std::int64_t last() const { return step + more; }  ///< the last of its steps
  std::int64_t count() const { return 1 + more; }    ///< how many steps it stands for
};

/// Adds a mark behind those of earlier steps. What happens at every step, the same each time, stays one mark: their
/// number does not grow with a run that never recovers.
void appendMark(std::vector<Mark>& marks, const Mark& mark);

/// How often it happened.
std::int64_t countMarks(const std::vector<Mark>& marks, MarkKind kind);

/// Marks of one kind that stand closer than 8 px, drawn as one with a count.
struct MarkGroup {
  MarkKind kind = MarkKind::kSkipped;
  std::int64_t first = 0;
  std::int64_t last = 0;
  double x = 0;  ///< position of the first
  double lastX = 0;
  std::int64_t count = 0;
  QString text;  ///< of the last
};

/// Words for the legend: `step skipped`.
QString markName(MarkKind kind);

/// Merges marks of one kind, sorted by step. `toX` maps a step to a pixel. A mark joins a group whose latest mark is
/// less than `distance` px away.
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

/// Draws one mark, about 9 px wide, centred (a flag: its pole's top).
void drawMark(QPainter& painter, MarkKind kind, QPointF at, const Colors& from = colors());

}  // namespace binade::views
