// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/float64_probe.h"

#include "engine/observe/values.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>

#include <exception>
#include <mutex>

namespace binade::observe {

namespace {

c10::IValue widened(const c10::IValue& value) {
  const auto wide = [](const at::Tensor& tensor) {
    return tensor.defined() && tensor.is_floating_point() ? tensor.detach().to(at::kDouble) : tensor;
  };
  if (value.isTensor()) return wide(value.toTensor());
  if (value.isTensorList()) {
    c10::List<at::Tensor> list;
    for (const at::Tensor& tensor : value.toTensorVector()) list.push_back(wide(tensor));
    return list;
  }
  return value;
}

/// Ops that draw numbers do so from the CPU's generator or their device's; only the CPU's is put back here, a replay
/// puts back all.
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

std::optional<NonFinite> Float64Probe::run(const graph::Call& call) const {
  const at::NoGradGuard no_history;
  const KeepGenerator random;
  graph::Stack stack;
  for (const c10::IValue& argument : arguments_) stack.push_back(widened(argument));
  try {
    (*call.operation)(stack);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  NonFinite found;
  for (const c10::IValue& result : stack) {
    each_tensor(result, [&](const at::Tensor& tensor) {
      const Values seen = look_at(tensor);
      found.nan += seen.nan;
      found.positive_infinity += seen.positive_infinity;
      found.negative_infinity += seen.negative_infinity;
    });
  }
  return found;
}

}  // namespace binade::observe
