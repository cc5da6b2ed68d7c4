// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <cstddef>
#include <string>
#include <vector>

namespace binade::policy {

/// Place of a site rule: `sites[2]`.
std::string short_place(int rule);

/// Place of a site rule with its match: `sites[2] (fc/aten::linear#0)`.
std::string place_of(const Policy& policy, int rule);

/// Place in the policy that a site's decision comes from: `sites[2]`, `ops["aten::gelu"]`, `low` or
/// `the model's own block`.
std::string place_of(const Policy& policy, const Decision& decision, const SiteKey& site);

/// What a site rule requests, without its match: `float32`, `float8_e4m3fn, gradients bfloat16, native, saturating`,
/// `bfloat16, products mxfp8`.
std::string rule_text(const SiteRule& rule);

/// A format, with its gradients' format if that is another, and its treatment of overflow if that is not the default:
/// `float8_e4m3fn, gradients float8_e5m2`, `float16, saturating`. Followed by the formats of the products, if it has
/// any.
std::string format_text(const Decision& decision);

/// A count of op calls: `1 op call`, `7 op calls`.
std::string op_calls(std::size_t count);

inline constexpr std::size_t kNamed = 3;  ///< names that first_of() lists

/// The first kNamed names and the number of others: `a, b, c and 4 more`.
std::string first_of(const std::vector<std::string>& names);

}  // namespace binade::policy
