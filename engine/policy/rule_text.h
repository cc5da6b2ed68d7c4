// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <string>

namespace binade::policy {

/// What a site rule requests, without its match: `float32`, `float8_e4m3fn, gradients bfloat16, native, saturating`.
std::string rule_text(const SiteRule& rule);

/// A format, with its gradients' format if that is another, and its treatment of overflow if that is not the default:
/// `float8_e4m3fn, gradients float8_e5m2`, `float16, saturating`.
std::string format_text(const Decision& decision);

}  // namespace binade::policy
