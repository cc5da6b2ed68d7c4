// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model_pickle.h"

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <string_view>

namespace binade::graph {

/// Dtype of a storage class, such as `torch.FloatStorage`; empty if no plain tensor has it.
std::optional<at::ScalarType> storage_dtype(std::string_view name);

/// Makes the tensor described by a call of `torch._utils._rebuild_tensor_v2`, on the CPU. Empty if the arguments are
/// invalid or an element would be outside its storage. Throws what `storage` throws.
std::optional<at::Tensor> make_model_tensor(const PickleNode& call,
                                            const std::function<c10::Storage(const PickleNode&)>& storage);

}  // namespace binade::graph
