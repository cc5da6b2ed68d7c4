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

/// Returns symptoms for dead op calls of a step: their output is all zeros although they take part in backward (a ReLU
/// whose inputs are all negative), or their output gradient is all zeros.
///
/// Excluded are:
/// - op calls directly after a dead one, since they inherit its zeros; in backward, those directly before it;
/// - zero gradients of op calls before a dead output, which stops the gradients;
/// - zero outputs without a gradient, such as initial states and masks;
/// - op calls of the loss;
/// - the sites `by_design`, which can only give zeros.
///
/// A symptom names one of the non-finite `buffers` if its infinity explains the zeros, as in a division by it.
std::vector<Symptom> dead_symptoms(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                   std::span<const wire::SiteInfo> sites, std::span<const int> by_design = {},
                                   std::span<const BufferSeen> buffers = {});

/// A dead call's symptom after a comparison with float32. If float32 gives other values, the formats caused the zeros,
/// and the symptom states where and has a fix. `band`: safe scales of the compared step, if known.
Symptom explained(Symptom dead, const wire::Float32Comparison& compared, std::span<const wire::SiteInfo> sites,
                  const std::optional<wire::ScaleBand>& band = {});

}  // namespace binade::silent
