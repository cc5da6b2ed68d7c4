// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "views/values/chain_row.h"

#include <QString>

#include <string>
#include <vector>

namespace binade::app {

/// Returns the path from the first causes to their end as rows of a ChainView; ids are sites. Based on a replay if
/// there was one, else on the tensors in order of occurrence, of which the first is likely but not proved. Around a
/// proved path stand the finite value that entered the first cause, and the op calls that backward reached with finite
/// values, as far as they were recorded (finite_rows.h). The last row is the scaler's reaction.
std::vector<views::ChainRow> chainOf(const RunModel& run, const wire::Event& event);

/// Returns the event's tensor of a site in one direction: the one named by `what` (Root::what) if it was affected, else
/// the worst; null if the event has none.
const wire::EventTensor* tensorAt(const RunModel& run, const wire::Event& event, int site, wire::Direction direction,
                                  const std::string& what = {});

/// Returns the magnitudes of the argument that became infinite in its cast, from before that cast; null if the cast is
/// in the backward pass or inside the op. The event's tensors of the op call are its results.
const wire::ValueRange* beforeCast(const wire::Root& root);

}  // namespace binade::app
