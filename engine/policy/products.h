// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/scaled/scaled_format.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace binade::policy {

/// Format of the operands of one product: an ordinary one, or one whose values share scales. The latter states neither
/// rounding nor transform, which depend on the operand; see Products.
using OperandFormat = std::variant<formats::Format, scaled::ScaledFormat>;

/// How gradients are rounded when they become an operand. Activations and weights are always rounded to nearest.
using scaled::Rounding;

/// Transform of both operands of the weight gradient before they are quantized.
enum class Transform : std::uint8_t {
  kNone,
  kHadamard,  ///< random Hadamard transform, 16 values at a time along the contracted dimension
};

/// The products of a matrix product or convolution y = x w: y itself and the two gradients of its backward.
enum class Product : std::uint8_t { kForward, kGradInput, kGradWeight };

/// Formats of the three products of an op call. An operand is quantized along the dimension that its product contracts,
/// from the value as it arrives, and never from another quantized copy. Sums are float32; a result has the ordinary
/// format of the op call. A product without a format has operands of that ordinary format.
struct Products {
  std::optional<OperandFormat> forward;
  std::optional<OperandFormat> grad_input;   ///< gradient × weight
  std::optional<OperandFormat> grad_weight;  ///< gradient × input
  Rounding rounding = Rounding::kNearest;    ///< stochastic: repeatable by the seed of the run
  Transform transform = Transform::kNone;

  /// Whether no product has a format of its own. The other fields then have no effect.
  bool empty() const { return !forward && !grad_input && !grad_weight; }
  const std::optional<OperandFormat>& of(Product product) const {
    return product == Product::kForward ? forward : product == Product::kGradInput ? grad_input : grad_weight;
  }

  friend bool operator==(const Products&, const Products&) = default;
};

/// Name of a format as a policy file states it: `bfloat16`, `mxfp8`.
std::string name(const OperandFormat& format);
std::string name(Rounding rounding);    ///< `nearest`, `stochastic`
std::string name(Transform transform);  ///< `none`, `hadamard`
std::string name(Product product);      ///< the field of a rule: `forward`, `grad_input`, `grad_weight`

/// The format with a name; empty if there is none, or if the name states rounding or a transform.
std::optional<OperandFormat> parse_operand(std::string_view text);

/// The format of one operand of a product. Square blocks are for weights only: a `weight` has those of the format's
/// square form (`nvfp4_16x16`, `fp8_block_128x128`), so that both of its products take the same values. E5M2 is for
/// gradients only: in a backward product, the other operand has E4M3, because cuBLAS multiplies no two operands in
/// E5M2. Rounding and transform are those of the products.
enum class Operand : std::uint8_t { kInput, kWeight, kGradient };
scaled::ScaledFormat operand_format(const scaled::ScaledFormat& format, Product product, Operand operand,
                                    const Products& products);

/// The formats of the products in words: `mxfp8`, if all three have it; otherwise `forward mxfp8, grad_weight
/// bfloat16`. Followed by `, stochastic rounding` and `, Hadamard transform`. Empty if no product has a format.
std::string products_text(const Products& products);

/// The formats without that of one product, whose operands then have the ordinary format. Rounding and transform stay
/// where a product is left that they apply to.
Products without(Products products, Product product);

/// Whether an op is computed as three products whose operands can be quantized: matrix products of two tensors,
/// `linear` and convolutions, without the overloads that write an argument. `op` includes its namespace, and an empty
/// `overload` is the default one.
bool has_products(std::string_view op, std::string_view overload);

}  // namespace binade::policy
