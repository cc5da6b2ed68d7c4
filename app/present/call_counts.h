// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "engine/wire/model_info.h"

#include <QString>

namespace binade::app {

/// The number of op calls, and of those that a run executes, as used by all docks. Executed means observed, timed,
/// compared, cast for, or named by an event.
struct CallCounts {
  int model = 0;       ///< in the model
  int loss = 0;        ///< in the loss; known with a run
  int executed = 0;    ///< of both; all of them before the first observed step
  bool known = false;  ///< every op call of a step was timed, so those that are missing did not run

  int all() const { return model + loss; }
  int others() const { return all() - executed; }
};

CallCounts callCounts(const RunModel& run);
/// For an inspected model: its sites only.
CallCounts callCounts(const wire::ModelInfo& model);

/// Returns whether every op call of a step was timed, so that all others are known to be never executed.
bool knowsEveryCall(const RunModel& run);

/// Whether a table has a row for the call: it was executed, or nothing is known yet.
bool hasRow(const RunModel& run, int site);

/// `14 op calls`; with op calls in the loss `17 op calls, 3 of the loss`.
QString callsText(const CallCounts& counts);
/// Describes the rows that a table omits: `1 never executed is hidden`, `4 not observed so far are hidden`; empty if
/// there are none. `shown`: the number of such op calls that still have a row. They are listed separately:
/// `4 not observed so far`.
QString hiddenCallsText(const CallCounts& counts, int shown = 0);

}  // namespace binade::app
