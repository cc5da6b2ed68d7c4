// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::views {
class StepAxis;
}

namespace binade::app {

class RunModel;
class Selection;

/// Connects the charts' step axis with the selection in both directions, and resets it for a new run. The connections
/// exist as long as `axis` and `selection`.
void linkSteps(views::StepAxis* axis, Selection* selection, RunModel* run);

}  // namespace binade::app
