// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/prover.h"

#include <string>
#include <vector>

namespace binade::search {

/// Candidates that are tried together.
struct Group {
  Changes members;
  std::size_t whole = 0;  ///< number of members before the group was split
  std::string common;     ///< what they have in common, as the end of a sentence: ` in bfloat16, which removes casts.`

  /// What the search does when it tries the group.
  std::string sentence() const;
};

/// Splits all candidates into groups, in the order in which they are tried: those whose evidence says that they are
/// safe, lowered or raised, whichever saves more first; then doubtful ones by op; then those that are unlikely to hold
/// by module and op. Within a kind, more saving for less risk comes first.
std::vector<Group> groups_of(const Order& order, const StepEvidence& evidence,
                             const std::vector<Candidate>& candidates);

/// Members of a group, the most risky first.
Changes by_risk(const Order& order, const std::vector<Candidate>& candidates, const Changes& members);

/// Halves of a group that does not save: neighbours stay together, since casts are between neighbours.
std::vector<Group> split_by_place(const std::vector<Candidate>& candidates, const Group& group);

}  // namespace binade::search
