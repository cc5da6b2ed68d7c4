// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/symptom.h"
#include "engine/wire/records.h"

#include <optional>
#include <span>

namespace binade::silent {

/// Fix that runs the op call in float32.
wire::Fix wider_fix(const wire::SiteInfo& site);

/// Loss scales that restore lost gradients.
struct ScaleFix {
  int lowest = 0;              ///< exponent of the lowest one
  std::optional<int> highest;  ///< exponent of the highest one at which no gradient overflows; empty: none limits it
  double present = 1;          ///< the scale now
};

/// Writes a scale into the symptom's fix. At scale 1 there may be no scaler: the fix has no edit then, only facts.
void set_fix(Symptom& symptom, const ScaleFix& scale);

/// Sets the smallest edit that keeps `tensor`, as in `record`, from losing a notable share of its norm. For a gradient
/// that is a higher loss scale, if no other gradient of the step overflows at it; otherwise wider_fix().
void set_underflow_fix(Symptom& symptom, const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                       const wire::WatchedTensor& tensor, const formats::TensorStats& stats,
                       const wire::SiteInfo& site);

/// Loss scales above `scale` and inside the band; empty if there are none. Only a higher scale restores gradients lost
/// to a low one. `share` is what is lost at `scale`; each doubling at least halves it.
std::optional<ScaleFix> scale_fix(const std::optional<wire::ScaleBand>& band, double scale, double share);

}  // namespace binade::silent
