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
/// The dearest first. Ids are places in CastLedger::lines.
QList<CellRow> castRows(const RunModel& run, const wire::CastLedger& ledger);

/// The rule that removes a cast; nothing where no edit does.
std::optional<policy::SiteRule> removingRule(const wire::CastLine& line);

}  // namespace binade::app
