// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace binade::policy {

/// The sites of a model in the order of their paths, to find those that a match may name without a look at each.
/// Thousands of rules for single sites are then matched in the time that it takes to read them. The sites must outlive
/// the object.
class SitesByPath {
 public:
  explicit SitesByPath(std::span<const SiteKey> sites);

  /// The sites that `match` may match, in ascending order, a few others among them. nullopt: it may match any.
  std::optional<std::vector<int>> candidates(std::string_view match) const;

 private:
  /// Adds the sites whose path is `path`.
  void add_path(std::string_view path, std::vector<int>& found) const;
  /// The first site in `order_` whose path does not come before `path`.
  std::vector<int>::const_iterator not_before(std::string_view path) const;

  std::span<const SiteKey> sites_;
  std::vector<int> order_;
};

}  // namespace binade::policy
