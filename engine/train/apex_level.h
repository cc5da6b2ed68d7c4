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

/// What a base of Apex's levels does to a training beside its op lists: O2 and O3 keep the weights in float16, O2 steps
/// float32 masters of them, O0 and O3 train without a loss scale. Nothing for other bases, and for O2 and O3 with
/// another low format than float16: then the parameters stay float32 and are cast in each forward.
std::optional<policy::ApexProperties> level_of(const policy::Policy& policy);

/// `config` with the level's own scaling where the run gives none: O0 and O3 have no scaler.
/// Throws Error{kBadRun} for a scaler at O3, whose float16 gradients it could not unscale.
wire::RunConfig with_level(wire::RunConfig config);

/// Casts the model as the run's level does: before the optimizer is made.
void cast_model(const policy::Policy& policy, const graph::Model& model);

/// The level's master weights, or null. `trainable` names the masters afterwards: they are what gradients are looked at
/// of, and what is stepped. Backward hands each its gradient.
std::unique_ptr<scaler::MasterWeights> make_masters(const policy::Policy& policy, torch::optim::Optimizer& optimizer,
                                                    NamedTensors& trainable);

/// Whether a run that begins with this policy keeps its weights in float16.
bool keeps_half_weights(const policy::Policy& policy);

/// What a policy cannot change any more in a training whose weights are float16 (`half_weights`) or not; nothing where
/// it asks for no change.
std::optional<policy::Finding> level_finding(bool half_weights, const policy::Policy& now);

}  // namespace binade::train
