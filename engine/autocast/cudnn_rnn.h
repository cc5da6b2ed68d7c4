// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/arguments.h"

namespace binade::autocast {

/// Copies the weights of an `aten::_cudnn_rnn` call to `dtype`, in one buffer as cuDNN requires, if the given buffer
/// (or, without one, the first weight) is eligible and of another dtype. Autograd records the copies. Only input, hx
/// and cx remain to be cast. Throws PyTorch's error if the weights differ in dtype.
void lay_out_cudnn_weights(const Arguments& arguments, at::ScalarType dtype);

}  // namespace binade::autocast
