// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/operand_matrices.h"
#include "engine/autocast/precision.h"
#include "engine/autocast/product_state.h"
#include "engine/policy/products.h"

#include <ATen/core/Tensor.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/custom_class.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace binade::autocast {

/// One execution of an op call whose products have formats of their own: quantizes the operands of its three products.
/// Lives as long as the autograd node of the call.
class ProductCall : public torch::CustomClassHolder {
 public:
  struct Place {
    int site = 0;
    int call = 0;
    std::string name;  ///< of the site, for messages
  };
  /// `precision` is that of the op call's results: the format of operands of products without one.
  ProductCall(std::shared_ptr<ProductState> state, const policy::Products& products, const Precision& precision,
              Place place);

  /// A tensor as an operand of a product.
  struct Use {
    policy::Product product = policy::Product::kForward;
    policy::Operand operand = policy::Operand::kInput;
    std::size_t argument = 0;   ///< in the op's schema; for a gradient 0
    at::Tensor parameter = {};  ///< whose values these are: the copy is kept for the step; undefined: not kept
    int orientation = 0;        ///< tells apart copies of a parameter along different dimensions
  };

  /// What is multiplied: the values of a contiguous `tensor`, quantized along the columns of `matrices`, in float32.
  at::Tensor operand(const at::Tensor& tensor, const OperandMatrices& matrices, const Use& use);

  /// Format with scales of an operand; empty if the product has an ordinary one.
  std::optional<scaled::ScaledFormat> format_of(policy::Product product, policy::Operand operand) const;

  /// Whether an operand has the same values in two products, whichever dimension they contract: it is rounded to
  /// nearest to one format, by a scale of the whole tensor or of square blocks.
  bool shares(policy::Operand operand, policy::Product one, policy::Product other) const;

  /// The quantizer of an operand.
  scaled::Quantizer quantizer(const scaled::ScaledFormat& format, const Use& use) const;
  /// Scale of the tensor for an operand whose largest magnitude `largest()` computes, if it is needed.
  template <class Largest>
  scaled::Scale scale_for(const scaled::ScaledFormat& format, const Use& use, const Largest& largest) {
    if (format.scaling == scaled::Scaling::kDelayed) {
      const scaled::Scale scale = state_->delayed_scale(place_.site, use.operand, format.element);
      bool& observed = observed_[static_cast<std::size_t>(use.operand)];
      if (!std::exchange(observed, true)) state_->observe(place_.site, use.operand, largest());
      return scale;
    }
    return format.needs_largest() ? scaled::tensor_scale(format, largest()) : scaled::Scale{};
  }

  /// Memory for what lives during a product.
  ReusedMemory& memory() { return state_->memory(); }

  /// Reports an operand to those who observe. Call it only if is_watched().
  bool is_watched() const { return static_cast<bool>(state_->watch); }
  void report(const Use& use, const scaled::ScaledFormat& format, const at::Tensor& from, const at::Tensor& to,
              const scaled::Scale& scale, const scaled::BlockStats& stats, const OperandMatrices* matrices) const;

  /// Notes what a library would do with the shapes of a product, once for each op call.
  void examine(policy::Product product, std::int64_t rows, std::int64_t columns, std::int64_t contracted);

  /// The gradient of an argument as the op call sends it: rounded to the ordinary format of gradients, in the dtype of
  /// the argument. Rounds in the memory of `gradient`, which must be the caller's alone.
  at::Tensor sent(const at::Tensor& gradient, at::ScalarType dtype) const;

  /// Throws Error{kBadPolicy}: quantized products have no second derivative.
  void refuse_second_derivative() const;

 private:
  at::Tensor made(const at::Tensor& tensor, const OperandMatrices& matrices, const Use& use,
                  const scaled::ScaledFormat& format);

  std::shared_ptr<ProductState> state_;
  policy::Products products_;
  Precision precision_;
  Place place_;
  std::array<bool, 3> observed_{};  ///< by operand: its magnitude entered the scale of delayed scaling
};

}  // namespace binade::autocast
