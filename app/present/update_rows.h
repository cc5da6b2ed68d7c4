// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/present/cell_model.h"

#include <QList>
#include <QString>

#include <string>

namespace binade::app {

namespace update_column {
enum Column { kParameter, kFormat, kRatio, kElements, kMoved, kLost, kLostNorm, kStep, kColumns };
}

QList<CellModel::Column> updateColumns();
/// Rows with the largest losses first, then in the optimizer's order. Ids are indices in the report.
QList<CellRow> updateRows(const wire::SilentReport& report);

/// Describes the newest update of a parameter: `update ÷ weight 0.21 %, 12 of 200,704 lost`; empty without one.
QString updateText(const RunModel& run, const std::string& parameter);

/// Returns a parameter's track, or null if it is not watched.
const TensorTrack* parameterTensor(const RunModel& run, const std::string& parameter);

}  // namespace binade::app
