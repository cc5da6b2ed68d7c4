// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"

#include <QString>

#include <cstddef>
#include <cstdint>

namespace binade::app {

/// The start-up group: the leading events of a run, as far as they only show that the scaler backs off from an initial
/// loss scale that is too high. Each is a gradient overflow of a dynamic scaler, at most kStartUpSteps after the run's
/// first step or after the event before it, and at a lower scale than that event (the same scale too, if the scaler
/// backs off after several overflows only). A diagnosis with another verdict than *harmless* ends the group, and so
/// does a scale below 1. Lists show the group once the optimizer takes a step after the first event: until then nothing
/// shows that a lower scale fits.
constexpr std::int64_t kStartUpSteps = 50;

/// Most events of the group. A float32 halves 276 times from its largest power of two to its smallest, so no scale
/// needs more. The run keeps at least as many of its first events, so the group never loses one.
constexpr int kMostStartUpEvents = 300;
static_assert(static_cast<std::size_t>(kMostStartUpEvents) <= RunModel::kFirstEvents);

/// Returns whether an event continues the group, provided that all events before it belong to the group.
bool continuesStartUp(const RunModel& run, int event);

/// Returns the number of events in the group. They are the first ones of the run.
int startUpEvents(const RunModel& run);

/// The heading of the group, `Start-up: 2²⁴ is too high`; the run must have an event.
QString startUpTitle(const RunModel& run);

}  // namespace binade::app
