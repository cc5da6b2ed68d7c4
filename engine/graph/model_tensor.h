// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model_pickle.h"

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <string_view>

namespace binade::graph {

/// The dtype of a storage class, `torch.FloatStorage`; nothing where it is no dtype of a plain tensor.
std::optional<at::ScalarType> storage_dtype(std::string_view name);

/// The tensor that a call of `torch._utils._rebuild_tensor_v2` describes, on the CPU. Nothing where its arguments make
/// none, or an element of it would lie outside of its storage. Throws what `storage` throws.
std::optional<at::Tensor> make_model_tensor(const PickleNode& call,
                                            const std::function<c10::Storage(const PickleNode&)>& storage);

}  // namespace binade::graph
