// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/product_call.h"

namespace binade::autocast {

/// Matrix products of `input` [batch, m, k] and `other`, [batch, n, k] or if `transposed` [batch, k, n], as float32
/// [batch, m, n]. Each of the three products quantizes its operands along the dimension that it contracts: k forward,
/// n for the gradient of `input`, m for the gradient of `other`. Recorded by autograd.
at::Tensor multiply(const c10::intrusive_ptr<ProductCall>& call, const at::Tensor& input, const at::Tensor& other,
                    const ProductCall::Use& other_use, bool transposed);

}  // namespace binade::autocast
