// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/composite_calls.h"

#include <algorithm>
#include <array>
#include <span>

namespace binade::policy {

namespace {

using Ops = std::span<const std::string_view>;

/// What a recurrent layer or cell may call: measured on the CPU over packed and padded input, one and both directions,
/// dropout, projections, train and eval mode, and the kernels that it has on CUDA.
constexpr auto kRecurrent = std::to_array<std::string_view>({"_cudnn_rnn",
                                                             "_thnn_fused_gru_cell",
                                                             "_thnn_fused_lstm_cell",
                                                             "_to_copy",
                                                             "add",
                                                             "add_",
                                                             "addmm",
                                                             "bernoulli_",
                                                             "bmm",
                                                             "cat",
                                                             "clamp_min",
                                                             "clone",
                                                             "contiguous",
                                                             "copy_",
                                                             "div_",
                                                             "dropout",
                                                             "empty_like",
                                                             "flip",
                                                             "gru_cell",
                                                             "hstack",
                                                             "linear",
                                                             "lstm_cell",
                                                             "matmul",
                                                             "miopen_rnn",
                                                             "mkldnn_rnn_layer",
                                                             "mm",
                                                             "mul",
                                                             "mul_",
                                                             "native_dropout",
                                                             "relu",
                                                             "relu_",
                                                             "rnn_relu_cell",
                                                             "rnn_tanh_cell",
                                                             "rsub",
                                                             "sigmoid",
                                                             "sigmoid_",
                                                             "stack",
                                                             "sub",
                                                             "tanh",
                                                             "tanh_",
                                                             "to",
                                                             "zero_",
                                                             "zeros",
                                                             "zeros_like"});
constexpr auto kProducts = std::to_array<std::string_view>(
    {"add", "bmm", "clone", "copy_", "dot", "empty_like", "fill_", "matmul", "mm", "mul", "sum"});
constexpr auto kAttention = std::to_array<std::string_view>({"_safe_softmax",
                                                             "_scaled_dot_product_attention_math",
                                                             "_scaled_dot_product_cudnn_attention",
                                                             "_scaled_dot_product_efficient_attention",
                                                             "_scaled_dot_product_flash_attention",
                                                             "_scaled_dot_product_flash_attention_for_cpu",
                                                             "_softmax",
                                                             "_to_copy",
                                                             "add",
                                                             "add_",
                                                             "all",
                                                             "baddbmm",
                                                             "bernoulli_",
                                                             "bmm",
                                                             "cat",
                                                             "clone",
                                                             "copy_",
                                                             "div_",
                                                             "dropout",
                                                             "empty_like",
                                                             "eq",
                                                             "fill_",
                                                             "isneginf",
                                                             "logical_not",
                                                             "masked_fill",
                                                             "masked_fill_",
                                                             "matmul",
                                                             "mul",
                                                             "mul_",
                                                             "native_dropout",
                                                             "ones",
                                                             "pad",
                                                             "repeat_interleave",
                                                             "scalar_tensor",
                                                             "softmax",
                                                             "to",
                                                             "tril",
                                                             "where",
                                                             "zeros_like"});

struct Composite {
  std::string_view name;
  Ops calls;
};
constexpr Composite kComposites[] = {{"einsum", kProducts},         {"gru", kRecurrent},
                                     {"gru_cell", kRecurrent},      {"lstm", kRecurrent},
                                     {"lstm_cell", kRecurrent},     {"rnn_relu", kRecurrent},
                                     {"rnn_relu_cell", kRecurrent}, {"rnn_tanh", kRecurrent},
                                     {"rnn_tanh_cell", kRecurrent}, {"scaled_dot_product_attention", kAttention},
                                     {"tensordot", kProducts}};

constexpr std::string_view kPrefix = "aten::";

}  // namespace

bool composite_may_call(std::string_view composite, std::string_view op) {
  if (!composite.starts_with(kPrefix) || !op.starts_with(kPrefix)) return true;
  composite.remove_prefix(kPrefix.size());
  op.remove_prefix(kPrefix.size());
  const auto* const known = std::find_if(std::begin(kComposites), std::end(kComposites),
                                         [composite](const Composite& each) { return each.name == composite; });
  return known == std::end(kComposites) ||
         std::find(known->calls.begin(), known->calls.end(), op) != known->calls.end();
}

}  // namespace binade::policy
