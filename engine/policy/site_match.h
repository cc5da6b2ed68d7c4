// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace binade::policy {

/// Names of a model's sites, each made on first use and kept. An edit has to be applied within a millisecond, and most
/// rules need no names. Not thread-safe.
class SiteNames {
 public:
  explicit SiteNames(std::span<const SiteKey> sites) : sites_(sites), names_(sites.size()) {}

  /// Name of one site; the reference stays valid as long as this object.
  const std::string& operator[](std::size_t site) const;
  /// All names, in the order of the sites.
  const std::vector<std::string>& all() const;

 private:
  std::span<const SiteKey> sites_;
  mutable std::vector<std::string> names_;
};

/// The site that has a name by SiteKey::name(). Without the overload, which is no part of the name.
SiteKey site_key(std::string_view name);

/// Whether a text matches a pattern in which `*` stands for any number of characters, including none.
bool matches_text(std::string_view pattern, std::string_view text);

/// matches() for many sites; parses the match once. `match` must outlive the object.
class SiteMatch {
 public:
  explicit SiteMatch(std::string_view match);
  /// Whether `sites[site]` matches; `names` are the names of `sites`.
  bool operator()(std::span<const SiteKey> sites, std::size_t site, const SiteNames& names) const;

 private:
  std::string_view match_;
  bool names_call_;  ///< it matches op calls, not modules
  bool exact_;       ///< it has no wildcard
};

/// A match that matches nothing, as it is in a captured module, which has the model as `model`: `model.up` for `up`.
/// Empty if this matches no site either.
std::string match_in_captured(std::string_view match, std::span<const SiteKey> sites);

}  // namespace binade::policy
