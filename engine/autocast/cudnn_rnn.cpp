// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/cudnn_rnn.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <c10/util/Exception.h>

namespace binade::autocast {

namespace {

// Positions in _cudnn_rnn(input, weight, weight_stride0, weight_buf, hx, cx, mode, hidden_size, proj_size, num_layers,
// batch_first, dropout, train, bidirectional, batch_sizes, dropout_state).
enum Position : std::size_t {
  kInput = 0,
  kWeights = 1,
  kStride = 2,
  kBuffer = 3,
  kMode = 6,
  kHiddenSize = 7,
  kProjectionSize = 8,
  kLayers = 9,
  kBatchFirst = 10,
  kBidirectional = 13,
};

/// Calls `_cudnn_rnn_flatten_weight`, which fills one buffer and makes each of `weights` a view into it.
at::Tensor flatten(const Arguments& arguments, const c10::List<at::Tensor>& weights) {
  graph::Stack stack{weights,
                     arguments[kStride],
                     arguments[kInput].toTensor().size(-1),
                     arguments[kMode],
                     arguments[kHiddenSize],
                     arguments[kProjectionSize],
                     arguments[kLayers],
                     arguments[kBatchFirst],
                     arguments[kBidirectional]};
  // Without history, because the copies have theirs already.
  const at::NoGradGuard no_history;
  c10::Dispatcher::singleton().findSchemaOrThrow("aten::_cudnn_rnn_flatten_weight", "").callBoxed(&stack);
  return stack.back().toTensor();
}

}  // namespace

void lay_out_cudnn_weights(const Arguments& arguments, at::ScalarType dtype) {
  const std::vector<at::Tensor> weights = arguments[kWeights].toTensorVector();
  if (weights.empty()) return;
  for (const at::Tensor& weight : weights) {
    TORCH_CHECK(weight.scalar_type() == weights[0].scalar_type(), "Weight scalar types do not match.");
  }
  const std::int64_t stride = arguments[kStride].toInt();
  const std::int64_t extra = arguments[kProjectionSize].toInt() > 0 ? 1 : 0;
  TORCH_CHECK(stride == 2 + extra || stride == 4 + extra, "weight_stride0 must be ", 2 + extra, " or ", 4 + extra,
              ", not ", stride);

  const c10::IValue& buffer = arguments[kBuffer];
  const bool has_buffer = buffer.isTensor() && buffer.toTensor().defined();
  const at::Tensor& deciding = has_buffer ? buffer.toTensor() : weights[0];
  if (!arguments.eligible(deciding) || deciding.scalar_type() == dtype) return;

  c10::List<at::Tensor> copies;
  for (const at::Tensor& weight : weights) copies.push_back(weight.to(dtype, /*non_blocking=*/false, /*copy=*/true));
  arguments[kBuffer] = flatten(arguments, copies);
  arguments[kWeights] = std::move(copies);
}

}  // namespace binade::autocast
