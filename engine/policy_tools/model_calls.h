// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <cstddef>
#include <vector>

namespace binade::policy_tools {

/// The op calls of a model, as the tools compare policies on them. A plain value, except that `places` point to the
/// model's own autocast blocks.
struct ModelCalls {
  std::vector<policy::SiteKey> keys;
  std::vector<policy::SitePlace> places;  ///< parallel to `keys`
  /// Parallel to `keys`: a rule treats the op otherwise than a base list with the same format, because rules leave
  /// statistics, indices and written arguments alone. Empty: unknown, so that every op counts as one.
  std::vector<bool> guarded;
  std::size_t stand_ins = 0;  ///< number of op calls at the end that stand for those of a loss; see with_loss()

  bool is_guarded(std::size_t site) const { return guarded.empty() || guarded[site]; }
  /// Number of op calls of the model itself.
  std::size_t size() const { return keys.size() - stand_ins; }
};

/// The op calls of `model` with stand-ins for those of a loss behind them, since a loss belongs to a run and not to the
/// model: the ops that losses are made of, also in the overloads that `policy` changes, and the op calls of a loss that
/// its rules name. Rules and op changes also apply there, so the tools must not change the treatment of the stand-ins
/// either.
ModelCalls with_loss(ModelCalls model, const policy::Policy& policy);

}  // namespace binade::policy_tools
