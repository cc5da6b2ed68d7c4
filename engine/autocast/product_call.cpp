// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/product_call.h"

#include "engine/autocast/rounding.h"
#include "engine/formats/error.h"
#include "engine/graph/dtype_format.h"
#include "engine/scaled/fit.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include <chrono>
#include <utility>

namespace binade::autocast {

using policy::Operand;
using policy::Product;

ProductCall::ProductCall(std::shared_ptr<ProductState> state, const policy::Products& products,
                         const Precision& precision, Place place)
    : state_(std::move(state)), products_(products), precision_(precision), place_(std::move(place)) {}

std::optional<scaled::ScaledFormat> ProductCall::format_of(Product product, Operand operand) const {
  const std::optional<policy::OperandFormat>& format = products_.of(product);
  if (!format || !std::holds_alternative<scaled::ScaledFormat>(*format)) return std::nullopt;
  return policy::operand_format(std::get<scaled::ScaledFormat>(*format), product, operand, products_);
}

bool ProductCall::shares(Operand operand, Product one, Product other) const {
  if (state_->unshared == place_.site) return false;
  const auto format = format_of(one, operand);
  return format && format == format_of(other, operand) && format->block.rows == format->block.length &&
         format->rounding == scaled::Rounding::kNearest && !format->transform;
}

scaled::Quantizer ProductCall::quantizer(const scaled::ScaledFormat& format, const Use& use) const {
  return scaled::Quantizer(format, state_->draws(place_.site, place_.call, use.product, use.operand),
                           state_->sign_seed());
}

at::Tensor ProductCall::operand(const at::Tensor& tensor, const OperandMatrices& matrices, const Use& use) {
  const auto format = format_of(use.product, use.operand);
  if (!format) {
    // The ordinary format of the product, or that of the op call's results or gradients.
    const std::optional<policy::OperandFormat>& named = products_.of(use.product);
    const bool of_gradient = use.operand == Operand::kGradient;
    const formats::Format ordinary = named         ? std::get<formats::Format>(*named)
                                     : of_gradient ? precision_.backward
                                                   : precision_.format;
    const at::NoGradGuard no_history;
    return round_values(tensor.to(at::kFloat), formats::Rounder(ordinary, formats::default_overflow(ordinary)));
  }
  const ProductState::WeightKey key{use.parameter.unsafeGetTensorImpl(), *format, use.orientation};
  if (use.parameter.defined()) {
    at::Tensor kept = state_->weight(key, use.parameter);
    if (kept.defined() && kept.sizes() == tensor.sizes()) {
      if (state_->ledger != nullptr) ++state_->ledger->at(place_.site, static_cast<int>(use.argument)).saved;
      return kept;
    }
  }
  at::Tensor copy = made(tensor, matrices, use, *format);
  if (use.parameter.defined()) state_->keep_weight(key, use.parameter, copy);
  return copy;
}

at::Tensor ProductCall::made(const at::Tensor& tensor, const OperandMatrices& matrices, const Use& use,
                             const scaled::ScaledFormat& format) {
  const auto start = std::chrono::steady_clock::now();
  const scaled::Quantizer rounds = quantizer(format, use);
  const scaled::Scale scale = scale_for(format, use, [&] { return largest_of(tensor, matrices, rounds); });
  scaled::BlockStats stats;
  // The copy of a parameter is kept for the step.
  at::Tensor copy = use.parameter.defined() ? at::empty(tensor.sizes(), at::kFloat) : memory().take(tensor.sizes());
  quantize(tensor, copy, matrices, rounds, scale, is_watched() ? &stats : nullptr);
  copy = copy.to(tensor.device());
  if (is_watched()) report(use, format, tensor, copy, scale, stats, &matrices);
  if (state_->ledger != nullptr) {
    CastCount& count = state_->ledger->at(place_.site, static_cast<int>(use.argument));
    ++count.made;
    count.bytes += copy.nbytes();
    count.nanoseconds += static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count());
  }
  return copy;
}

void ProductCall::report(const Use& use, const scaled::ScaledFormat& format, const at::Tensor& from,
                         const at::Tensor& to, const scaled::Scale& scale, const scaled::BlockStats& stats,
                         const OperandMatrices* matrices) const {
  const at::NoGradGuard no_history;
  state_->watch({.site = place_.site,
                 .call = place_.call,
                 .product = use.product,
                 .operand = use.operand,
                 .argument = use.argument,
                 .format = format,
                 .from = from,
                 .to = to,
                 .tensor = scale,
                 .stats = stats,
                 .matrices = matrices});
}

void ProductCall::examine(Product product, std::int64_t rows, std::int64_t columns, std::int64_t contracted) {
  const std::optional<policy::OperandFormat>& named = products_.of(product);
  if (!named || !std::holds_alternative<scaled::ScaledFormat>(*named)) return;
  if (!state_->examine(place_.site, product)) return;
  const auto& format = std::get<scaled::ScaledFormat>(*named);
  for (const std::int64_t others : {rows, columns}) {
    for (const scaled::Misfit& misfit : scaled::misfits(format, others, contracted)) {
      state_->note(place_.name + ", " + policy::name(product) + ": " + scaled::sentence(misfit, format));
    }
  }
}

at::Tensor ProductCall::sent(const at::Tensor& gradient, at::ScalarType dtype) const {
  const formats::Format& format = precision_.backward;
  const formats::Overflow overflow =
      format == precision_.format ? precision_.overflow : formats::default_overflow(format);
  // Its dtype stores the values of the format alone: the conversion rounds as the format does.
  const bool converts = graph::dtype_of(format) == dtype && overflow == formats::Overflow::kInfinity;
  if (converts) return gradient.to(dtype);
  const formats::Rounder rounder(format, overflow);
  if (gradient.is_cpu()) {
    round_memory(gradient, rounder);
    return gradient.to(dtype);
  }
  return round_values(gradient, rounder).to(dtype);
}

void ProductCall::refuse_second_derivative() const {
  throw Error(ErrorCode::kBadPolicy,
              place_.name + ": products with formats of their own have no second derivative, which the model computes",
              "Give this op call an ordinary format, without forward, grad_input and grad_weight.");
}

}  // namespace binade::autocast
