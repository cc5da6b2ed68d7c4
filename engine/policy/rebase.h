// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <string>
#include <vector>

namespace binade::policy {

/// A policy over another base list.
struct Rebased {
  Policy policy;
  std::vector<std::string> added;    ///< keys of the op changes that make up for the other list
  std::vector<std::string> inexact;  ///< what no op change says, and what is done instead: whole sentences
};

/// The same policy over the list `base`: where the two lists treat an op differently, an op change says what the old
/// list said. What the policy itself says of ops and op calls stays, and stays before it. Throws Error{kUsage} where
/// either list is apex-o2 or apex-o3, which also decide what the weights are kept in.
Rebased rebase(const Policy& policy, Base base);

}  // namespace binade::policy
