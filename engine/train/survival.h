// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/tries.h"
#include "engine/wire/diagnosis.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace binade::train {

/// Whether the gradients of one scaler's losses survive at a loss scale at which none of them overflows.
struct Survival {
  wire::ScaleBand band;  ///< of the kept step
  double scale = 1;      ///< the scale that was asked for
  /// Why the formats were not emulated; empty: they were. The band is then a bound: a gradient is seen after its
  /// rounding.
  std::string not_emulated;

  /// The scale lies inside the band.
  bool survives() const;
};

/// Ends a band at a scale that is finite where the next doubling is not: a part of a sum may overflow that no gradient
/// shows. `site`: what failed there; -1: not known.
void end_at(wire::ScaleBand& band, double scale, int site);

/// Runs the kept step at `factors` times the scales (one for each scaler), backward for `scaler` alone, with everything
/// emulated that can be and `rules` behind the policy's, and measures every gradient before it is rounded to a low
/// format: by an op, or by a cast between two; and where several meet in one, their sum. The band is a bound only where
/// a function is not LibTorch's own, which is not run again, or cannot say what it would give in float32. `lifted`: as
/// Replay::How has it. While a Replay::Aside lives.
Survival survival_at(Replay& replay, std::size_t scaler, const std::vector<double>& factors, const SiteRules& rules,
                     const std::set<int>& lifted = {});

}  // namespace binade::train
