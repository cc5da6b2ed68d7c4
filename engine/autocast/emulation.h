// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/arguments.h"

#include <cstddef>

namespace binade::autocast {

/// Replaces tensors stored in `dtype` by exact float32 copies, so that the op accumulates in float32.
void to_float32(const Arguments& arguments, at::ScalarType dtype);

/// Number of an op's results that hold data in its rule's format. Further results of a norm or attention, which it
/// saves for its backward (mean and deviation, logsumexp, the random state), have dtypes of their own.
std::size_t data_results(const graph::OpTraits& op);

/// Rounds the op's float32 data results to `dtype`. In backward the same casts round: each operand's gradient leaves
/// the op in float32 and is rounded on its way out.
void round_results(graph::Stack& stack, const graph::OpTraits& op, at::ScalarType dtype);

}  // namespace binade::autocast
