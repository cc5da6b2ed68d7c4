// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"
#include "engine/policy/site_match.h"

#include <span>
#include <string>
#include <vector>

namespace binade::policy {

// The sentences of resolve(): each says what was asked, where, and what happens instead.

/// `sites[2] (fc/aten::linear#0)`
std::string place_of(const Policy& policy, int rule);

/// `sites[2]`
std::string short_place(int rule);

/// Where in the policy a site's decision comes from: `sites[2]`, `ops["aten::gelu"]`, `low`, `the model's own block`.
std::string place_of(const Policy& policy, const Decision& decision, const SiteKey& site);

/// `1 op call`, `7 op calls`
std::string op_calls(int count);

/// The first few of a list: `a, b, c and 4 more`
std::string first_of(const std::vector<std::string>& names);

/// The same of sites, without making the names of those that only count.
std::string names_of(const std::vector<int>& sites, const SiteNames& names);

/// Op changes, by their keys, that no site of the model has: a warning each, a note where the model has ops that are
/// `made_of_others`, inside which they hold; one note where they are many of `all`, as in a policy that says a whole
/// list.
std::vector<Finding> unmatched_ops(const std::vector<std::string>& keys, std::size_t all,
                                   std::span<const SiteKey> sites, const std::vector<std::string>& made_of_others);

/// A site rule that matches no site of the model; `rules` are all that have its match, by their indices.
Finding unmatched_rule(const SiteRule& rule, const std::vector<int>& rules, const SiteNames& site_names);

/// The sites of one op that will refuse to run, all by the same `decision`.
Finding refused(const Policy& policy, const std::string& op, const std::vector<std::string>& sites,
                const Decision& decision);

/// Where a policy departs from the opt level of Apex that it starts from.
std::vector<Finding> apex_notes(const Policy& policy);

/// How many op calls one of the model's own autocast blocks holds, and whether it decides for them.
struct BlockCount {
  const OwnBlock* block = nullptr;
  int calls = 0;
  bool in_force = false;  ///< false: it is for another device than the policy's
};

/// What the model's own block does to those calls; `inside` are its lists, null where it is not in force.
Finding own_block(const BlockCount& count, Base base, const Resolved* inside);

}  // namespace binade::policy
