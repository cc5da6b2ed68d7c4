// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/model_info.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace binade::words {

/// Returns whether the op call is a cast in the model's own code, which no rule changes. `site` may be null.
inline bool is_own_cast(const wire::SiteInfo* site) {
  constexpr std::array<std::string_view, 4> kCasts{"aten::to", "aten::_to_copy", "aten::type_as", "aten::copy_"};
  return site != nullptr && std::find(kCasts.begin(), kCasts.end(), site->key.op) != kCasts.end();
}

}  // namespace binade::words
