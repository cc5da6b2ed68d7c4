// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace binade::policy {

/// The names of a model's sites, each made when it is first asked for and kept: an edit must be applied within a
/// millisecond, and most rules are settled without one. For one thread.
class SiteNames {
 public:
  explicit SiteNames(std::span<const SiteKey> sites) : sites_(sites), names_(sites.size()) {}

  const std::string& operator[](std::size_t site) const;
  /// All of them, in the order of the sites.
  const std::vector<std::string>& all() const;

 private:
  std::span<const SiteKey> sites_;
  mutable std::vector<std::string> names_;
};

/// Whether a text matches a pattern in which `*` stands for any characters, none too.
bool matches_text(std::string_view pattern, std::string_view text);

/// matches() for many sites: what the match is like is looked at once. `match` must outlive it.
class SiteMatch {
 public:
  explicit SiteMatch(std::string_view match);
  bool operator()(std::span<const SiteKey> sites, std::size_t site, const SiteNames& names) const;

 private:
  std::string_view match_;
  bool names_call_;  ///< and not a module
  bool exact_;       ///< has no wildcard
};

}  // namespace binade::policy
