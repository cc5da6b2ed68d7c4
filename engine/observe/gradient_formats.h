// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/trace.h"

namespace binade::observe {

/// Of a gradient before its cast from float32 to float16 or bfloat16: TracedNode::cast.
void measure_cast(const at::Tensor& before, const at::Tensor& after, TracedNode& node);

/// Of a gradient that arrives in float16 or bfloat16: TracedNode::sum. Several uses may meet in it, whose sum the
/// format may not hold although it holds each.
void scan_sum(const at::Tensor& arrived, TracedNode& node);

}  // namespace binade::observe
