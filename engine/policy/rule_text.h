// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <string>

namespace binade::policy {

/// What a site rule asks for, without its match: `float32`, `float8_e4m3fn, gradients bfloat16, native, saturating`.
std::string rule_text(const SiteRule& rule);

}  // namespace binade::policy
