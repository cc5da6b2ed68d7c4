// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/present/cell_model.h"

#include <QList>
#include <QString>

namespace binade::app {

/// Describes the model's casts that the float32 run left out, and deviations from float32, one line each. Empty: none.
QString referenceText(const RunModel& run, const wire::Float32Comparison& comparison);

/// The larger of the errors that a site added in forward and backward.
double addedBy(const wire::SiteDifference& site);
/// A site's rank in the comparison: the error that it added, or the larger one that this becomes on the way to the
/// loss.
double weightOf(const wire::SiteDifference& site);
/// The site with the largest weightOf(); null if none added an error.
const wire::SiteDifference* worstAdded(const wire::Float32Comparison& comparison);
/// A relative error: `0.41 %`; `infinite` if only float32's value was finite.
QString errorText(double error);

/// The result: `Step 412 beside float32: conv1/aten::conv2d#0 adds the largest error, 0.81 %.`, or what a smaller error
/// grows to.
QString comparisonText(const RunModel& run, const wire::Float32Comparison& comparison);

QList<CellModel::Column> comparisonColumns();
/// Rows in the order of wire::ranked: sites that add an error, and sites that amplify one. Ids are sites.
QList<CellRow> comparisonRows(const RunModel& run, const wire::Float32Comparison& comparison);

}  // namespace binade::app
