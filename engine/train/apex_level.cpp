// SPDX-License-Identifier: Apache-2.0
#include "engine/train/apex_level.h"

#include "engine/autocast/cast_model.h"
#include "engine/formats/error.h"

#include <torch/optim/optimizer.h>

namespace binade::train {

std::optional<policy::ApexProperties> level_of(const policy::Policy& policy) {
  switch (policy.base) {
    case policy::Base::kApexO0:
      return policy::apex_defaults("O0");
    case policy::Base::kApexO1:
      return policy::apex_defaults("O1");
    case policy::Base::kApexO2:
    case policy::Base::kApexO3:
      if (policy.low != formats::kFloat16) return std::nullopt;
      return policy::apex_defaults(policy.base == policy::Base::kApexO2 ? "O2" : "O3");
    case policy::Base::kCudaAmp:
    case policy::Base::kCpuAmp:
    case policy::Base::kAllFloat32:
      break;
  }
  return std::nullopt;
}

bool keeps_half_weights(const policy::Policy& policy) {
  const auto level = level_of(policy);
  return level && level->model_format() == formats::kFloat16;
}

wire::RunConfig with_level(wire::RunConfig config) {
  const auto level = level_of(config.policy);
  if (!level || level->is_dynamic()) return config;
  if (!wire::has_scaler(config)) {
    config.scaler.enabled = false;  // a scale of 1
    return config;
  }
  bool scales = config.scaler.enabled;
  for (const wire::ScalerConfig& scaler : config.scalers) scales = scales || scaler.enabled;
  if (scales && keeps_half_weights(config.policy)) {
    throw Error(ErrorCode::kBadRun,
                "scaler: apex-o3 has float16 weights without float32 master weights, and a scaler cannot unscale their "
                "gradients",
                "Omit the scaler (O3 trains with a loss scale of 1), or use apex-o2, which has master weights.")
        .at("scaler");
  }
  return config;
}

void cast_model(const policy::Policy& policy, const graph::Model& model) {
  if (!keeps_half_weights(policy)) return;
  const bool keep = level_of(policy)->keep_batchnorm_fp32.value_or(false);
  autocast::cast_model(model, {.dtype = at::kHalf, .keep_batchnorm_fp32 = keep});
}

std::unique_ptr<scaler::MasterWeights> make_masters(const policy::Policy& policy, torch::optim::Optimizer& optimizer,
                                                    NamedTensors& trainable) {
  const auto level = level_of(policy);
  if (!level || !level->has_master_weights()) return nullptr;
  auto masters = std::make_unique<scaler::MasterWeights>(optimizer);
  masters->follow_backward();
  for (auto& [name, tensor] : trainable) {
    for (const auto& pair : masters->pairs()) {
      if (pair.model.is_same(tensor)) tensor = pair.master;
    }
  }
  return masters;
}

std::optional<policy::Finding> level_finding(bool half_weights, const policy::Policy& now) {
  if (half_weights == keeps_half_weights(now)) return std::nullopt;
  return policy::Finding{policy::Finding::Severity::kWarning, policy::kFromBase,
                         policy::name(now.base) + ": the weights remain " + (half_weights ? "float16" : "float32") +
                             ", as at the start of the run. Start a new run for the other level."};
}

}  // namespace binade::train
