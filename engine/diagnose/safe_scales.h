// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/replay_experiments.h"
#include "engine/wire/diagnosis.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace binade::diagnose {

/// Whether the gradients of one scaler's losses survive at a loss scale at which none of them overflows.
struct SafeScales {
  wire::ScaleBand band;  ///< of the kept step
  double scale = 1;      ///< the scale in question
  /// Why formats were not emulated; empty: they were. Otherwise the band is a bound, since gradients were measured
  /// after rounding.
  std::string not_emulated;

  /// Returns whether the scale lies within the band.
  bool survives() const;
};

/// Ends a band at a scale that is finite while twice the scale is not: a term of a sum may overflow without any
/// gradient showing it. `site`: the site that failed; -1: unknown.
void end_at(wire::ScaleBand& band, double scale, int site);

/// Runs the kept step at `factors` times the scales (one per scaler), with backward for `scaler` only, with all
/// possible formats emulated and `rules` appended to the policy's. Measures every gradient before an op or a cast
/// rounds it to a low format, and the sum where several meet. The band is only a bound if a function is not LibTorch's
/// own, and thus not rerun, or cannot run in float32. `lifted`: see Replay::How. Requires a train::TrainingStateGuard.
SafeScales measure_safe_scales(Replay& replay, std::size_t scaler, const std::vector<double>& factors,
                               const SiteRules& rules, const std::set<int>& lifted = {});

}  // namespace binade::diagnose
