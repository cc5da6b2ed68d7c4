// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/silent/sign.h"
#include "engine/wire/model_info.h"

#include <span>
#include <vector>

namespace binade::silent {

/// Signs of overflows whose infinity vanishes before the loss. `sites` are indexed by id.
std::vector<Sign> vanished_signs(const Evidence& evidence, std::span<const wire::SiteInfo> sites);

}  // namespace binade::silent
