// SPDX-License-Identifier: Apache-2.0
#include "tests/scaler/oracle_optimizers.h"

#include "engine/scaler/fused_adam.h"
#include "engine/scaler/fused_sgd.h"
#include "tests/scaler/oracle_values.h"
#include "tests/scaler/sgd.h"

#include <ATen/ops/_fused_adagrad.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <stdexcept>

namespace binade::test {

namespace {

struct NoOptions : torch::optim::OptimizerCloneableOptions<NoOptions> {};

/// Notes what the scaler hands over and changes nothing.
class Looker : public torch::optim::Optimizer, public scaler::ScalesItself {
 public:
  explicit Looker(std::vector<at::Tensor> parameters)
      : Optimizer(std::move(parameters), std::make_unique<NoOptions>()) {}

  at::Tensor step(LossClosure /*closure*/ = nullptr) override {
    seen = {};
    if (grad_scale.defined()) seen.gradScale = grad_scale.item<double>();
    if (found_inf.defined()) seen.foundInf = found_inf.item<double>();
    return at::full({}, ++steps, at::kInt);
  }

  Seen seen;
  int steps = 0;
};

/// torch.optim.Adagrad(fused=True), which does not scale itself in 2.11.
class FusedAdagrad : public torch::optim::Optimizer {
 public:
  FusedAdagrad(std::vector<at::Tensor> parameters, double rate)
      : Optimizer(std::move(parameters), std::make_unique<NoOptions>()), rate_(rate) {
    for (const at::Tensor& parameter : param_groups().front().params()) {
      sums_.push_back(at::zeros_like(parameter));
      steps.push_back(at::zeros({}, at::kFloat));
    }
  }

  at::Tensor step(LossClosure /*closure*/ = nullptr) override {
    const at::NoGradGuard no_grad;
    std::vector<at::Tensor> gradients;
    for (const at::Tensor& parameter : param_groups().front().params()) gradients.push_back(parameter.grad());
    for (const at::Tensor& each : steps) each.add_(1);
    at::_fused_adagrad_(param_groups().front().params(), gradients, sums_, steps, rate_, 0, 0, 1e-10, false);
    return {};
  }

  std::vector<at::Tensor> steps;

 private:
  double rate_;
  std::vector<at::Tensor> sums_;
};

}  // namespace

std::unique_ptr<torch::optim::Optimizer> makeOptimizer(const nlohmann::json& recorded,
                                                       std::vector<at::Tensor> parameters) {
  const std::string kind = recorded["kind"];
  const double rate = recorded.contains("lr") ? number(recorded["lr"]) : 0;
  if (kind == "sgd") return std::make_unique<PlainSgd>(std::move(parameters), rate);
  if (kind == "sgd_fused") {
    const double momentum = recorded.contains("momentum") ? number(recorded["momentum"]) : 0;
    return std::make_unique<scaler::FusedSGD>(std::move(parameters), torch::optim::SGDOptions(rate).momentum(momentum));
  }
  if (kind == "adam_fused") {
    return std::make_unique<scaler::FusedAdam>(std::move(parameters), torch::optim::AdamOptions(rate));
  }
  if (kind == "adamw_fused") {
    return std::make_unique<scaler::FusedAdamW>(std::move(parameters), torch::optim::AdamWOptions(rate));
  }
  if (kind == "adagrad_fused") return std::make_unique<FusedAdagrad>(std::move(parameters), rate);
  if (kind == "attr_contract" || kind == "legacy_kwarg") return std::make_unique<Looker>(std::move(parameters));
  throw std::runtime_error("no optimizer " + kind);
}

std::optional<Seen> seenBy(const torch::optim::Optimizer& optimizer) {
  if (const auto* looker = dynamic_cast<const Looker*>(&optimizer)) return looker->seen;
  return std::nullopt;
}

std::vector<double> stepsOf(const torch::optim::Optimizer& optimizer) {
  std::vector<double> steps;
  if (const auto* adagrad = dynamic_cast<const FusedAdagrad*>(&optimizer)) {
    for (const at::Tensor& each : adagrad->steps) steps.push_back(each.item<double>());
    return steps;
  }
  if (!dynamic_cast<const scaler::FusedAdam*>(&optimizer) && !dynamic_cast<const scaler::FusedAdamW*>(&optimizer)) {
    return steps;
  }
  for (const at::Tensor& parameter : optimizer.param_groups().front().params()) {
    const auto state = optimizer.state().find(parameter.unsafeGetTensorImpl());
    steps.push_back(state == optimizer.state().end()
                        ? -1
                        : static_cast<const scaler::FusedAdamParamState&>(*state->second).step.item<double>());
  }
  return steps;
}

}  // namespace binade::test
