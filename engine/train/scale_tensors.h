// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/optimizer_fields.h"
#include "engine/train/training.h"

#include <map>
#include <string>
#include <vector>

namespace binade::train {

/// The state of delayed scaling as tensors by name, for a checkpoint: `<op call>.<operand>.<element>`, such as
/// `fc1/aten::linear#0.weight.e4m3`.
NamedTensors scale_tensors(const Training& training);

/// Reads what scale_tensors() returned. Throws Error{kBadFile}, naming the tensor, for an op call that the training
/// lacks, an unknown operand or element, or a state that no scale has.
std::vector<autocast::ProductState::Delayed> read_scales(const Training& training,
                                                         const std::map<std::string, at::Tensor>& tensors);

}  // namespace binade::train
