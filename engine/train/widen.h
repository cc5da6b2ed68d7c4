// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/cause.h"
#include "engine/train/tries.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace binade::train {

/// What makes a step finite.
struct Widened {
  SiteRules rules;
  std::size_t changed = 0;  ///< op calls of which a result, or an argument, has another format then
  bool loses = false;       ///< only at a scale at which gradients are lost, or pressed down
};

/// What to begin with.
struct Known {
  std::vector<const graph::Site*> lost{};  ///< calls in which values became 0
  SiteRules rules{};                       ///< that mended other steps; they stay
  std::set<int> lifted{};                  ///< the same of casts of the model's own
};

/// Looks for op calls that, in float32, make step `step` finite: those that fail, those that fail then, and those that
/// give them their arguments, since a value that became 0 on the way cannot be divided by any more. A cast of the
/// model's own that fails is left out instead, and where nothing else helps one that narrows such an argument. A step
/// is not taken for finite while a first cause still overflows, or a call behind one, and only vanishes. What is not
/// needed is taken back. Where values became 0 in some calls, the search begins with these too, and what changes the
/// format of fewer op calls is taken. Rules that mended other steps are tried before everything else, and then
/// extended. Scales are lowered with them where gradients survive that; scales and casts that are left out are set in
/// `tries` afterwards. Nothing where nothing helps. `causes` of `trace`, that of the step itself; `known.lost` is of
/// another such trace.
std::optional<Widened> widen(Tries& tries, const observe::Causes& causes, const observe::Trace& trace,
                             std::int64_t step, const Known& known = {});

/// How many sites compute, or take an argument, in another format in one run of a step than in another.
std::size_t changed_sites(const observe::Trace& before, const observe::Trace& after);

}  // namespace binade::train
