// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/float64_probe.h"

#include "engine/graph/dtype_format.h"
#include "engine/graph/failure.h"
#include "engine/observe/values.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>

namespace binade::diagnose {

namespace {

/// Returns a copy, since the op may write it.
c10::IValue widened(const c10::IValue& value) {
  const auto wide = [](const at::Tensor& tensor) {
    return tensor.defined() && tensor.is_floating_point()
               ? tensor.detach().to(at::kDouble, /*non_blocking=*/false, /*copy=*/true)
               : tensor;
  };
  if (value.isTensor()) return wide(value.toTensor());
  if (value.isTensorList()) {
    c10::List<at::Tensor> list;
    for (const at::Tensor& tensor : value.toTensorVector()) list.push_back(wide(tensor));
    return list;
  }
  return value;
}

/// Returns an argument of `call` for float64; a floating-point dtype argument becomes float64 too.
c10::IValue widened(const graph::Call& call, const c10::IValue& value, std::size_t argument) {
  const bool dtype = argument < call.site.takes_dtype.size() && call.site.takes_dtype[argument] && value.isInt();
  if (!dtype || !c10::isFloatingType(static_cast<at::ScalarType>(value.toInt()))) return widened(value);
  return static_cast<std::int64_t>(at::kDouble);
}

/// Restores the CPU's generator. Generators of other devices are not restored here; a replay restores all of them.
class KeepGenerator {
 public:
  KeepGenerator() : generator_(at::globalContext().defaultGenerator(at::kCPU)) {
    const std::scoped_lock lock(generator_.mutex());
    state_ = generator_.get_state();
  }
  ~KeepGenerator() {
    const std::scoped_lock lock(generator_.mutex());
    generator_.set_state(state_);
  }
  KeepGenerator(const KeepGenerator&) = delete;
  KeepGenerator& operator=(const KeepGenerator&) = delete;

 private:
  at::Generator generator_;
  at::Tensor state_;
};

/// Whether a second run of the op gives other random numbers. An unknown op counts as one that draws none.
bool gives_other_numbers(const graph::Site& site) {
  return graph::draws_numbers(site).value_or(false);
}

/// Returns the largest magnitude that becomes 0 in a result's format; 0 for formats in which nothing is counted as
/// lost.
double rounds_to_zero(const graph::Call& call, const at::Tensor& result) {
  if (call.rounding && result.scalar_type() == at::kFloat) return call.rounding->format.underflow_limit();
  const auto format = graph::narrow_format(result.scalar_type());
  return format ? format->underflow_limit() : 0;
}

/// Returns the non-zero constants among the arguments: plain numbers, and tensors with one element.
std::vector<double> constants_of(const std::vector<c10::IValue>& arguments) {
  std::vector<double> all;
  for (const c10::IValue& value : arguments) {
    double number = 0;
    if (value.isScalar() && !value.toScalar().isComplex()) number = value.toScalar().toDouble();
    if (value.isTensor() && value.toTensor().defined() && value.toTensor().numel() == 1 &&
        value.toTensor().is_floating_point()) {
      number = value.toTensor().item().toDouble();
    }
    if (number != 0 && std::isfinite(number)) all.push_back(number);
  }
  return all;
}

/// Returns the first result if it is a dense floating-point tensor; else undefined.
at::Tensor first_result(const graph::Call& call) {
  if (call.site.outputs == 0 || !call.result(0).isTensor()) return {};
  const at::Tensor& result = call.result(0).toTensor();
  const bool dense = result.defined() && result.is_floating_point() && result.layout() == at::kStrided;
  return dense ? result.detach() : at::Tensor();
}

/// Returns whether `value` is a floating-point tensor that can be broadcast to the shape of `result`.
bool has_places_of(const at::Tensor& result, const c10::IValue& value) {
  if (!value.isTensor()) return false;
  const at::Tensor& given = value.toTensor();
  if (!given.defined() || !given.is_floating_point() || given.layout() != at::kStrided) return false;
  if (given.device() != result.device() || given.dim() > result.dim()) return false;
  for (std::int64_t i = 1; i <= given.dim(); ++i) {
    if (given.size(-i) != result.size(-i) && given.size(-i) != 1) return false;
  }
  return true;
}

}  // namespace

void Float64Probe::keep(const graph::Call& call) {
  const at::NoGradGuard no_history;
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    const c10::IValue& argument = call.argument(i);
    const bool written = call.site.roles[i] == graph::Role::kWritten || call.site.roles[i] == graph::Role::kStatistics;
    const bool copy = written && argument.isTensor() && argument.toTensor().defined();
    arguments_.push_back(copy ? c10::IValue(argument.toTensor().detach().clone()) : argument);
  }
}

std::optional<graph::Stack> Float64Probe::results(const graph::Call& call, const std::vector<c10::IValue>& arguments) {
  const KeepGenerator random;
  graph::Stack stack;
  for (std::size_t i = 0; i < arguments.size(); ++i) stack.push_back(widened(call, arguments[i], i));
  try {
    (*call.operation)(stack);
  } catch (const std::exception& error) {
    if (graph::is_out_of_memory(error)) throw;
    return std::nullopt;
  }
  return stack;
}

at::Tensor Float64Probe::first_in_float64(const graph::Call& call, const at::Tensor& result) const {
  const std::optional<graph::Stack> stack = results(call, arguments_);
  if (!stack || stack->empty() || !stack->front().isTensor()) return {};
  const at::Tensor wide = stack->front().toTensor();
  const bool alike = wide.defined() && wide.sizes() == result.sizes() && wide.scalar_type() == at::kDouble;
  return alike ? wide : at::Tensor();
}

std::optional<NonFinite> Float64Probe::run(const graph::Call& call) const {
  const at::NoGradGuard no_history;
  const std::optional<graph::Stack> stack = results(call, arguments_);
  if (!stack) return std::nullopt;
  NonFinite found;
  std::vector<c10::IValue> wide;
  for (const c10::IValue& result : *stack) {
    observe::each_tensor(result, [&](const at::Tensor& tensor) {
      const observe::Values seen = observe::look_at(tensor);
      found.nan += seen.nan;
      found.positive_infinity += seen.positive_infinity;
      found.negative_infinity += seen.negative_infinity;
      found.largest = std::max(found.largest, seen.largest);
      if (seen.finite() || found.why.known()) return;
      if (wide.empty()) {
        for (std::size_t i = 0; i < arguments_.size(); ++i) wide.push_back(widened(call, arguments_[i], i));
      }
      found.why = find_invalid_operation(call.site, wide, tensor);
    });
  }
  return found;
}

Lost Float64Probe::lost(const graph::Call& call) const {
  const at::NoGradGuard no_history;
  Lost found;
  const at::Tensor result = first_result(call);
  if (!result.defined() || gives_other_numbers(call.site)) return found;
  const double limit = rounds_to_zero(call, result);
  if (limit == 0 || !result.to(at::kDouble).eq(0).any().item<bool>()) return found;
  const at::Tensor wide = first_in_float64(call, result);
  if (!wide.defined()) return found;
  const at::Tensor lost = result.to(at::kDouble).eq(0).logical_and(wide.ne(0)).logical_and(wide.abs().le(limit));
  found.count = lost.sum().item<std::int64_t>();
  found.of = lost.numel();
  if (found.count == 0) return found;
  found.largest = at::where(lost, wide.abs(), 0.0).max().item<double>();
  for (const double constant : constants_of(arguments_)) {
    const at::Tensor other = wide.abs().sub(std::abs(constant)).abs().gt(1e-3 * std::abs(constant));
    if (!lost.logical_and(other).any().item<bool>()) found.constant = constant;
  }
  return found;
}

Lost Float64Probe::rounded_to_one(const graph::Call& call) const {
  const at::NoGradGuard no_history;
  Lost found;
  const at::Tensor result = first_result(call);
  if (!result.defined() || gives_other_numbers(call.site) || rounds_to_zero(call, result) == 0) return found;
  const at::Tensor ones = result.to(at::kDouble).abs().eq(1);
  if (!ones.any().item<bool>()) return found;
  const at::Tensor wide = first_in_float64(call, result);
  if (!wide.defined()) return found;
  const at::Tensor rounded = ones.logical_and(wide.to(at::kFloat).abs().ne(1));  // float32 distinguishes them from 1
  found.count = rounded.sum().item<std::int64_t>();
  found.of = result.numel();
  found.to = rounded.logical_and(result.gt(0)).any().item<bool>() ? 1 : -1;
  return found;
}

std::vector<std::optional<MetPlaces>> Float64Probe::met_places(const graph::Call& call) const {
  const at::NoGradGuard no_history;
  std::vector<std::optional<MetPlaces>> met(arguments_.size());
  const at::Tensor result = first_result(call);
  if (!result.defined()) return met;
  const at::Tensor zero = result.to(at::kDouble).eq(0);
  const at::Tensor one = result.to(at::kDouble).abs().eq(1);
  if (!zero.logical_or(one).any().item<bool>()) return met;
  at::Tensor of_none = zero;
  std::vector<at::Tensor> given(arguments_.size());
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (!has_places_of(result, arguments_[i])) continue;
    given[i] = arguments_[i].toTensor().detach().to(at::kDouble);
    of_none = of_none.logical_and(given[i].ne(0));
  }
  const auto count = [](const at::Tensor& so) { return so.sum().item<std::int64_t>(); };
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i].defined()) continue;
    const at::Tensor ones = given[i].abs().eq(1);
    met[i] = MetPlaces{count(zero.logical_and(given[i].eq(0))), count(of_none.logical_and(ones)),
                       count(one.logical_and(ones))};
  }
  return met;
}

bool Float64Probe::take_overwritten(const graph::Call& call, std::size_t argument) {
  const at::NoGradGuard no_history;
  if (argument >= arguments_.size() || !arguments_[argument].isTensor()) return false;
  const at::Tensor held = arguments_[argument].toTensor().detach();
  std::vector<c10::IValue> filled = arguments_;
  std::vector<at::Tensor> left;
  for (const double filling : {0.0, 1.0}) {
    // results() widens the arguments, so the call writes to copies, which are among its results.
    filled[argument] = at::full_like(held, filling);
    const std::optional<graph::Stack> stack = results(call, filled);
    if (!stack || stack->empty() || !stack->front().isTensor() || !stack->front().toTensor().defined()) break;
    left.push_back(stack->front().toTensor());
  }
  const bool alike = left.size() == 2 && left[0].sizes() == left[1].sizes() &&
                     left[0].scalar_type() == left[1].scalar_type() && left[0].layout() == at::kStrided;
  const bool overwritten =
      alike && left[0].eq(left[1]).logical_or(left[0].ne(left[0]).logical_and(left[1].ne(left[1]))).all().item<bool>();
  if (overwritten) arguments_[argument] = at::zeros_like(held);
  return overwritten;
}

}  // namespace binade::diagnose
