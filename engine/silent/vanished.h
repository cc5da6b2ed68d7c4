// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/silent/sign.h"

#include <vector>

namespace binade::silent {

/// Signs of overflows whose infinity vanishes before the loss.
std::vector<Sign> vanished_signs(const Evidence& evidence);

}  // namespace binade::silent
