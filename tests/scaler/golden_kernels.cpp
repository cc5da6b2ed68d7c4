// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/fused_adam.h"
#include "engine/scaler/fused_sgd.h"
#include "tests/scaler/golden_parts.h"
#include "tests/scaler/oracle_optimizers.h"

#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/_amp_update_scale.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <torch/optim/adam.h>

#include <cmath>

namespace binade::test {

namespace {

/// The kernel on some gradients; then the gradients and found_inf.
Numbers checked(std::vector<at::Tensor> gradients, at::Tensor found = at::zeros({}),
                const at::Tensor& inverse = at::full({}, 0.5F)) {
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, found, inverse);
  Numbers numbers;
  for (const at::Tensor& gradient : gradients) add(numbers, gradient);
  add(numbers, found);
  return numbers;
}

/// The update kernel from a scale of 4, a tracker of 0, and an interval; then scale, tracker, and "returns the scale".
Numbers updated(const at::Tensor& found, std::int64_t tracked = 0, std::int64_t interval = 2) {
  at::Tensor scale = at::full({}, 4.0F);
  at::Tensor tracker = at::full({}, tracked, at::kInt);
  const at::Tensor returned = at::_amp_update_scale_(scale, tracker, found, 2, 0.5, interval);
  Numbers numbers = flat(scale, tracker);
  numbers.push_back(returned.is_same(scale) ? 1.0 : 0.0);
  return numbers;
}

at::Tensor ones(at::ScalarType dtype) {
  return at::ones({2}, dtype);
}

void addCheck(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return rows[{"raw kernels", name}]; };
  row("empty list") = {[] { return checked({}); }};
  row("mixed dtypes one call") = {[] {
    return checked({ones(at::kFloat), ones(at::kHalf), ones(at::kBFloat16), ones(at::kDouble)});
  }};
  row("noncontig") = {[] {
    const at::Tensor found = at::zeros({});
    checked({at::ones({4, 4}).t()}, found);
    return flat(found);
  }};
  row("overlapping expand") = {[] { return checked({at::ones({1}).expand({2})}); }};
  row("sparse") = {[] { return checked({at::ones({2}).to_sparse()}); }};
  row("int") = {[] { return checked({ones(at::kInt)}); }};
  row("complex") = {[] { return checked({ones(at::kComplexFloat)}); }};
  row("bool") = {[] { return checked({ones(at::kBool)}); }};
  row("fp8") = {[] { return checked({ones(at::kFloat).to(at::kFloat8_e4m3fn)}); }};
  row("inv 2 elem") = {[] { return checked({ones(at::kFloat)}, at::zeros({}), at::ones({2})); }};
  row("found 2 elem") = {[] { return checked({ones(at::kFloat)}, at::zeros({2})); }};
  row("inv double") = {[] { return checked({ones(at::kFloat)}, at::zeros({}), at::ones({}, at::kDouble)); }};
  row("found half") = {[] { return checked({ones(at::kFloat)}, at::zeros({}, at::kHalf)); }};
  row("found pre-set 1 stays") = {[] {
    const at::Tensor found = at::ones({});
    checked({ones(at::kFloat)}, found);
    return flat(found);
  }};
  row("found pre-set 7 with inf -> 1") = {[] {
    const at::Tensor found = at::full({}, 7.0F);
    checked({at::tensor({kInfinity})}, found);
    return flat(found);
  }};
  row("meta grads") = {[] { return checked({at::ones({2}, at::kMeta)}); }, "",
                       "Python alone registers this kernel for meta tensors"};
  row("requires_grad grads") = {[] {
    const at::NoGradGuard no_grad;
    Numbers numbers = checked({leaf(ones(at::kFloat))});
    numbers.insert(numbers.begin() + 2, 1);  // requires_grad=True
    return numbers;
  }};
  row("inf value after unscale stays") = {[] { return checked({at::tensor({kInfinity, kNaN, -kInfinity, 1.0F})}); }};
  row("hf max value found?") = {[] {
    const at::Tensor found = at::zeros({});
    checked({at::full({1}, 65504, at::kHalf)}, found);
    return flat(found);
  }};
}

void addUpdate(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return rows[{"raw kernels", name}]; };
  row("update 0") = {[] { return updated(at::zeros({})); }};
  row("update at interval") = {[] { return updated(at::zeros({}), 1); }};
  row("update found") = {[] { return updated(at::ones({})); }};
  row("found=nan") = {[] { return updated(at::full({}, kNaN)); }};
  row("found=-1") = {[] { return updated(at::full({}, -1.0F)); }};
  row("found=2") = {[] { return updated(at::full({}, 2.0F)); }};
  const auto with = [](at::Tensor scale, at::Tensor tracker, const at::Tensor& found) {
    return GoldenRow{[scale, tracker, found]() mutable {
      at::_amp_update_scale_(scale, tracker, found, 2, 0.5, 2);
      return Numbers{};
    }};
  };
  const at::Tensor tracker = at::zeros({}, at::kInt);
  row("scale f64") = with(at::ones({}, at::kDouble), tracker, at::zeros({}));
  row("tracker int64") = with(at::ones({}), at::zeros({}, at::kLong), at::zeros({}));
  row("found f64") = with(at::ones({}), tracker, at::zeros({}, at::kDouble));
  row("shape 2") = with(at::ones({}), at::zeros({2}, at::kInt), at::zeros({}));
  row("interval > int32") = {[] { return updated(at::zeros({}), 0, (std::int64_t{1} << 32) + 1); }};
  row("functional variant exists") = {[] {
    const auto [scale, counted] =
        at::_amp_update_scale(at::full({}, 4.0F), at::full({}, 1, at::kInt), at::zeros({}), 2, 0.5, 2);
    return flat(scale, counted);
  }};
}

using Optimizer = torch::optim::Optimizer;
using Make = std::function<std::unique_ptr<Optimizer>(std::vector<at::Tensor>)>;

/// A fused optimizer's step from a scale of 4: is it one that scales itself, gradient, parameter, its count of steps,
/// whether grad_scale and found_inf are left, the scale after update().
GoldenRow fusedStep(const Make& make, float gradient, bool unscaleFirst, bool counts = true) {
  return {[=] {
    const at::Tensor parameter = leaf(at::ones({1}));
    const auto optimizer = make({parameter});
    GradScaler scaler(upstream({.init_scale = 4}));
    scaler.scale(at::ones({1}));
    parameter.mutable_grad() = at::full({1}, gradient);
    if (unscaleFirst) scaler.unscale_(*optimizer);
    scaler.step(*optimizer);
    const auto* itself = dynamic_cast<scaler::ScalesItself*>(optimizer.get());
    Numbers numbers;
    if (itself) numbers.push_back(1);
    add(numbers, parameter.grad());
    add(numbers, parameter);
    if (counts) numbers.push_back(stepsOf(*optimizer).front());
    numbers.push_back(itself && itself->grad_scale.defined() ? 1 : 0);
    numbers.push_back(itself && itself->found_inf.defined() ? 1 : 0);
    scaler.update();
    numbers.push_back(scaler.get_scale());
    return numbers;
  }};
}

Make adam() {
  return [](std::vector<at::Tensor> parameters) {
    return std::make_unique<scaler::FusedAdam>(std::move(parameters), torch::optim::AdamOptions(0.1));
  };
}

Make preset() {
  return [](std::vector<at::Tensor> parameters) {
    auto optimizer = std::make_unique<scaler::FusedAdam>(std::move(parameters), torch::optim::AdamOptions(0.1));
    optimizer->grad_scale = at::full({}, 2.0F);
    return optimizer;
  };
}

void addFused(GoldenRows& rows) {
  const auto row = [&rows](const std::string& name) -> GoldenRow& { return rows[{"fused", name}]; };
  const Make adamw = [](std::vector<at::Tensor> parameters) {
    return std::make_unique<scaler::FusedAdamW>(std::move(parameters), torch::optim::AdamWOptions(0.1));
  };
  const Make sgd = [](std::vector<at::Tensor> parameters) {
    return std::make_unique<scaler::FusedSGD>(std::move(parameters), torch::optim::SGDOptions(0.1));
  };
  const Make adagrad = [](std::vector<at::Tensor> parameters) {
    return makeOptimizer({{"kind", "adagrad_fused"}, {"lr", "0x1.999999999999ap-4"}}, std::move(parameters));
  };
  const std::vector<std::pair<std::string, Make>> kinds{
      {"Adam", adam()}, {"AdamW", adamw}, {"SGD", sgd}, {"Adagrad", adagrad}};
  for (const auto& [name, make] : kinds) {
    const bool counts = name != "SGD";
    row(name + " fused") = fusedStep(make, 4, false, counts);
    row(name + " fused inf") = fusedStep(make, kInfinity, false, counts);
    row(name + " fused unscale_ first") = fusedStep(make, 4, true, counts);
  }
}

/// A fused optimizer over a half parameter, unscaled by hand before its step or in it.
GoldenRow fusedHalf(bool unscaleFirst) {
  return {[unscaleFirst] {
    const at::Tensor parameter = leaf(at::ones({1}, at::kHalf));
    scaler::FusedAdam optimizer({parameter}, torch::optim::AdamOptions(0.1));
    GradScaler scaler(upstream({.init_scale = 4}));
    scaler.scale(at::ones({1}));
    giveGradient(parameter, 4);
    if (unscaleFirst) scaler.unscale_(optimizer);
    scaler.step(optimizer);
    Numbers numbers{1};
    add(numbers, parameter.grad());
    add(numbers, parameter);
    numbers.push_back(stepsOf(optimizer).front());
    numbers.insert(numbers.end(), {0, 0});
    scaler.update();
    numbers.push_back(scaler.get_scale());
    return numbers;
  }};
}

void addFusedCases(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return rows[{"fused", name}]; };
  row("Adam fused preset grad_scale") = fusedStep(preset(), 4, false);
  row("Adam fused unscaled+preset") = fusedStep(preset(), 4, true);
  row("Adam fused fp16 params (allowed when READY)") = fusedHalf(false);
  row("Adam fused fp16 unscale_ first") = fusedHalf(true);
  row("fused all grads None: step then update") = {[] {
    scaler::FusedAdam optimizer({leaf(at::ones({1}))});
    GradScaler scaler(upstream());
    scaler.scale(at::ones({1}));
    scaler.step(optimizer);
    return scaler.update(), Numbers{};
  }};
  row("fused kernel with found_inf=2.0 (not ==1): skips?") = {[] {
    const at::Tensor parameter = leaf(at::ones({1}));
    scaler::FusedAdam optimizer({parameter}, torch::optim::AdamOptions(0.1), scaler::Behaviour::kPytorch211);
    giveGradient(parameter, kInfinity);
    optimizer.found_inf = at::full({}, 2.0F);
    optimizer.step();
    return Numbers{parameter.item<double>(), stepsOf(optimizer).front()};
  }};
  row("foreach adam flag") = {[] {
    torch::optim::Adam optimizer({leaf(at::ones({1}))});
    return Numbers{dynamic_cast<scaler::ScalesItself*>(static_cast<Optimizer*>(&optimizer)) ? 1.0 : 0.0};
  }};
}

void addContract(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return rows[{"fused", name}]; };
  const auto contract = [] {
    const at::Tensor parameter = leaf(at::ones({2}));
    const auto optimizer = makeOptimizer({{"kind", "attr_contract"}}, {parameter});
    GradScaler scaler(upstream({.init_scale = 4}));
    scaler.scale(at::ones({1}));
    giveGradient(parameter, 4);
    const auto result = scaler.step(*optimizer);
    const Seen seen = *seenBy(*optimizer);
    return Numbers{5.0 + result.returned.item<double>(), seen.gradScale.value_or(NAN), seen.foundInf.value_or(NAN), 0};
  };
  const std::string legacy = "step(grad_scaler=), which PyTorch itself announces to drop, is not offered";
  row("legacy grad_scaler kwarg") = {contract, "", legacy};
  row("legacy kwarg then update (no inf check recorded)") = {contract, "", legacy};
  row("attr contract") = {contract, "the table's optimizer returned 6, ours counts"};
}

}  // namespace

void addKernels(GoldenRows& rows) {
  addCheck(rows);
  addUpdate(rows);
  addFused(rows);
  addFusedCases(rows);
  addContract(rows);
}

}  // namespace binade::test
