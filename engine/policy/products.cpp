// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/policy.h"

#include <algorithm>
#include <array>
#include <utility>

namespace binade::policy {

namespace {

/// Formats of activations with the form that weights have.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kSquareForms{
    {{"nvfp4", "nvfp4_16x16"}, {"fp8_block", "fp8_block_128x128"}}};

scaled::ScaledFormat square_form(const scaled::ScaledFormat& format) {
  for (const auto& [plain, square] : kSquareForms) {
    const scaled::ScaledFormat of_input = *scaled::parse(plain);
    if (format.scaling != of_input.scaling || format.block != of_input.block ||
        format.scale == scaled::ScaleFormat::kE8M0)
      continue;
    scaled::ScaledFormat result = format;
    result.block = scaled::parse(square)->block;
    return result;
  }
  return format;
}

}  // namespace

std::string name(const OperandFormat& format) {
  if (const auto* shared = std::get_if<scaled::ScaledFormat>(&format)) return scaled::name(*shared);
  return formats::name(std::get<formats::Format>(format));
}

std::string name(Rounding rounding) {
  return rounding == Rounding::kStochastic ? "stochastic" : "nearest";
}

std::string name(Transform transform) {
  return transform == Transform::kHadamard ? "hadamard" : "none";
}

std::string name(Product product) {
  constexpr std::array kNames{"forward", "grad_input", "grad_weight"};
  return kNames.at(static_cast<std::size_t>(product));
}

std::optional<OperandFormat> parse_operand(std::string_view text) {
  if (const auto ordinary = formats::parse(text)) return *ordinary;
  const auto shared = scaled::parse(text);
  if (!shared || shared->rounding != Rounding::kNearest || shared->transform) return std::nullopt;
  return *shared;
}

scaled::ScaledFormat operand_format(const scaled::ScaledFormat& format, Product product, Operand operand,
                                    const Products& products) {
  scaled::ScaledFormat result = operand == Operand::kWeight ? square_form(format) : format;
  const bool of_gradient = operand == Operand::kGradient;
  if (product != Product::kForward && !of_gradient && result.element == scaled::Element::kE5M2) {
    result.element = scaled::Element::kE4M3;
  }
  if (of_gradient) result.rounding = products.rounding;
  result.transform = product == Product::kGradWeight && products.transform == Transform::kHadamard;
  return result;
}

std::string products_text(const Products& products) {
  if (products.empty()) return {};
  std::string text;
  if (products.forward == products.grad_input && products.forward == products.grad_weight) {
    text = name(*products.forward);
  } else {
    for (const Product product : {Product::kForward, Product::kGradInput, Product::kGradWeight}) {
      const std::optional<OperandFormat>& format = products.of(product);
      if (format) text += (text.empty() ? "" : ", ") + name(product) + " " + name(*format);
    }
  }
  if (products.rounding == Rounding::kStochastic) text += ", stochastic rounding";
  if (products.transform == Transform::kHadamard) text += ", Hadamard transform";
  return text;
}

Products without(Products products, Product product) {
  (product == Product::kForward     ? products.forward
   : product == Product::kGradInput ? products.grad_input
                                    : products.grad_weight)
      .reset();
  if (!products.grad_weight) products.transform = Transform::kNone;
  if (!products.grad_weight && !products.grad_input) products.rounding = Rounding::kNearest;
  return products;
}

Products products_of(const Policy& policy, int rule, std::string_view op, std::string_view overload) {
  if (rule < 0 || static_cast<std::size_t>(rule) >= policy.sites.size() || !has_products(op, overload)) return {};
  return policy.sites[static_cast<std::size_t>(rule)].products;
}

bool has_products(std::string_view op, std::string_view overload) {
  constexpr auto kOps = std::to_array<std::string_view>({
      "aten::_convolution",
      "aten::addmm",
      "aten::baddbmm",
      "aten::bmm",
      "aten::conv1d",
      "aten::conv2d",
      "aten::conv3d",
      "aten::conv_transpose1d",
      "aten::conv_transpose2d",
      "aten::conv_transpose3d",
      "aten::convolution",
      "aten::linear",
      "aten::matmul",
      "aten::mm",
  });
  static_assert(std::is_sorted(kOps.begin(), kOps.end()));
  if (!std::binary_search(kOps.begin(), kOps.end(), op)) return false;
  // conv2d.padding takes the padding by name; _convolution.deprecated lacks the last flag; conv_transpose2d.input is
  // the name of its default overload.
  return overload.empty() || overload == "default" || overload == "padding" || overload == "deprecated" ||
         overload == "input";
}

}  // namespace binade::policy
