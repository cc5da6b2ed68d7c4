// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/resolve.h"

namespace binade::policy {

std::string SiteKey::name() const {
  std::string text = path;
  if (!method.empty()) text += "::" + method;
  if (!text.empty()) text += "/";
  return text + op + "#" + std::to_string(ordinal);
}

}  // namespace binade::policy
