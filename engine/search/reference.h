// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/search.h"

#include <string>

namespace binade::search {

/// Whether a search takes op calls out of scaled formats: a repair of a policy that states formats of products, without
/// Limits::formats. An op call then goes back to the ordinary format of its rule.
bool leaves_scaled_formats(const Order& order);

/// The policy beside which others are trained: the base, or for a repair, whose base fails, float32 throughout. A
/// search that takes op calls out of scaled formats compares with the base without these formats.
policy::Policy reference(const Order& order);
/// That policy in words: `float32 throughout`.
std::string reference_text(const Order& order);

}  // namespace binade::search
