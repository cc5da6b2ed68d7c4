// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/roles.h"

#include <QString>
#include <QStringList>
#include <QVariant>

#include <limits>
#include <vector>

namespace binade::app {

class SiteTableModel;

/// The figures of several op calls as one row; NaN: unknown for all of them.
struct GroupFigures {
  int calls = 0;
  double doublings = std::numeric_limits<double>::quiet_NaN();  ///< the least
  int least = -1;                                               ///< op call with the fewest doublings left; -1: none
  double lost = std::numeric_limits<double>::quiet_NaN();       ///< the largest
  int earlier = 0;                                              ///< overflows before the newest edits of the op calls
  int overflows = 0;                                            ///< sum, casts included
  double seconds = std::numeric_limits<double>::quiet_NaN();    ///< sum of the measured ones
  int timed = 0;                                                ///< number of those
  QStringList formats;                                          ///< each once, most frequent first
  /// views::CellExecution if all have the same format and execution, otherwise native.
  int execution = static_cast<int>(views::CellExecution::kNative);
  views::VerdictShape shape = views::VerdictShape::kNone;
  int worst = -1;     ///< the op call with that verdict; -1: none has one
  int attention = 0;  ///< number whose verdict needs attention
};

GroupFigures groupFigures(const SiteTableModel& table, const std::vector<int>& sites);

/// A cell of the row of a module, in a column of SiteTableModel except the first.
QVariant groupCell(const SiteTableModel& table, const GroupFigures& figures, int column, int role);

}  // namespace binade::app
