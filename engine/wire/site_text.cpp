// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/site_text.h"

namespace binade::wire {

std::string place_of(const SiteInfo& site) {
  const std::size_t colons = site.key.op.find("::");
  std::string op = site.key.op.substr(colons == std::string::npos ? 0 : colons + 2);
  // Where neither a path nor the op tells it from another call.
  if (site.key.path.empty() || site.key.ordinal > 0) op.append("#").append(std::to_string(site.key.ordinal));
  return site.key.path.empty() ? op : site.key.path + " (" + op + ")";
}

}  // namespace binade::wire
