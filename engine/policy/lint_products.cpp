// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/lint.h"
#include "engine/policy/lint_text.h"

namespace binade::policy {

namespace {

using enum Finding::Severity;

bool is_scaled(const std::optional<OperandFormat>& format) {
  return format && std::holds_alternative<scaled::ScaledFormat>(*format);
}

/// Op calls that a rule matches and that are computed otherwise than as three products, without views: these have no
/// format of their own either.
std::vector<int> without_products(const Lint& lint, const std::vector<int>& matched) {
  std::vector<int> some;
  for (const int site : matched) {
    const auto index = static_cast<std::size_t>(site);
    if (has_products(lint.sites[index].op, lint.sites[index].overload)) continue;
    if (lint.places.empty() || !lint.places[index].view) some.push_back(site);
  }
  return some;
}

void lint_reach(const Lint& lint, int rule, const std::vector<int>& matched) {
  const std::vector<int> none = without_products(lint, matched);
  if (none.empty()) return;
  const bool all = none.size() == matched.size();
  const std::string subject =
      all ? all_calls(none.size()) : op_calls(none.size()) + " of its " + op_calls(matched.size());
  lint.add(all ? kWarning : kNote, rule,
           place_of(lint.policy, rule) + ": " + subject + by_count(none.size(), " has", " have") +
               " no product whose operands can be quantized: " + lint.first_names(none) + ". " +
               by_count(none.size(), "It runs", "They run") + " in " +
               formats::name(lint.policy.sites[static_cast<std::size_t>(rule)].format) + ".");
}

void lint_fields(const Lint& lint, int rule) {
  const Products& products = lint.policy.sites[static_cast<std::size_t>(rule)].products;
  const std::string place = place_of(lint.policy, rule);
  const bool gradients = is_scaled(products.grad_input) || is_scaled(products.grad_weight);
  if (products.rounding == Rounding::kStochastic && !gradients) {
    lint.add(kWarning, rule,
             place +
                 ": stochastic rounding has no effect, because it applies to gradients in a format with scales, and "
                 "neither grad_input nor grad_weight names one.");
  }
  if (products.transform == Transform::kHadamard && !is_scaled(products.grad_weight)) {
    lint.add(kWarning, rule,
             place +
                 ": the Hadamard transform has no effect, because it applies to the operands of the weight gradient, "
                 "and grad_weight names no format with scales.");
  }
  const auto* const forward = products.forward ? std::get_if<scaled::ScaledFormat>(&*products.forward) : nullptr;
  if (forward != nullptr && forward->element == scaled::Element::kE5M2) {
    lint.add(kNote, rule,
             place +
                 ": forward multiplies two operands in E5M2, which cuBLAS does not. A library would use E4M3 for "
                 "activations and weights, and E5M2 for gradients only.");
  }
}

}  // namespace

void lint_products(const Lint& lint) {
  for (std::size_t i = 0; i < lint.policy.sites.size(); ++i) {
    if (lint.policy.sites[i].products.empty() || lint.matched[i].empty()) continue;
    const int rule = static_cast<int>(i);
    lint_reach(lint, rule, lint.matched[i]);
    lint_fields(lint, rule);
  }
  std::vector<int> quantized;
  for (std::size_t i = 0; i < lint.resolved.sites.size(); ++i) {
    if (!lint.resolved.sites[i].products.empty()) quantized.push_back(static_cast<int>(i));
  }
  if (quantized.empty()) return;
  lint.add(kNote, kFromBase,
           "operands of products are quantized at " + op_calls(quantized.size()) + ": " + lint.first_names(quantized) +
               ". Their products are emulated: values are rounded exactly as the hardware rounds them, and multiplied "
               "and summed in float32.");
}

}  // namespace binade::policy
