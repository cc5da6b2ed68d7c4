// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/arguments.h"

namespace binade::autocast {

/// Lays the weights of an `aten::_cudnn_rnn` call out anew in `dtype`, in one buffer as cuDNN wants them, if the
/// buffer that came (or, without one, the first weight) is eligible and of another dtype. Autograd sees the copies.
/// Afterwards only input, hx and cx are left to cast. Throws PyTorch's error where the weights differ in dtype.
void lay_out_cudnn_weights(const Arguments& arguments, at::ScalarType dtype);

}  // namespace binade::autocast
