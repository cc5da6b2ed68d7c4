// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/model_info.h"
#include "engine/wire/silent_fault.h"

#include <cstddef>
#include <span>
#include <string>

// Silent faults as text. `sites` are indexed by id; an op call that they lack is named by its number.

namespace binade::words {

/// What is wrong, with the figures of the step that shows it worst.
std::string silent_sentence(const wire::SilentFault& fault, std::span<const wire::SiteInfo> sites);

/// What to do next.
std::string silent_next(const wire::SilentFault& fault, std::span<const wire::SiteInfo> sites);

/// The sentence of an event: the fault, how many others are of its kind, and what to do next.
std::string silent_headline(const wire::SilentFault& fault, std::size_t more, std::span<const wire::SiteInfo> sites);

/// What is not known, and why.
std::string silent_gap(const wire::SilentGap& gap, std::span<const wire::SiteInfo> sites);

/// What the fault's amount is a share of: `of the gradient's norm`.
std::string silent_unit(const wire::SilentFault& fault);

}  // namespace binade::words
