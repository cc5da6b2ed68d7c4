// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/optimizer.h"

#include <map>
#include <string>

namespace binade::train {

/// Everything that `optimizer` keeps of its parameters, as `<parameter>.<field>`: momenta, sums, and step counts as
/// 0-dim tensors. The tensors are the optimizer's own. Knows SGD, Adam, AdamW, RMSprop, Adagrad and the fused forms.
NamedTensors optimizer_tensors(torch::optim::Optimizer& optimizer, const NamedTensors& parameters);

/// Replaces all that `optimizer`, which `config` describes, keeps by copies of `tensors`, on each parameter's device.
/// Throws Error{kBadFile} naming a tensor that fits no parameter, or one that a field's parameter does not fit.
void load_optimizer_tensors(torch::optim::Optimizer& optimizer, const wire::OptimizerConfig& config,
                            const NamedTensors& parameters, const std::map<std::string, at::Tensor>& tensors);

}  // namespace binade::train
