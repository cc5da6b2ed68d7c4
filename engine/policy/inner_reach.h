// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <span>
#include <string_view>

namespace binade::policy {

/// Whether a change of `op` (`aten::mm`, or one overload: `aten::mm.out`) may act inside an op call, where site rules
/// do not: the op call runs `op`, as an LSTM runs `aten::linear`, and base list and rules leave it alone. True if
/// that is unknown. False if the op call runs `op` only inside ops that `table` gives a format, as an LSTM runs
/// `aten::mm` inside `aten::linear`: no change acts there. `table` has `decision`, which is the op call's.
bool op_change_reaches_inside(std::string_view op, const SiteKey& site, const SitePlace& place, const Resolved& table,
                              const Decision& decision);

/// Whether that holds for some op call of a model. `table` is resolve() of these op calls. True if `places` is empty,
/// since that is then unknown.
bool op_change_reaches_inside(std::string_view op, std::span<const SiteKey> sites, std::span<const SitePlace> places,
                              const Resolved& table);

}  // namespace binade::policy
