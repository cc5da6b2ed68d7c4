// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/sites_by_path.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace binade::policy {

SitesByPath::SitesByPath(std::span<const SiteKey> sites) : sites_(sites), order_(sites.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [this](int a, int b) {
    return sites_[static_cast<std::size_t>(a)].path < sites_[static_cast<std::size_t>(b)].path;
  });
}

std::vector<int>::const_iterator SitesByPath::not_before(std::string_view path) const {
  return std::lower_bound(order_.begin(), order_.end(), path, [this](int site, std::string_view text) {
    return sites_[static_cast<std::size_t>(site)].path < text;
  });
}

void SitesByPath::add_path(std::string_view path, std::vector<int>& found) const {
  for (auto each = not_before(path); each != order_.end() && sites_[static_cast<std::size_t>(*each)].path == path;
       ++each) {
    found.push_back(*each);
  }
}

std::optional<std::vector<int>> SitesByPath::candidates(std::string_view match) const {
  if (match.empty() || match.find('*') != std::string_view::npos) return std::nullopt;
  const bool names_call = match.find_first_of("/#") != std::string_view::npos;
  // An op has no slash, so the last one ends the module and its method. The root's sites have none.
  const std::size_t slash = match.rfind('/');
  const std::string_view module = !names_call                       ? match
                                  : slash == std::string_view::npos ? std::string_view()
                                                                    : match.substr(0, slash);
  const std::size_t colons = module.rfind("::");

  std::vector<int> found;
  add_path(module, found);
  if (colons != std::string_view::npos) add_path(module.substr(0, colons), found);
  if (!names_call && colons == std::string_view::npos) {
    const std::string path(module);
    found.insert(found.end(), not_before(path + "."), not_before(path + "/"));  // `/` is the character after the dot
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace binade::policy
