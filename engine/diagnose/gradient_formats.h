// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/trace.h"

#include <torch/csrc/autograd/function.h>

namespace binade::diagnose {

/// Measures each gradient that `function` returned in float16 or bfloat16 before it was rounded to that format, and
/// stores it in TracedNode::lowered. For a cast this is its input. For other functions it is the result in float32 for
/// the same gradients, or, if the function refuses float32, for larger gradients. Failing that, the rounded gradient is
/// measured and marked censored. Gradients passed through unchanged are left out, since they were rounded elsewhere.
/// Must be called while the function's backward runs, with its saved variables still present.
void measure_lowered(torch::autograd::Node& function, const torch::autograd::variable_list& in,
                     const torch::autograd::variable_list& out, TracedNode& node);

/// Scans a gradient that arrives in float16 or bfloat16 into TracedNode::sum. It may be a sum of several uses that
/// exceeds the format although each term fits.
void scan_sum(const at::Tensor& arrived, TracedNode& node);

}  // namespace binade::diagnose
