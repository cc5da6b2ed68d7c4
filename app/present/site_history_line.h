// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"

#include <QList>

namespace binade::app {

/// The least doublings left of an op call's tensors over the whole run, in `points` equal parts of its observed steps,
/// oldest first: with the loss scale of each observation, not today's. NaN: not observed in that part. Empty if its
/// tensors have no histograms. O(columns of its histograms).
QList<double> headroomHistory(const RunModel& run, int site, int points);

}  // namespace binade::app
