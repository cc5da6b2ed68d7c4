// SPDX-License-Identifier: Apache-2.0
#include "engine/exporters/composite_casts.h"

#include "engine/autocast/arguments.h"
#include "engine/autocast/casting.h"
#include "engine/autocast/composite.h"
#include "engine/exporters/tensors.h"
#include "engine/graph/dtype_format.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>

namespace binade::exporters {

namespace {

using at::ScalarType;

constexpr std::size_t kMostUncertain = 3;  ///< most arguments of one op for which all combinations of dtypes are tried

c10::IValue cloned(const c10::IValue& value) {
  if (value.isTensor() && value.toTensor().defined()) return value.toTensor().detach().clone();
  if (!value.isTensorList()) return value;
  c10::List<at::Tensor> list;
  for (const at::Tensor& tensor : value.toTensorVector()) list.push_back(tensor.detach().clone());
  return list;
}

bool is_eligible(const at::Tensor& tensor) {
  return autocast::eligible(tensor, at::kCPU);
}

/// Returns whether a value holds a tensor that casts apply to.
bool concerns_casts(const c10::IValue& value) {
  if (value.isTensor()) return is_eligible(value.toTensor());
  if (!value.isTensorList()) return false;
  const std::vector<at::Tensor> tensors = value.toTensorVector();
  return std::any_of(tensors.begin(), tensors.end(), is_eligible);
}

c10::IValue in_dtype(const c10::IValue& value, ScalarType dtype) {
  const auto cast = [dtype](const at::Tensor& tensor) { return is_eligible(tensor) ? tensor.to(dtype) : tensor; };
  if (value.isTensor()) return cast(value.toTensor());
  c10::List<at::Tensor> list;
  for (const at::Tensor& tensor : value.toTensorVector()) list.push_back(cast(tensor));
  return list;
}

std::vector<at::Tensor> results_of(const graph::Stack& stack, std::size_t count) {
  std::vector<at::Tensor> all;
  for (std::size_t i = stack.size() - count; i < stack.size(); ++i) {
    const std::vector<at::Tensor> some = tensors_of(stack[i]);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::vector<ScalarType> dtypes_of(const std::vector<at::Tensor>& tensors) {
  std::vector<ScalarType> dtypes;
  for (const at::Tensor& tensor : tensors) {
    dtypes.push_back(tensor.defined() ? tensor.scalar_type() : ScalarType::Undefined);
  }
  return dtypes;
}

}  // namespace

CompositeCastSearch::CompositeCastSearch(std::shared_ptr<const policy::Resolved> table, OtherDtypes others)
    : table_(std::move(table)), others_(std::move(others)) {}

void CompositeCastSearch::before(const graph::Call& call) {
  kept_.clear();
  for (std::size_t i = 0; i < call.site.inputs; ++i) kept_.push_back(cloned(call.argument(i)));
  random_ = random_state();
}

void CompositeCastSearch::after(const graph::Call& call, CompositeCasts& composite_casts, bool first) {
  const KeepRandomState after_the_op;
  const at::NoGradGuard no_history;
  const std::vector<at::Tensor> results = results_of(call.stack, call.site.outputs);
  cases_ = other_cases(call.site);
  if (first) return choose(call.site, results, composite_casts);
  composite_casts.exact = composite_casts.exact && gives(call.site, composite_casts, {kept_, results});
  composite_casts.elsewhere = composite_casts.elsewhere && gives_elsewhere(call.site, composite_casts);
}

/// Chooses the first casts that are exact in all dtypes, else the first that are exact in this call's dtypes,
/// else the cast to the low dtype.
void CompositeCastSearch::choose(const graph::Site& op, const std::vector<at::Tensor>& results,
                                 CompositeCasts& composite_casts) {
  const policy::Resolved& lists = table_->lists_of(table_->sites[static_cast<std::size_t>(op.id)]);
  const std::optional<ScalarType> low = graph::dtype_of(lists.low);
  composite_casts = {low, dtypes_of(results), /*exact=*/false, /*elsewhere=*/false};
  for (const std::optional<ScalarType>& arguments : {std::optional<ScalarType>(), low, std::optional(at::kFloat)}) {
    const CompositeCasts tried{arguments, composite_casts.results};
    if (!gives(op, tried, {kept_, results})) continue;
    const bool elsewhere = gives_elsewhere(op, tried);
    if (!composite_casts.exact || elsewhere) composite_casts = {arguments, tried.results, /*exact=*/true, elsewhere};
    if (elsewhere) return;
  }
}

bool CompositeCastSearch::gives_elsewhere(const graph::Site& op, const CompositeCasts& composite_casts) {
  return cases_ && std::all_of(cases_->begin(), cases_->end(),
                               [&](const Case& each) { return gives(op, composite_casts, each); });
}

bool CompositeCastSearch::gives(const graph::Site& op, const CompositeCasts& composite_casts,
                                const Case& expected) const {
  Values arguments = expected.arguments;
  if (composite_casts.arguments) {
    const autocast::Arguments cast{arguments, op, at::kCPU};
    autocast::replace_tensors(
        cast, [&](const at::Tensor& tensor, std::size_t) { return tensor.to(*composite_casts.arguments); });
  }
  const auto got = run(op, arguments);
  if (!got || got->size() != expected.results.size() || got->size() != composite_casts.results.size()) return false;
  for (std::size_t i = 0; i < got->size(); ++i) {
    at::Tensor result = (*got)[i];
    const bool cast =
        composite_casts.arguments && result.defined() && composite_casts.results[i] != ScalarType::Undefined;
    if (cast) result = result.to(composite_casts.results[i]);
    if (!same_bits(result, expected.results[i])) return false;
  }
  return true;
}

/// Runs the op with the rules inside for the other dtypes that its arguments may have. Combinations that throw are left
/// out. nullopt if there are too many.
std::optional<std::vector<CompositeCastSearch::Case>> CompositeCastSearch::other_cases(const graph::Site& op) const {
  std::vector<std::size_t> uncertain;
  for (const std::size_t i : others_.arguments[static_cast<std::size_t>(op.id)]) {
    if (concerns_casts(kept_[i])) uncertain.push_back(i);
  }
  std::vector<Case> cases;
  if (uncertain.empty()) return cases;
  if (uncertain.size() > kMostUncertain) return std::nullopt;
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < uncertain.size(); ++i) combinations *= others_.dtypes.size();
  for (std::size_t number = 0; number < combinations; ++number) {
    Values arguments = kept_;
    std::size_t digits = number;
    for (const std::size_t i : uncertain) {
      arguments[i] = in_dtype(arguments[i], others_.dtypes[digits % others_.dtypes.size()]);
      digits /= others_.dtypes.size();
    }
    if (auto results = run_by_rules(op, arguments)) cases.push_back({std::move(arguments), std::move(*results)});
  }
  return cases;
}

std::optional<std::vector<at::Tensor>> CompositeCastSearch::run(const graph::Site& op, const Values& arguments) const {
  set_random_state(random_);
  graph::Stack stack;
  for (const c10::IValue& value : arguments) stack.push_back(cloned(value));
  try {
    op.operation(stack);
  } catch (const std::exception&) {
    return std::nullopt;  // the op does not accept this combination of dtypes
  }
  return results_of(stack, op.outputs);
}

std::optional<std::vector<at::Tensor>> CompositeCastSearch::run_by_rules(const graph::Site& op,
                                                                         const Values& arguments) const {
  autocast::Casting casting(at::kCPU);
  casting.set_policy(table_);
  casting.set_lists({table_, &table_->lists_of(table_->sites[static_cast<std::size_t>(op.id)])});
  const autocast::CompositeRegion rules_inside(&casting);
  return run(op, arguments);
}

}  // namespace binade::exporters
