// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/product_call.h"
#include "engine/autocast/product_operands.h"
#include "engine/graph/site.h"

#include <string>

namespace binade::autocast {

/// Why the operands of a call cannot be quantized: they are integers, float64 or sparse. Empty if they can.
std::string why_not_quantized(const graph::OpTraits& op, const graph::Stack& stack, const ProductOperands& operands);

/// Runs an op with products on `stack` in place of `original`, with its operands quantized; the result is float32.
/// Operands whose shapes the op does not accept are left to `original`, which refuses them.
void run_product(const graph::OpTraits& op, graph::Stack& stack, const graph::Operation& original,
                 const c10::intrusive_ptr<ProductCall>& call);

}  // namespace binade::autocast
