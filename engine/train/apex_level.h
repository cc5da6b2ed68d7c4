// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model.h"
#include "engine/policy/apex_properties.h"
#include "engine/policy/resolve.h"
#include "engine/scaler/master_weights.h"
#include "engine/train/optimizer.h"
#include "engine/wire/run_config.h"

#include <memory>
#include <optional>

namespace binade::train {

/// Returns what an Apex level changes in training besides its op lists. O2 and O3 keep float16 weights, O2 steps
/// float32 masters, O0 and O3 use no loss scale. nullopt for other bases, and for O2 and O3 with a low format other
/// than float16, whose parameters stay float32 and are cast in each forward.
std::optional<policy::ApexProperties> level_of(const policy::Policy& policy);

/// Returns `config` with the level's own scaling if the run does not configure a scaler: O0 and O3 disable it. Throws
/// Error{kBadRun} for an enabled scaler at O3, since it could not unscale float16 gradients.
wire::RunConfig with_level(wire::RunConfig config);

/// Casts the model as the run's level requires. Call it before the optimizer is created.
void cast_model(const policy::Policy& policy, const graph::Model& model);

/// Creates the level's master weights; null if it has none. Afterwards `trainable` holds the masters, which are stepped
/// and whose gradients are observed. Backward passes each gradient to its master.
std::unique_ptr<scaler::MasterWeights> make_masters(const policy::Policy& policy, torch::optim::Optimizer& optimizer,
                                                    NamedTensors& trainable);

/// Returns whether a run that starts with this policy keeps its weights in float16.
bool keeps_half_weights(const policy::Policy& policy);

/// Returns a finding if `now` requires another weight format than the training has (`half_weights`: float16), which
/// cannot change any more; else nullopt.
std::optional<policy::Finding> level_finding(bool half_weights, const policy::Policy& now);

}  // namespace binade::train
