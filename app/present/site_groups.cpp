// SPDX-License-Identifier: Apache-2.0
#include "app/present/site_groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace binade::app {

namespace {

/// `layer1` of `layer1.0`; empty for `layer1`.
std::string enclosing(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? std::string() : path.substr(0, dot);
}

}  // namespace

SiteGroups::SiteGroups(const std::vector<wire::SiteInfo>& sites) : of_site_(sites.size(), -1) {
  std::map<std::string, std::vector<int>> below;  // by module path
  for (std::size_t i = 0; i < sites.size(); ++i) {
    for (std::string path = sites[i].key.path; !path.empty(); path = enclosing(path))
      below[path].push_back(static_cast<int>(i));
  }
  std::set<std::string> left_out;  // modules with a single op call, or that only contain another module
  for (const auto& [path, inside] : below) {
    if (inside.size() < 2) left_out.insert(path);
    const auto outer = below.find(enclosing(path));
    if (outer != below.end() && inside.size() >= 2 && outer->second.size() == inside.size())
      left_out.insert(outer->first);
  }
  // A path sorts before its extensions, so parents come first.
  std::map<std::string, int> index;
  for (auto& [path, inside] : below) {
    if (left_out.contains(path)) continue;
    SiteGroup group;
    group.path = QString::fromStdString(path);
    for (std::string outer = enclosing(path); !outer.empty() && group.parent < 0; outer = enclosing(outer)) {
      if (const auto found = index.find(outer); found != index.end()) group.parent = found->second;
    }
    if (group.parent >= 0) group.depth = at(group.parent).depth + 1;
    const int here = size();
    for (const int site : inside) of_site_[static_cast<std::size_t>(site)] = here;  // inner groups come later
    group.sites = std::move(inside);
    index[path] = here;
    groups_.push_back(std::move(group));
  }
}

int SiteGroups::find(const QString& path) const {
  const auto found =
      std::find_if(groups_.begin(), groups_.end(), [&](const SiteGroup& group) { return group.path == path; });
  return found == groups_.end() ? -1 : static_cast<int>(found - groups_.begin());
}

}  // namespace binade::app
