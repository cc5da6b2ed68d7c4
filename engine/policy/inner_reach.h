// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <span>

namespace binade::policy {

/// Whether changes of whole ops may act inside some op call of a model, where site rules do not: it runs ops that lists
/// may name, as an LSTM does, and base list and rules leave it alone. `table` is resolve() of these op calls. True if
/// `places` is empty, since that is then unknown.
bool op_changes_reach_inside(std::span<const SiteKey> sites, std::span<const SitePlace> places, const Resolved& table);

}  // namespace binade::policy
