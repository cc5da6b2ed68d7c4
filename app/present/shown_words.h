// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"

#include <QString>

#include <cstdint>

namespace binade::app {

/// Says of a figure which step it is of, if views show an earlier step of the run and the figure is of a later one:
/// `of step 1,402, after the shown one`. Empty otherwise.
QString laterText(const RunModel& run, std::int64_t step);

/// Says which step a table shows, if that is not the newest, and how old its figures are: `step 731, observed at 730`.
/// `observed`: the step of the newest figure; -1: none. Empty while views follow the newest step.
QString shownText(const RunModel& run, std::int64_t observed);

}  // namespace binade::app
