// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/present/cell_model.h"
#include "engine/wire/what_if.h"

#include <QList>
#include <QString>

namespace binade::app {

QList<CellModel::Column> whatIfColumns();

/// Returns a row for each format, in the order of the answer; that of the operand's own says so. Ids are indices of
/// WhatIf::effects.
QList<CellRow> whatIfRows(const wire::WhatIf& what_if);

/// Where the figures come from: `Measured on the operand itself at step 12, in its first execution. 4,096 values; not
/// derived from a histogram.`
QString whatIfSource(const RunModel& run, const wire::WhatIf& what_if);

/// `row 12, columns 32 to 63`.
QString blockPlace(const wire::QuantizedBlock& block);

}  // namespace binade::app
