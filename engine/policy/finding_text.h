// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"
#include "engine/policy/site_match.h"

#include <span>
#include <string>
#include <vector>

namespace binade::policy {

// Texts of the findings of resolve(): what the policy requests, where, and what happens instead.

/// Place of a site rule with its match: `sites[2] (fc/aten::linear#0)`.
std::string place_of(const Policy& policy, int rule);

/// Place of a site rule: `sites[2]`.
std::string short_place(int rule);

/// Place in the policy that a site's decision comes from: `sites[2]`, `ops["aten::gelu"]`, `low` or
/// `the model's own block`.
std::string place_of(const Policy& policy, const Decision& decision, const SiteKey& site);

/// A count of op calls: `1 op call`, `7 op calls`.
std::string op_calls(int count);

/// The first three names and the number of others: `a, b, c and 4 more`.
std::string first_of(const std::vector<std::string>& names);

/// first_of() for sites; makes only the names that it returns.
std::string names_of(const std::vector<int>& sites, const SiteNames& names);

/// Findings on op changes, given by their keys, that match no site. More than ten give a single note, with `all` as the
/// policy's number of op changes. Otherwise each gives a warning, or a note if the model has ops `made_of_others`,
/// inside which the change applies.
std::vector<Finding> unmatched_ops(const std::vector<std::string>& keys, std::size_t all,
                                   std::span<const SiteKey> sites, const std::vector<std::string>& made_of_others);

/// Warning on a site rule that matches no site. `rules` are the indices of all rules with its match.
Finding unmatched_rule(const SiteRule& rule, const std::vector<int>& rules, const SiteNames& site_names);

/// Warning on the sites of one op that will refuse to run, all by the same `decision`.
Finding refused(const Policy& policy, const std::string& op, const std::vector<std::string>& sites,
                const Decision& decision);

/// Notes on where a policy departs from the optimization level of Apex that it starts from.
std::vector<Finding> apex_notes(const Policy& policy);

/// One of the model's own autocast blocks: the number of op calls in it and whether it decides for them.
struct BlockCount {
  const OwnBlock* block = nullptr;
  int calls = 0;
  bool in_force = false;  ///< false: it is for another device than the policy's
};

/// Note on the block's effect on its op calls. `inside` are its lists; null if it is not in force.
Finding own_block(const BlockCount& count, Base base, const Resolved* inside);

}  // namespace binade::policy
