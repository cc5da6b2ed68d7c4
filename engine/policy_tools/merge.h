// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy_tools/model_calls.h"

#include <optional>
#include <string>
#include <vector>

namespace binade::policy_tools {

/// One of two policies that were made from the same base.
enum class Side { kMine, kTheirs };

/// A place where both sides changed the base, and not in the same way. The texts are empty where a policy states
/// nothing.
struct Conflict {
  std::string place;  ///< `low`, `ops["aten::gelu"]`, `sites: fc1`, or an op call: `fc1/aten::linear#0`
  std::string base;
  std::string mine;
  std::string theirs;
  bool decided = false;  ///< the preferred side decided it

  friend bool operator==(const Conflict&, const Conflict&) = default;
};

struct Merged {
  policy::Policy policy;  ///< complete only if no conflict is open
  std::vector<Conflict> conflicts;

  bool is_complete() const;
};

/// Applies the changes of both sides to a base: fields, op changes by key, site rules by match and call. Rules keep the
/// order of the side that moved any; added rules follow the rule that they followed in their own policy. Two rules that
/// different sides added or changed are a conflict if they may match the same op call, request different things, and no
/// policy states their order. A rule that a later one with the same match and call overrides is left out. The name is
/// mine, unless only theirs changed it; of reasons (`why`) both are kept; provenance is empty.
///
/// `prefer` decides conflicts. It leaves an overlap of two rules open if the preferred one cannot come last, because a
/// side states that other rules stand between. With a `model` (may be null), overlaps of rules are exact, and every op
/// call of the merged policy is compared: it must have the treatment that the side which changed it gave it, or it is a
/// conflict of its own. A preferred side decides it if the merged policy follows that side, and both sides changed the
/// op call or the side decided a conflict of rules.
Merged merge(const policy::Policy& base, const policy::Policy& mine, const policy::Policy& theirs,
             std::optional<Side> prefer, const ModelCalls* model);

}  // namespace binade::policy_tools
