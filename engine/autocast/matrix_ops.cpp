// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/matrix_ops.h"

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

}  // namespace binade::autocast
