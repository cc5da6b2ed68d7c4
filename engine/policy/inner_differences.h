// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <string>
#include <vector>

namespace binade::policy {

/// An op that two policies treat differently inside an op call.
struct InnerDifference {
  std::string op;  ///< `aten::linear`, or one overload: `aten::mm.out`
  Decision first;
  Decision second;
};

/// The treatment of an op inside an op call that has `decision`. `key` as InnerDifference::op.
Decision treatment_inside(const Resolved& table, const Decision& decision, const std::string& key);

/// The decisions of two tables for one op call, or for a single execution of it.
struct TwoDecisions {
  const Resolved& first;
  const Resolved& second;
  const Decision& of_first;
  const Decision& of_second;
};

/// Returns the ops that an op call may run inside itself, where only base lists and op changes apply, and that two
/// tables treat differently there. Empty if a rule or list decides for the op call as a whole in one of the tables. An
/// op made of others in a way that is unknown counts as running every op that the lists or op changes name.
std::vector<InnerDifference> inner_differences(const SiteKey& site, const SitePlace& place, const TwoDecisions& of);

}  // namespace binade::policy
