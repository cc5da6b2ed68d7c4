// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/silent/sign.h"
#include "engine/wire/model_info.h"

#include <span>
#include <vector>

namespace binade::silent {

/// Relative error from which a sum counts: a hundredth, or four times what a single rounding does.
double notable_sum_error(const formats::Format& format);

/// Sums whose roundings have added up. `sites` by id.
std::vector<Sign> lost_sum_signs(const Evidence& evidence, std::span<const wire::SiteInfo> sites);

}  // namespace binade::silent
