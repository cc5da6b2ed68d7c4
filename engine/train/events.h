// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <span>
#include <string>
#include <vector>

namespace binade::train {

/// What in a step went beyond a format, each with the sentence that a person reads first: values of the forward, then
/// the loss, then gradients. `watched` by id; `bad_parameters` as StepOutcome has them. Infinities that do no harm
/// (attention masks) are no event. `found`: why the step was not finite, where it was replayed. Its first causes are
/// then one event, and what only followed from them, or was asked for, is none.
std::vector<wire::Event> events_of(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                   std::span<const wire::SiteInfo> sites, std::span<const std::string> bad_parameters,
                                   const wire::Diagnosis* found = nullptr);

/// What explain_vanished() found of a step, as an event.
wire::Event vanished_event(const wire::StepRecord& record, const wire::Diagnosis& found,
                           std::span<const wire::SiteInfo> sites);

/// `2^19` for a power of two, else the number: how people write a loss scale.
std::string scale_text(double scale);

}  // namespace binade::train
