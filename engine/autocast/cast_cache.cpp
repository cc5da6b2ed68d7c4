// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/cast_cache.h"

#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>

namespace binade::autocast {

std::size_t CastCache::Hash::operator()(const Key& key) const {
  const auto mixed = reinterpret_cast<std::size_t>(key.impl) ^ (static_cast<std::size_t>(key.version) << 40U);
  return mixed ^ (static_cast<std::size_t>(key.dtype) << 56U);
}

at::Tensor CastCache::cast(const at::Tensor& tensor, at::ScalarType dtype) {
  if (tensor.scalar_type() == dtype) return tensor;
  // PyTorch's conditions (amp.md 2.5): anything else may change, or would keep memory alive for one use.
  const bool keep = tensor.scalar_type() == at::kFloat && tensor.requires_grad() && tensor.is_leaf() &&
                    !tensor.is_view() && !c10::InferenceMode::is_enabled();
  if (!keep) return tensor.to(dtype);
  const Key key{tensor.unsafeGetTensorImpl(), static_cast<std::uint32_t>(tensor._version()), dtype};
  if (const auto kept = kept_.find(key); kept != kept_.end()) return kept->second.copy;
  // With gradients even under no_grad: a later use in grad mode must find a copy that has a history (pytorch#158232).
  const at::AutoGradMode with_gradients(true);
  return kept_.emplace(key, Entry{tensor, tensor.to(dtype)}).first->second.copy;
}

}  // namespace binade::autocast
