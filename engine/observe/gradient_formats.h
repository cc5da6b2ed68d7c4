// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/trace.h"

#include <torch/csrc/autograd/function.h>

namespace binade::observe {

/// Measures what `function` sent out in float16 or bfloat16, before it was rounded to that: of a cast what came in, of
/// everything else what the function gives for the same gradients in float32, or where it refuses those for larger
/// ones. Where that does not serve either, what went out, which is marked censored. What was only handed on is left
/// out: it was rounded elsewhere. TracedNode::lowered. While the function's backward runs, and its variables are still
/// there.
void measure_lowered(torch::autograd::Node& function, const torch::autograd::variable_list& in,
                     const torch::autograd::variable_list& out, TracedNode& node);

/// Of a gradient that arrives in float16 or bfloat16: TracedNode::sum. Several uses may meet in it, whose sum the
/// format may not hold although it holds each.
void scan_sum(const at::Tensor& arrived, TracedNode& node);

}  // namespace binade::observe
