// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/cause.h"
#include "engine/train/tries.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace binade::train {

/// What makes a step finite.
struct Widened {
  SiteRules rules;
  std::size_t changed = 0;  ///< op calls of which a result, or an argument, has another format then
};

/// Looks for op calls that, in float32, make step `step` finite: those that fail, those that fail then, and those that
/// give them their arguments, since a value that became 0 on the way cannot be divided by any more. A cast of the
/// model's own that fails is left out instead. A step is not taken for finite while a first cause still overflows, or a
/// call behind one, and only vanishes. Of what it finds it takes back what is not needed. Where `lost` names calls in
/// which values became 0, it begins with these too, and takes what changes the format of fewer op calls. Scales are
/// lowered with them where gradients survive that; scales and casts that are left out are set in `tries` afterwards.
/// Nothing where nothing helps. `causes` of `trace`, that of the step itself; `lost` is of another such trace.
std::optional<Widened> widen(Tries& tries, const observe::Causes& causes, const observe::Trace& trace,
                             std::int64_t step, const std::vector<const graph::Site*>& lost = {});

/// How many sites compute, or take an argument, in another format in one run of a step than in another.
std::size_t changed_sites(const observe::Trace& before, const observe::Trace& after);

}  // namespace binade::train
