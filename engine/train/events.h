// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <span>
#include <string>
#include <vector>

namespace binade::train {

/// What in a step went beyond a format, each with the sentence that a person reads first: values of the forward, then
/// the loss, then gradients. `watched` by id; `bad_parameters` as StepOutcome has them. Infinities that do no harm
/// (attention masks) are no event.
std::vector<wire::Event> events_of(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                   std::span<const wire::SiteInfo> sites, std::span<const std::string> bad_parameters);

/// Gives the event of a step that was not finite its diagnosis, whose sentence it then has; makes one where none of
/// `events` is about the loss or the gradients.
void add_diagnosis(std::vector<wire::Event>& events, const wire::StepRecord& record, const wire::Diagnosis& diagnosis,
                   std::span<const wire::SiteInfo> sites);

/// `2^19` for a power of two, else the number: how people write a loss scale.
std::string scale_text(double scale);

}  // namespace binade::train
