// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/arguments.h"

#include <string_view>

namespace binade::autocast {

/// Whether emulation computes the op in float32: matrix multiplies, convolutions and what is made of them. Everything
/// else runs natively in the dtype that stores the format.
bool is_matrix_op(std::string_view op);

/// Whether an op that no list names computes with matrix ops inside, as an LSTM does. Under a logical format it takes
/// its arguments and gives its results in that format and computes in float32 between: it is rounded at its boundary.
bool is_rounded_at_boundary(std::string_view op);

/// Whether an op is a whole recurrent layer, which cuDNN runs as one `_cudnn_rnn`.
bool is_recurrent_layer(std::string_view op);

/// Replaces tensors stored in `dtype` by exact float32 copies, so that the op accumulates in float32.
void to_float32(const Arguments& arguments, at::ScalarType dtype);

/// How many of an op's results hold data, in the format that its rule gives them. What a norm or
/// attention leaves to its backward behind its first (mean and deviation, logsumexp, the state of the random numbers)
/// is in a dtype of its own.
std::size_t data_results(const graph::OpTraits& op);

/// Rounds the op's float32 results that hold data to `dtype`. In backward the same casts round: the gradient of each
/// operand leaves the op in float32 and is rounded on its way out.
void round_results(graph::Stack& stack, const graph::OpTraits& op, at::ScalarType dtype);

}  // namespace binade::autocast
