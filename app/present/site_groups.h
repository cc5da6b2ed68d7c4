// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/model_info.h"

#include <QString>

#include <vector>

namespace binade::app {

/// A module with at least two op calls in its subtree.
struct SiteGroup {
  QString path;            ///< `layer1.0`; matches the subtree as a policy rule
  int parent = -1;         ///< index of the enclosing group; -1: none
  int depth = 0;           ///< number of enclosing groups
  std::vector<int> sites;  ///< all op calls of the subtree, ascending
};

/// The modules of a run's op calls as a tree, every parent before its children. A module that only contains another one
/// is left out. Op calls of the root belong to no group. A value type.
class SiteGroups {
 public:
  SiteGroups() = default;
  explicit SiteGroups(const std::vector<wire::SiteInfo>& sites);

  const std::vector<SiteGroup>& all() const { return groups_; }
  int size() const { return static_cast<int>(groups_.size()); }
  const SiteGroup& at(int group) const { return groups_[static_cast<std::size_t>(group)]; }
  /// The innermost group of an op call; -1: none.
  int of(int site) const { return of_site_[static_cast<std::size_t>(site)]; }
  /// The group with this path; -1: none.
  int find(const QString& path) const;

 private:
  std::vector<SiteGroup> groups_;
  std::vector<int> of_site_;
};

}  // namespace binade::app
