// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/present/cell_model.h"
#include "app/present/event_story.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace binade::app {

namespace silent_column {
enum Column { kWhat, kFigure, kWhere, kSteps, kNext, kColumns };
}

QList<CellModel::Column> silentColumns();
/// Identifies a fault across reports by kind, place, tensor and direction.
qlonglong silentId(const wire::SilentFault& fault);
/// Rows in the report's ranking, the worst first. Ids are silentId().
QList<CellRow> silentRows(const RunModel& run, const wire::SilentReport& report);

/// `12.4 % of the gradient's norm`, `at most 3.1 % of the update`.
QString silentFigure(const wire::SilentFault& fault);
/// `seen in 12 of 40 observed steps`.
QString silentSteps(const wire::SilentFault& fault);
/// The op call; or the parameter or loss if it has none.
QString silentPlace(const RunModel& run, const wire::SilentFault& fault);
/// The op calls concerned: the fault's own, or those of the module whose parameter it names; may be empty.
std::vector<int> silentSites(const RunModel& run, const wire::SilentFault& fault);
/// What to do next.
QString silentNext(const RunModel& run, const wire::SilentFault& fault);
/// The change made by *Apply fix*; empty if the next step is not an edit.
FixChoice silentFix(const RunModel& run, const wire::SilentFault& fault);
/// What the report does not know, a sentence each.
QStringList silentGaps(const RunModel& run, const wire::SilentReport& report);
/// The fault that an event of kind kSilent refers to; null if the report no longer contains it.
const wire::SilentFault* silentFaultOf(const RunModel& run, const wire::Event& event);
/// Explains the fault from first principles.
QString whySilent(const wire::SilentFault& fault);

}  // namespace binade::app
