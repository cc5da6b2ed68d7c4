// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/cause.h"
#include "engine/diagnose/replay_experiments.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace binade::diagnose {

/// Changes that make a step finite.
struct FoundFix {
  SiteRules rules;
  std::size_t changed = 0;  ///< number of op calls whose result or argument changes its format
  bool loses = false;       ///< finite only at a scale at which gradients are lost or reduced
};

/// What to start with.
struct Known {
  std::vector<const graph::Site*> lost{};  ///< calls in which values underflowed
  SiteRules rules{};                       ///< rules that fixed other steps; they are kept
  std::set<int> lifted{};                  ///< casts of the model's own that were left out with them
};

/// Searches for op calls that make step `step` finite when run in float32. Tries the failing ones, those
/// that fail next, and those that produce their arguments, since a value that underflowed earlier cannot be recovered.
/// A failing cast of the model's own is left out instead; if nothing else helps, also one that narrows such an
/// argument. A step does not count as finite while a first cause, or a later call, still overflows and the infinity
/// only vanishes.
///
/// Unneeded rules are removed again. If values underflowed in some calls, a search that starts with these is made too,
/// and the result that changes fewer op calls is taken. Rules that fixed other steps are tried first, then extended.
/// Scales are lowered along with them if gradients survive; the final scales and left-out casts are set in
/// `experiments`, and the attempt of the result gets its safe scales. nullopt if nothing helps. `causes` are of
/// `trace`, the step's own; `known.lost` is of another such trace.
std::optional<FoundFix> search_fix(ReplayExperiments& experiments, const Causes& causes, const Trace& trace,
                                   std::int64_t step, const Known& known = {});

/// Returns how many sites compute, or take an argument, in different formats in two runs of a step.
std::size_t changed_sites(const Trace& before, const Trace& after);

}  // namespace binade::diagnose
