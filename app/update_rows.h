// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cell_model.h"
#include "app/run_model.h"

#include <QList>
#include <QString>

#include <string>

namespace binade::app {

namespace update_column {
enum Column { kParameter, kFormat, kRatio, kElements, kMoved, kLost, kLostNorm, kStep, kColumns };
}

QList<CellModel::Column> updateColumns();
/// Those that lose most first, then in the optimizer's order. Ids are places in the report.
QList<CellRow> updateRows(const wire::SilentReport& report);

/// The newest update of a parameter in words: `moves by 0.21 %, 12 of 200,704 lost`; empty where none was looked at.
QString updateText(const RunModel& run, const std::string& parameter);

/// A parameter as it is watched; null where it is not.
const TensorTrack* parameterTensor(const RunModel& run, const std::string& parameter);

}  // namespace binade::app
