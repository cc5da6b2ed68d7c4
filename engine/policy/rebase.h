// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace binade::policy {

/// A policy converted to another base list.
struct Rebased {
  Policy policy;
  std::vector<std::string> added;    ///< keys of the op changes that compensate for the other list
  std::vector<std::string> inexact;  ///< what op changes cannot express and what happens instead, in whole sentences
};

/// Converts a policy to the list `base` without changing its effect. An op change restores the old list's rule wherever
/// the two lists differ; a site rule restores the CPU list's treatment of a run's loss. The policy's own op changes and
/// site rules stay and take precedence. Throws Error{kUsage} if either list is apex-o2 or apex-o3, which also determine
/// the weights' format.
Rebased rebase(const Policy& policy, Base base);

/// Removes the added op changes that match none of a model's `sites`; returns their number. Not for a model with
/// composite op calls, inside which op changes also apply.
std::size_t keep_called(Rebased& converted, std::span<const SiteKey> sites);

/// Reason for an op change in `added`: `fp32 on cpu-amp, not on cuda-amp`, in the names of name(CastRule).
std::string reason_of(const std::string& key, Base from, Base to);

}  // namespace binade::policy
