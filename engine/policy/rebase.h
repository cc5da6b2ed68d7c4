// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <cstddef>
#include <span>
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
/// list said, and a site rule what the CPU's list makes of a run's loss. What the policy itself says of ops and op
/// calls stays, and stays before it. Throws Error{kUsage} where either list is apex-o2 or apex-o3, which also decide
/// what the weights are kept in.
Rebased rebase(const Policy& policy, Base base);

/// Takes the added op changes out that a model has no use for, because none of its `sites` calls such an op; gives how
/// many. Not for a model with op calls that are made of others, inside which they hold.
std::size_t keep_called(Rebased& converted, std::span<const SiteKey> sites);

/// Why an op change of `added` is there: `fp32 on cpu-amp, not on cuda-amp`, in the words of name(CastRule).
std::string reason_of(const std::string& key, Base from, Base to);

}  // namespace binade::policy
