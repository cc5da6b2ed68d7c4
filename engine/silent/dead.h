// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/sign.h"
#include "engine/wire/comparison.h"
#include "engine/wire/records.h"

#include <optional>
#include <span>
#include <vector>

namespace binade::silent {

/// Op calls of a step with only zeros: in the output, although a gradient is to flow through it (a ReLU whose inputs
/// are all negative), or in the gradient that arrives. Of several in a row only the first is returned, and no gradient
/// that a dead output stops. Intended zeros do not count: those without a gradient (initial states, masks), the loss,
/// and the sites in `by_design`.
std::vector<Sign> dead_signs(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                             std::span<const wire::SiteInfo> sites, std::span<const int> by_design = {});

/// A dead call's sign after a comparison with float32. If float32 gives other values, the formats caused the zeros, and
/// the sign states where and has a fix. `band`: safe scales of the compared step, if known.
Sign explained(Sign dead, const wire::Float32Comparison& compared, std::span<const wire::SiteInfo> sites,
               const std::optional<wire::ScaleBand>& band = {});

}  // namespace binade::silent
