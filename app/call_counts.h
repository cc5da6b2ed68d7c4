// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run_model.h"
#include "engine/wire/model_info.h"

#include <QString>

namespace binade::app {

/// How many op calls there are, and how many of them a run executes: what every dock counts by. Executed is what was
/// observed, timed, compared, cast for, or named by an event.
struct CallCounts {
  int model = 0;       ///< of the model
  int loss = 0;        ///< of the loss, which come with a run
  int executed = 0;    ///< of both; before the first look at a step all of them
  bool known = false;  ///< every call of a step was timed: what was not met is not executed

  int all() const { return model + loss; }
  int others() const { return all() - executed; }
};

CallCounts callCounts(const RunModel& run);
/// Of a model that was inspected: its sites alone.
CallCounts callCounts(const wire::ModelInfo& model);

/// Whether a call that was not met is known to be never executed: every call of a step was timed.
bool knowsEveryCall(const RunModel& run);

/// Whether a table has a row for the call: it was executed, or nothing is known yet.
bool hasRow(const RunModel& run, int site);

/// `14 op calls`; where the loss has some of them `17 op calls, 3 of the loss`.
QString callsText(const CallCounts& counts);
/// What is left out of a table: `1 never executed is hidden`, `4 not met so far are hidden`; empty where nothing is.
/// `shown`: so many of them still have a row, and are told apart: `4 not met so far`.
QString hiddenCallsText(const CallCounts& counts, int shown = 0);

}  // namespace binade::app
