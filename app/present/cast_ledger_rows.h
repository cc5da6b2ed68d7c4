// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/present/cell_model.h"

#include <QList>
#include <QString>

namespace binade::app {

struct CastTotals {
  double casts = 0;  ///< per step
  double bytes = 0;
  double seconds = 0;
};
CastTotals totalsOf(const wire::CastLedger& ledger);

/// `226 casts a step`.
QString castsText(const CastTotals& totals);

QList<CellModel::Column> castColumns();
/// Identifies a cast across ledgers by op call, argument and formats. Never negative.
qlonglong castId(const wire::CastLine& line);
/// Returns the rows, the most expensive first. Ids are castId().
QList<CellRow> castRows(const RunModel& run, const wire::CastLedger& ledger);

/// Change of a step's cast traffic and forward time with the line's edit: `−401 kB · −35 µs`. Empty if it was not
/// tried.
QString removalText(const wire::CastLine& line);
/// The same as a sentence: `A step's casts then move 401 kB less. Its forward then takes 35 µs less.`
QString removalSentence(const wire::CastLine& line);

/// Describes the line: `fc2/aten::linear#0, input: a rule asks for float32. Goes away with fc2/aten::linear#0 in
/// float16. A step's casts then move 401 kB less.`
QString castDetail(const RunModel& run, const wire::CastLine& line);

/// Returns the rule that removes a cast; nullopt if no edit does.
std::optional<policy::SiteRule> removingRule(const wire::CastLine& line);

}  // namespace binade::app
