// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cell_model.h"
#include "app/run_model.h"

#include <QList>
#include <QString>

namespace binade::app {

/// What the run in float32 left out of the model, and where it is not float32: a line each. Empty: there is nothing to
/// tell.
QString referenceText(const RunModel& run, const wire::Float32Comparison& comparison);

/// The greater of what a site added forward and backward.
double addedBy(const wire::SiteDifference& site);
/// What a site's own error comes to: what it added, or what that grows to on the way to the loss.
double weightOf(const wire::SiteDifference& site);
/// The site that added most, by its weight; null where none added anything.
const wire::SiteDifference* worstAdded(const wire::Float32Comparison& comparison);
/// A relative error: `0.41 %`; `infinite` where the policy's value was not finite and float32's was.
QString errorText(double error);

/// What came of it: `Step 412 beside float32: conv1/aten::conv2d#0 adds the largest error, 0.81 %.`, or what a smaller
/// one grows to.
QString comparisonText(const RunModel& run, const wire::Float32Comparison& comparison);

QList<CellModel::Column> comparisonColumns();
/// As wire::ranked ranks them: those that add an error, and those that make a large one of a small one. Ids are sites.
QList<CellRow> comparisonRows(const RunModel& run, const wire::Float32Comparison& comparison);

}  // namespace binade::app
