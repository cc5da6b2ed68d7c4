// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/literal_text.h"

#include <nlohmann/json.hpp>

namespace binade::targets {

std::string literal_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace);
}

}  // namespace binade::targets
