// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "engine/wire/savings.h"

#include <QList>
#include <QString>

#include <vector>

namespace binade::app {

/// One figure of what an edit would save.
struct SavingsFact {
  QString name;   ///< `bytes that casts write in a step`
  QString value;  ///< `102.8 MB → 98.0 MB (−4.8 MB)`; a reason where nothing was measured, never a zero for it
};

/// `float16 for 3 op calls`, `the base list for fc/aten::linear#0`. `format`: empty for the base list.
QString savingsHeadline(const RunModel& run, const std::vector<int>& sites, const QString& format);

/// What the run knows already about these op calls, and what was measured of the edit; null: it is being measured, or
/// cannot be. With one op call and no measurement, the cast ledger's figures of the same edit.
QList<SavingsFact> savingsFacts(const RunModel& run, const std::vector<int>& sites, const QString& format,
                                const wire::Savings* measured);

/// Returns what is needed to measure an edit of this run; empty: nothing, the engine can be asked.
QString savingsNeed(const RunModel& run);

}  // namespace binade::app
