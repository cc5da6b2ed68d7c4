// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/candidates.h"

namespace binade::search {

/// Relative error that the call adds, forward or backward, times what it makes of the errors of its arguments. At least
/// 0; what was not measured counts as 0.
double error_of(const CallEvidence& call);

/// Harm to the loss, estimated from evidence about `low`, if the call computes in `format`. 0: none; an overflow counts
/// 1 or more.
double risk_of(const CallEvidence& call, const formats::Format& format, const formats::Format& low);

/// What the evidence says about computing the call in `format`.
Chance chance_of(const CallEvidence& call, const formats::Format& format, const formats::Format& low);

}  // namespace binade::search
