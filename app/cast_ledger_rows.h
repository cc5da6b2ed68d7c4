// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cell_model.h"
#include "app/run_model.h"

#include <QList>
#include <QString>

namespace binade::app {

struct CastTotals {
  double casts = 0;  ///< a step
  double bytes = 0;
  double seconds = 0;
};
CastTotals totalsOf(const wire::CastLedger& ledger);

/// `226 casts a step`.
QString castsText(const CastTotals& totals);

QList<CellModel::Column> castColumns();
/// Names a cast from one ledger to the next, whatever its place: by op call, argument and formats. Never negative.
qlonglong castId(const wire::CastLine& line);
/// The dearest first. Ids are those of castId().
QList<CellRow> castRows(const RunModel& run, const wire::CastLedger& ledger);

/// What a step's casts write and how long its forward takes with a line's edit, less what it is now: `−401 kB · −35
/// µs`. Empty where it was not tried.
QString removalText(const wire::CastLine& line);
/// The same as a sentence: `A step's casts then move 401 kB less. Its forward then takes 35 µs less.`
QString removalSentence(const wire::CastLine& line);

/// The line in words: `fc2/aten::linear#0, input: a rule asks for float32. Goes away with fc2/aten::linear#0 in
/// float16. A step's casts then move 401 kB less.`
QString castDetail(const RunModel& run, const wire::CastLine& line);

/// The rule that removes a cast; nothing where no edit does.
std::optional<policy::SiteRule> removingRule(const wire::CastLine& line);

}  // namespace binade::app
