// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/op_traits.h"

#include <cstddef>
#include <optional>

namespace binade::autocast {

/// Positions of the two operands of a product among the arguments of its op.
struct ProductOperands {
  std::size_t input = 0;
  std::size_t other = 1;

  bool contain(std::size_t argument) const { return argument == input || argument == other; }
};

/// The operands of an op with products (policy::has_products); empty for every other op.
std::optional<ProductOperands> product_operands(const graph::OpTraits& op);

}  // namespace binade::autocast
