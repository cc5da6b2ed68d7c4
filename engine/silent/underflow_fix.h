// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <span>

namespace binade::silent {

/// The op call in float32.
wire::Fix wider_fix(const wire::SiteInfo& site);

/// The smallest edit that keeps `tensor`, as `record` shows it, from losing a notable share of its norm: of a gradient
/// a higher loss scale, where every other gradient of the step can bear it; else wider_fix.
wire::Fix underflow_fix(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                        const wire::WatchedTensor& tensor, const formats::TensorStats& stats,
                        const wire::SiteInfo& site);

/// A loss scale above `scale`, inside the band, where that has room: nothing else brings back gradients that a scale
/// too low has lost. `share` of them is lost at `scale`; each doubling at least halves that.
std::optional<wire::Fix> scale_fix(const std::optional<wire::ScaleBand>& band, double scale, double share);

}  // namespace binade::silent
