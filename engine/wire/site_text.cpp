// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/site_text.h"

namespace binade::wire {

std::string place_of(const SiteInfo& site) {
  const std::size_t colons = site.key.op.find("::");
  const std::string op = site.key.op.substr(colons == std::string::npos ? 0 : colons + 2);
  return site.key.path.empty() ? op : site.key.path + " (" + op + ")";
}

}  // namespace binade::wire
