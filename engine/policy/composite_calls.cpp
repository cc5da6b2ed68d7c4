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

/// What norms, softmax and dropout may call: measured on the CPU in each dtype, in train and eval mode, over strided
/// and contiguous tensors, and the kernels that they have on CUDA.
constexpr auto kLayerNorm =
    std::to_array<std::string_view>({"_to_copy", "clone", "contiguous", "copy_", "empty", "empty_like", "fill_",
                                     "native_group_norm", "native_layer_norm", "ones", "reshape", "to"});
constexpr auto kBatchNorm = std::to_array<std::string_view>({"_batch_norm_impl_index",
                                                             "_to_copy",
                                                             "alias",
                                                             "batch_norm",
                                                             "clone",
                                                             "contiguous",
                                                             "copy_",
                                                             "cudnn_batch_norm",
                                                             "empty",
                                                             "empty_like",
                                                             "fill_",
                                                             "mean",
                                                             "miopen_batch_norm",
                                                             "native_batch_norm",
                                                             "ones",
                                                             "repeat",
                                                             "reshape",
                                                             "to",
                                                             "zero_",
                                                             "zeros"});
constexpr auto kSoftmax =
    std::to_array<std::string_view>({"_log_softmax", "_softmax", "_to_copy", "clone", "contiguous", "copy_", "empty",
                                     "empty_like", "empty_strided", "to"});
constexpr auto kDropout = std::to_array<std::string_view>(
    {"_to_copy", "add", "add_", "bernoulli_", "copy_", "div_", "empty", "empty_like", "empty_strided", "mul", "mul_",
     "native_dropout", "new_empty", "to", "zero_", "zeros", "zeros_like"});

/// Measured over classes and probabilities as targets, weights, smoothing, every reduction and up to three dimensions
/// of positions.
constexpr auto kCrossEntropy = std::to_array<std::string_view>({"_local_scalar_dense",
                                                                "_log_softmax",
                                                                "_to_copy",
                                                                "add",
                                                                "as_strided",
                                                                "bitwise_not",
                                                                "copy_",
                                                                "div",
                                                                "empty",
                                                                "empty_strided",
                                                                "eq",
                                                                "fill_",
                                                                "flatten",
                                                                "gather",
                                                                "item",
                                                                "log_softmax",
                                                                "masked_fill_",
                                                                "masked_select",
                                                                "mean",
                                                                "mul",
                                                                "neg",
                                                                "nll_loss",
                                                                "nll_loss2d",
                                                                "nll_loss2d_forward",
                                                                "nll_loss_forward",
                                                                "nll_loss_nd",
                                                                "resize_",
                                                                "sum",
                                                                "to",
                                                                "view",
                                                                "zero_"});

struct Composite {
  std::string_view name;
  Ops calls;
};
constexpr Composite kComposites[] = {{"alpha_dropout", kDropout},
                                     {"batch_norm", kBatchNorm},
                                     {"cross_entropy_loss", kCrossEntropy},
                                     {"dropout", kDropout},
                                     {"einsum", kProducts},
                                     {"feature_alpha_dropout", kDropout},
                                     {"feature_dropout", kDropout},
                                     {"group_norm", kLayerNorm},
                                     {"gru", kRecurrent},
                                     {"gru_cell", kRecurrent},
                                     {"instance_norm", kBatchNorm},
                                     {"layer_norm", kLayerNorm},
                                     {"log_softmax", kSoftmax},
                                     {"lstm", kRecurrent},
                                     {"lstm_cell", kRecurrent},
                                     {"rnn_relu", kRecurrent},
                                     {"rnn_relu_cell", kRecurrent},
                                     {"rnn_tanh", kRecurrent},
                                     {"rnn_tanh_cell", kRecurrent},
                                     {"scaled_dot_product_attention", kAttention},
                                     {"softmax", kSoftmax},
                                     {"tensordot", kProducts}};

constexpr std::string_view kPrefix = "aten::";

/// The products that a recurrent layer or cell computes inside kCarriersOfProducts only.
constexpr std::array<std::string_view, 3> kCarriedProducts{"addmm", "bmm", "mm"};
constexpr std::array<std::string_view, 2> kCarriersOfProducts{"aten::linear", "aten::matmul"};

const Composite* find_composite(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kComposites), std::end(kComposites),
                                         [name](const Composite& each) { return each.name == name; });
  return found == std::end(kComposites) ? nullptr : found;
}

}  // namespace

bool composite_may_call(std::string_view composite, std::string_view op) {
  if (!composite.starts_with(kPrefix) || !op.starts_with(kPrefix)) return true;
  composite.remove_prefix(kPrefix.size());
  op.remove_prefix(kPrefix.size());
  const Composite* const known = find_composite(composite);
  return known == nullptr || std::find(known->calls.begin(), known->calls.end(), op) != known->calls.end();
}

std::span<const std::string_view> composite_carriers(std::string_view composite, std::string_view op) {
  if (!composite.starts_with(kPrefix) || !op.starts_with(kPrefix)) return {};
  composite.remove_prefix(kPrefix.size());
  op.remove_prefix(kPrefix.size());
  const Composite* const known = find_composite(composite);
  const bool carried = known != nullptr && known->calls.data() == kRecurrent.data() &&
                       std::find(kCarriedProducts.begin(), kCarriedProducts.end(), op) != kCarriedProducts.end();
  return carried ? std::span<const std::string_view>(kCarriersOfProducts) : std::span<const std::string_view>();
}

}  // namespace binade::policy
