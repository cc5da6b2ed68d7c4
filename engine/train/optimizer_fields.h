// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/optimizer.h"

#include <map>
#include <string>

namespace binade::train {

/// Returns all optimizer state, as `<parameter>.<field>`: momenta, sums, and step counts as 0-dim tensors. The tensors
/// are the optimizer's own. Supports SGD, Adam, AdamW, RMSprop, Adagrad and the fused forms.
NamedTensors optimizer_tensors(torch::optim::Optimizer& optimizer, const NamedTensors& parameters);

/// Replaces all state of `optimizer`, described by `config`, by copies of `tensors` on each parameter's device. Throws
/// Error{kBadFile}, naming a tensor without a matching parameter or of the wrong shape.
void load_optimizer_tensors(torch::optim::Optimizer& optimizer, const wire::OptimizerConfig& config,
                            const NamedTensors& parameters, const std::map<std::string, at::Tensor>& tensors);

}  // namespace binade::train
