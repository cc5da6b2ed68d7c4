// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/observed.h"
#include "engine/report/page.h"
#include "engine/report/run_content.h"

// The parts of a report, in the order of the page. Pure functions of what was read. A part that the run file lacks says
// that it was not recorded.

namespace binade::report {

/// Title, outcome and key figures of the run; above them what could not be read.
Html head_of(const RunContent& run, const record::Damage& damage);

Section charts_section(const RunContent& run);
Section headroom_section(const RunContent& run, const Observed& observed);
Section gradients_section(const RunContent& run, const Observed& observed);
/// Only for runs on several ranks.
Section ranks_section(const RunContent& run);
Section op_calls_section(const RunContent& run);
Section casts_section(const RunContent& run);
Section non_finite_section(const RunContent& run);
Section silent_section(const RunContent& run);
Section events_section(const RunContent& run);
Section history_section(const RunContent& run);
Section tries_section(const RunContent& run);
Section policy_section(const RunContent& run);
Section environment_section(const RunContent& run);
Section repeat_section(const RunContent& run);

/// The range of steps of the page's charts.
StepRange range_of(const RunContent& run);
/// Marks of the steps from which on an edit was in force.
std::vector<StepMark> edits_of(const RunContent& run);

}  // namespace binade::report
