// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/model_info.h"

#include <string>

namespace binade::wire {

/// `fc2 (linear)`, `attention (matmul#1)`, `relu#0`: the module's path, and the op that tells its calls apart.
std::string place_of(const SiteInfo& site);

}  // namespace binade::wire
