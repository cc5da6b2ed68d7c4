// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <span>

namespace binade::silent {

/// Fix that runs the op call in float32.
wire::Fix wider_fix(const wire::SiteInfo& site);

/// Smallest edit that keeps `tensor`, as in `record`, from losing a notable share of its norm. For a gradient that is a
/// higher loss scale, if no other gradient of the step overflows at it; otherwise wider_fix().
wire::Fix underflow_fix(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                        const wire::WatchedTensor& tensor, const formats::TensorStats& stats,
                        const wire::SiteInfo& site);

/// Fix by a loss scale above `scale` and inside the band; empty if there is none. Only a higher scale restores
/// gradients lost to a low one. `share` is what is lost at `scale`; each doubling at least halves it.
std::optional<wire::Fix> scale_fix(const std::optional<wire::ScaleBand>& band, double scale, double share);

}  // namespace binade::silent
