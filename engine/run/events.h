// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <span>
#include <string>
#include <vector>

namespace binade::run {

/// Returns what exceeded a format in a step: values of forward, then the loss, then gradients. `watched` is indexed by
/// id; `bad_parameters` as in StepOutcome. Harmless infinities (attention masks) are no event. `found`: the diagnosis,
/// if the step was replayed. Its first causes are then one event, and their consequences, like requested infinities,
/// are none.
std::vector<wire::Event> events_of(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                   std::span<const std::string> bad_parameters, const wire::Diagnosis* found = nullptr);

/// Returns the result of explain_vanished() as an event.
wire::Event vanished_event(const wire::StepRecord& record, const wire::Diagnosis& found);

}  // namespace binade::run
