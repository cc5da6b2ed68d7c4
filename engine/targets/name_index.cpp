// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/name_index.h"

namespace binade::targets {

std::vector<std::size_t> NameIndex::matched(const NamePattern& pattern, bool at_start) const {
  std::vector<std::size_t> owners;
  for (const std::string& beginning : pattern.beginnings(at_start)) {
    for (auto name = names_.lower_bound(beginning); name != names_.end() && name->first.starts_with(beginning);
         ++name) {
      if (at_start ? pattern.starts(name->first) : pattern.occurs(name->first)) owners.push_back(name->second);
    }
  }
  return owners;
}

}  // namespace binade::targets
