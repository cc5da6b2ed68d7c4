// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/emulation.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace binade::autocast {

void to_float32(const Arguments& arguments, at::ScalarType dtype) {
  replace_tensors(arguments, [dtype](const at::Tensor& tensor, std::size_t) {
    return tensor.scalar_type() == dtype ? tensor.to(at::kFloat) : tensor;
  });
}

std::size_t data_results(const graph::OpTraits& op) {
  constexpr auto norms = std::to_array<std::string_view>({
      "aten::_batch_norm_impl_index",
      "aten::_batch_norm_no_update",
      "aten::_batch_norm_with_update",
      "aten::_batch_norm_with_update_functional",
      "aten::_fused_rms_norm",
      "aten::_native_batch_norm_legit",
      "aten::_native_batch_norm_legit_functional",
      "aten::_native_batch_norm_legit_no_training",
      "aten::batch_norm_gather_stats",
      "aten::batch_norm_gather_stats_with_counts",
      "aten::batch_norm_stats",
      "aten::batch_norm_update_stats",
      "aten::cudnn_batch_norm",
      "aten::miopen_batch_norm",
      "aten::native_batch_norm",
      "aten::native_group_norm",
      "aten::native_layer_norm",
  });
  static_assert(std::is_sorted(norms.begin(), norms.end()));
  const bool is_attention =
      op.op.starts_with("aten::_scaled_dot_product_") && op.op != "aten::_scaled_dot_product_attention_math";
  const bool is_norm = std::binary_search(norms.begin(), norms.end(), std::string_view(op.op));
  const bool is_statistics = op.op.find("stats") != std::string::npos;
  return is_norm && is_statistics ? 0 : is_norm || is_attention ? 1 : op.outputs;
}

void round_results(graph::Stack& stack, const graph::OpTraits& op, at::ScalarType dtype) {
  const std::size_t first = stack.size() - op.outputs;
  for (std::size_t i = first; i < first + data_results(op); ++i) {
    if (!stack[i].isTensor()) continue;
    const at::Tensor& tensor = stack[i].toTensor();
    if (tensor.defined() && tensor.scalar_type() == at::kFloat) stack[i] = tensor.to(dtype);
  }
}

}  // namespace binade::autocast
