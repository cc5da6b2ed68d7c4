// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/emulation.h"

#include <algorithm>
#include <array>

namespace binade::autocast {

bool is_matrix_op(std::string_view op) {
  constexpr auto names = std::to_array<std::string_view>({
      "aten::_convolution",
      "aten::_scaled_dot_product_flash_attention",
      "aten::addbmm",
      "aten::addmm",
      "aten::addmv",
      "aten::addr",
      "aten::baddbmm",
      "aten::bilinear",
      "aten::bmm",
      "aten::chain_matmul",
      "aten::conv1d",
      "aten::conv2d",
      "aten::conv3d",
      "aten::conv_tbc",
      "aten::conv_transpose1d",
      "aten::conv_transpose2d",
      "aten::conv_transpose3d",
      "aten::convolution",
      "aten::dot",
      "aten::einsum",
      "aten::gru",
      "aten::gru_cell",
      "aten::inner",
      "aten::linalg_multi_dot",
      "aten::linalg_vecdot",
      "aten::linear",
      "aten::lstm",
      "aten::lstm_cell",
      "aten::matmul",
      "aten::mkldnn_rnn_layer",
      "aten::mm",
      "aten::mv",
      "aten::rnn_relu",
      "aten::rnn_relu_cell",
      "aten::rnn_tanh",
      "aten::rnn_tanh_cell",
      "aten::scaled_dot_product_attention",
      "aten::tensordot",
      "aten::vdot",
  });
  static_assert(std::is_sorted(names.begin(), names.end()));
  return std::binary_search(names.begin(), names.end(), op);
}

bool is_rounded_at_boundary(std::string_view op) {
  constexpr auto names = std::to_array<std::string_view>({
      "aten::_native_multi_head_attention",
      "aten::_transformer_encoder_layer_fwd",
      "aten::einsum",
      "aten::gru",
      "aten::gru_cell",
      "aten::lstm",
      "aten::lstm_cell",
      "aten::rnn_relu",
      "aten::rnn_relu_cell",
      "aten::rnn_tanh",
      "aten::rnn_tanh_cell",
      "aten::scaled_dot_product_attention",
      "aten::tensordot",
  });
  static_assert(std::is_sorted(names.begin(), names.end()));
  return std::binary_search(names.begin(), names.end(), op);
}

bool is_recurrent_layer(std::string_view op) {
  return op == "aten::lstm" || op == "aten::gru" || op == "aten::rnn_tanh" || op == "aten::rnn_relu" ||
         op == "aten::mkldnn_rnn_layer";
}

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
