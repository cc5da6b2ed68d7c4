// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::views {
class StepAxis;
}

namespace binade::app {

class RunModel;
class Selection;

/// Ties the charts' shared step axis to the selection, both ways, and empties it for a new run. The connections live
/// as long as `axis` and `selection` do.
void linkSteps(views::StepAxis* axis, Selection* selection, RunModel* run);

}  // namespace binade::app
