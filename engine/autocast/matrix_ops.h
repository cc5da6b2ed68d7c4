// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace binade::autocast {

/// Whether emulation computes the op in float32: matrix multiplications, convolutions and ops made of them. All other
/// ops run natively in the dtype that stores the format.
bool is_matrix_op(std::string_view op);

/// Whether an op that no list names computes with matrix ops inside, as an LSTM does. Under a logical format its
/// arguments and results are rounded to the format and it computes in float32 inside.
bool is_rounded_at_boundary(std::string_view op);

}  // namespace binade::autocast
