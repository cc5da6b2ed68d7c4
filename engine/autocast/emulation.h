// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/arguments.h"

#include <string_view>

namespace binade::autocast {

/// Whether emulation computes the op in float32: matrix multiplications, convolutions and ops made of them. All other
/// ops run natively in the dtype that stores the format.
bool is_matrix_op(std::string_view op);

/// Whether an op that no list names computes with matrix ops inside, as an LSTM does. Under a logical format its
/// arguments and results are rounded to the format and it computes in float32 inside.
bool is_rounded_at_boundary(std::string_view op);

/// Whether an op is a whole recurrent layer, which cuDNN runs as one `_cudnn_rnn`.
bool is_recurrent_layer(std::string_view op);

/// Replaces tensors stored in `dtype` by exact float32 copies, so that the op accumulates in float32.
void to_float32(const Arguments& arguments, at::ScalarType dtype);

/// Number of an op's results that hold data in its rule's format. Further results of a norm or attention, which it
/// saves for its backward (mean and deviation, logsumexp, the random state), have dtypes of their own.
std::size_t data_results(const graph::OpTraits& op);

/// Rounds the op's float32 data results to `dtype`. In backward the same casts round: each operand's gradient leaves
/// the op in float32 and is rounded on its way out.
void round_results(graph::Stack& stack, const graph::OpTraits& op, at::ScalarType dtype);

}  // namespace binade::autocast
