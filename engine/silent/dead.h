// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/silent/symptom.h"
#include "engine/wire/comparison.h"
#include "engine/wire/records.h"

#include <optional>
#include <span>
#include <vector>

namespace binade::silent {

/// Op calls of a step through which nothing passes: whose output is all zeros although a gradient is to flow through
/// them (a ReLU whose inputs are all negative), and where none but zeros arrives in backward. Of several in a row only
/// the first is named, the others inherit it; so does a gradient that a dead output stops. Zeros by design (initial
/// states, masks) carry no gradient and are none; nor is the loss, nor what `by_design` can give nothing else.
/// `buffers` are not finite: where one of them is divided by, it is named.
std::vector<Symptom> dead_symptoms(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                   std::span<const wire::SiteInfo> sites, std::span<const int> by_design = {},
                                   std::span<const BufferSeen> buffers = {});

/// A dead call's symptom after a comparison with float32. If float32 gives other values, the formats caused the zeros,
/// and the symptom states where and has a fix. `band`: safe scales of the compared step, if known.
Symptom explained(Symptom dead, const wire::Float32Comparison& compared, std::span<const wire::SiteInfo> sites,
                  const std::optional<wire::ScaleBand>& band = {});

}  // namespace binade::silent
