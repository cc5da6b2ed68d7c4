// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/present/cell_model.h"

#include <QList>
#include <QString>

namespace binade::app {

namespace rank_column {
enum Column { kRank, kBusy, kWaiting, kBehind, kLast, kOverflowed, kTensor, kDevice, kColumns };
}

QList<CellModel::Column> rankColumns();
/// A row for each rank, with means over the last steps up to the shown one. Ids are ranks.
QList<CellRow> rankRows(const RunModel& run);

/// Whether one rank delays the others in these steps: `Rank 1 was the last in 83 % of 200 steps, ...`. Empty for a run
/// of one process, and before its first step.
QString stragglerText(const RunModel& run);

/// `Rank 1`; with its computer if the run is on several: `Rank 1 on node-b`.
QString rankText(const RunModel& run, int rank);

}  // namespace binade::app
