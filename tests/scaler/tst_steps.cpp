// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/grad_scaler.h"
#include "engine/scaler/kept_tensors.h"
#include "engine/scaler/scales_itself.h"
#include "tests/scaler/counters.h"
#include "tests/scaler/parameters.h"
#include "tests/scaler/sgd.h"
#include "tests/scaler/warnings.h"
#include "tests/support/suite.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sparse_coo_tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>
#include <torch/optim/lbfgs.h>
#include <torch/optim/sgd.h>

using namespace binade::scaler;
using namespace binade::test;

/// What one step does, takes and tells.
class TestSteps : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void stepReturnsWhatTheOptimizerReturned();
  void closuresAreRefused();
  void withoutCudaACudaScalerWarnsAndIsDisabled();
  void sparseGradientsStayTheSameObjects();
  void sparseHalfGradientsAreSummedBeforeTheCheck();
  void dtypesOfADeviceShareOneFoundInf();
  void anOptimizerThatScalesItselfIsAlwaysStepped();
  void unscaledComesBeforeCheckedComesBeforeStepped();
  void stateDictsOfModelAndOptimizerAreUntouched();
  void disabledIsTheSameTrainingToTheBit();
  void withoutASkipOneInfinityRuinsTheWeights();
  void aSkippedBatchLeavesNoNaNInRunningStatistics_data();
  void aSkippedBatchLeavesNoNaNInRunningStatistics();
  void theFloat16ErrorNamesTheParameter();
  void aMissingEntryLoadsNothing();
};

void TestSteps::stepReturnsWhatTheOptimizerReturned() {
  const at::Tensor parameter = leaf(at::ones({2}));
  PlainSgd optimizer({parameter}, 0.1);
  GradScaler scaler;
  for (const bool bad : {false, true, false}) {
    scaler.scale(at::ones({}));
    giveGradient(parameter, bad ? kInfinity : 1);
    const auto result = scaler.step(optimizer);
    QCOMPARE(result.stepped, !bad);
    QCOMPARE(result.returned.defined(), !bad);
    if (!bad) QCOMPARE(result.returned.item<int>(), optimizer.steps);
    scaler.update();
  }
}

void TestSteps::closuresAreRefused() {
  const at::Tensor parameter = leaf(at::ones({2}));
  torch::optim::LBFGS optimizer({parameter});  // the one optimizer of LibTorch that needs a closure
  int ran = 0;
  const auto closure = [&] {
    ++ran;
    giveGradient(parameter, 1);
    return parameter.sum();
  };
  GradScaler scaler;
  scaler.scale(at::ones({}));
  giveGradient(parameter, 1);
  try {
    scaler.step(optimizer, closure);
    QFAIL("taken");
  } catch (const c10::Error& error) {
    QCOMPARE(error.what_without_backtrace(), "Closure use is not currently supported if GradScaler is enabled.");
  }
  QCOMPARE(ran, 0);
  GradScaler disabled(Options{.enabled = false});
  disabled.step(optimizer, closure);
  QVERIFY(ran > 0);
}

void TestSteps::withoutCudaACudaScalerWarnsAndIsDisabled() {
  const WarningsKept warnings;
  const GradScaler scaler(Options{.growth_factor = 0.1, .device = c10::kCUDA});
  QVERIFY(!scaler.is_enabled());
  QCOMPARE(warnings.texts(),
           std::vector<std::string>{"torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling."});
}

void TestSteps::sparseGradientsStayTheSameObjects() {
  const at::Tensor parameter = leaf(at::ones({4}));
  PlainSgd optimizer({parameter}, 0.5);
  const at::Tensor gradient =
      at::sparse_coo_tensor(at::full({1, 2}, 1, at::kLong), at::full({2}, 8.0F), std::vector<std::int64_t>{4});
  parameter.mutable_grad() = gradient;
  GradScaler scaler(Options{.init_scale = 4});
  scaler.scale(at::ones({}));
  scaler.unscale_(optimizer);
  QVERIFY(parameter.grad().is_same(gradient));
  QVERIFY(!gradient.is_coalesced());
  QVERIFY(gradient._values().equal(at::full({2}, 2.0F)));  // duplicates are unscaled one by one
  scaler.step(optimizer);
  QCOMPARE(parameter[1].item<float>(), -1.0F);
}

void TestSteps::sparseHalfGradientsAreSummedBeforeTheCheck() {
  const at::Tensor parameter = leaf(at::ones({4}, at::kHalf));
  PlainSgd optimizer({parameter}, 0.5);
  const at::Tensor gradient = at::sparse_coo_tensor(at::full({1, 2}, 1, at::kLong), at::full({2}, 40000, at::kHalf),
                                                    std::vector<std::int64_t>{4});
  parameter.mutable_grad() = gradient;
  GradScaler scaler;
  scaler.scale(at::ones({}));
  const auto found = scaler.check_inf(optimizer);
  QVERIFY(!parameter.grad().is_same(gradient));
  QVERIFY(parameter.grad().is_coalesced());
  QCOMPARE(found.size(), 1u);
  QCOMPARE(found[0].item<float>(), 1.0F);  // 80,000 is beyond float16, either 40,000 is not
}

void TestSteps::dtypesOfADeviceShareOneFoundInf() {
  const at::Tensor single = leaf(at::ones({2}));
  const at::Tensor wide = leaf(at::ones({2}, at::kDouble));
  const at::Tensor narrow = leaf(at::ones({2}, at::kBFloat16));
  PlainSgd optimizer({single, wide, narrow}, 0.1);
  GradScaler scaler(Options{.init_scale = 4});
  scaler.scale(at::ones({}));
  giveGradient(single, 8);
  giveGradient(wide, kInfinity);
  giveGradient(narrow, 8);
  scaler.unscale_(optimizer);
  const auto found = scaler.found_inf(optimizer);
  QCOMPARE(found.size(), 1u);
  QCOMPARE(found[0].item<float>(), 1.0F);
  QVERIFY(single.grad().equal(at::full({2}, 2.0F)));
  QVERIFY(narrow.grad().equal(at::full({2}, 2, at::kBFloat16)));
}

namespace {

/// Declares that it scales itself, and notes what it is given.
class Custom : public torch::optim::SGD, public ScalesItself {
 public:
  explicit Custom(std::vector<at::Tensor> parameters) : SGD(std::move(parameters), torch::optim::SGDOptions(0.1)) {}
  at::Tensor step(LossClosure /*closure*/ = nullptr) override {
    scales.push_back(grad_scale.defined() ? grad_scale.item<double>() : 0);
    found.push_back(found_inf.item<double>());
    return {};
  }
  std::vector<double> scales, found;
};

}  // namespace

void TestSteps::anOptimizerThatScalesItselfIsAlwaysStepped() {
  const at::Tensor parameter = leaf(at::ones({2}));
  Custom optimizer({parameter});
  GradScaler scaler(Options{.init_scale = 8});
  for (const bool bad : {false, true}) {
    scaler.scale(at::ones({}));
    giveGradient(parameter, bad ? kInfinity : 8);
    scaler.step(optimizer);
    QVERIFY(!optimizer.grad_scale.defined() && !optimizer.found_inf.defined());
    scaler.update();
  }
  QCOMPARE(optimizer.scales, (std::vector<double>{8, 8}));
  QCOMPARE(optimizer.found, (std::vector<double>{0, 1}));
  QCOMPARE(parameter.grad()[0].item<float>(), kInfinity);  // gradients are left to the optimizer
  optimizer.grad_scale = at::full({}, 3.0F);               // a factor of the user's own is multiplied in
  giveGradient(parameter, 8);
  scaler.step(optimizer);
  QCOMPARE(optimizer.scales.back(), 12.0);
  scaler.update();
  giveGradient(parameter, 8);
  scaler.unscale_(optimizer);
  scaler.step(optimizer);
  QCOMPARE(optimizer.scales.back(), 0.0);  // nothing is left to divide by
}

namespace {

/// Looks at its gradients when stepped.
class Probe : public torch::optim::SGD {
 public:
  explicit Probe(std::vector<at::Tensor> parameters) : SGD(std::move(parameters), torch::optim::SGDOptions(0.1)) {}
  at::Tensor step(LossClosure /*closure*/ = nullptr) override {
    seen.push_back(param_groups()[0].params()[0].grad()[0].item<double>());
    return {};
  }
  std::vector<double> seen;
};

}  // namespace

void TestSteps::unscaledComesBeforeCheckedComesBeforeStepped() {
  const at::Tensor parameter = leaf(at::ones({2}));
  Probe optimizer({parameter});
  GradScaler scaler;
  for (const float gradient : {65536.0F, kInfinity, 2 * 65536.0F}) {
    scaler.scale(at::ones({}));
    giveGradient(parameter, gradient);
    scaler.step(optimizer);
    scaler.update(65536.0);
  }
  QCOMPARE(optimizer.seen, (std::vector<double>{1, 2}));  // unscaled ones only
}

void TestSteps::stateDictsOfModelAndOptimizerAreUntouched() {
  const auto train = [](bool scaled) {
    const at::Tensor weight = leaf(at::ones({5, 8}));
    torch::optim::SGD optimizer({weight}, torch::optim::SGDOptions(0.1).momentum(0.9));
    GradScaler scaler(Options{.enabled = scaled});
    for (int i = 0; i < 3; ++i) {
      optimizer.zero_grad();
      scaler.scale(smallLoss(weight, at::full({2, 8}, 0.5))).backward();
      scaler.step(optimizer);
      scaler.update();
    }
    const auto& state = static_cast<torch::optim::SGDParamState&>(*optimizer.state().begin()->second);
    return std::tuple{optimizer.state().size(), state.momentum_buffer(), weight.detach()};
  };
  const auto [plainSize, plainMomentum, plainWeight] = train(false);
  const auto [size, momentum, weight] = train(true);
  QCOMPARE(size, plainSize);
  QCOMPARE(momentum.scalar_type(), at::kFloat);
  QVERIFY(momentum.equal(plainMomentum));
  QVERIFY(weight.equal(plainWeight));
}

void TestSteps::disabledIsTheSameTrainingToTheBit() {
  const at::Tensor input = at::randn({16, 8});
  const at::Tensor plain = leaf(at::ones({5, 8}));
  const at::Tensor disabled = leaf(plain);
  torch::optim::SGD plainOptimizer({plain}, torch::optim::SGDOptions(0.1));
  torch::optim::SGD optimizer({disabled}, torch::optim::SGDOptions(0.1));
  GradScaler scaler(Options{.enabled = false});
  for (int i = 0; i < 5; ++i) {
    plainOptimizer.zero_grad();
    smallLoss(plain, input).backward();
    plainOptimizer.step();
    optimizer.zero_grad();
    scaler.scale(smallLoss(disabled, input)).backward();
    scaler.unscale_(optimizer);
    scaler.step(optimizer);
    scaler.update();
    QVERIFY(disabled.detach().equal(plain.detach()));
  }
}

void TestSteps::withoutASkipOneInfinityRuinsTheWeights() {
  const at::Tensor unprotected = leaf(at::ones({2}));
  const at::Tensor kept = leaf(at::ones({2}));
  torch::optim::SGD plain({unprotected}, torch::optim::SGDOptions(0.1));
  torch::optim::SGD guarded({kept}, torch::optim::SGDOptions(0.1));
  GradScaler scaler;
  scaler.scale(at::ones({}));
  // 1.0 times the scale of 65,536 is beyond float16.
  const at::Tensor gradient = at::full({2}, 65536.0F).to(at::kHalf).to(at::kFloat);
  unprotected.mutable_grad() = gradient.clone();
  kept.mutable_grad() = gradient.clone();
  plain.step();
  scaler.step(guarded);
  QCOMPARE(unprotected[0].item<float>(), -kInfinity);
  QCOMPARE(kept[0].item<float>(), 1.0F);
}

void TestSteps::aSkippedBatchLeavesNoNaNInRunningStatistics_data() {
  QTest::addColumn<int>("how");
  QTest::newRow("kept nothing") << 0;
  QTest::newRow("restored by the host") << 1;
  QTest::newRow("restored on the device") << 2;
}

void TestSteps::aSkippedBatchLeavesNoNaNInRunningStatistics() {
  QFETCH(const int, how);
  const at::Tensor weight = leaf(at::ones({3}));
  const at::Tensor mean = at::zeros({3});
  const at::Tensor variance = at::ones({3});
  const at::Tensor batches = at::zeros({}, at::kLong);
  PlainSgd optimizer({weight}, 0.1);
  GradScaler scaler;
  KeptTensors buffers({mean, variance, batches});
  for (int i = 0; i < 3; ++i) {
    at::Tensor input = at::randn({4, 3});
    if (i == 1) input[2][1] = kInfinity;
    buffers.keep();
    batches.add_(1);
    weight.mutable_grad().reset();
    scaler.scale(at::batch_norm(input, weight, {}, mean, variance, true, 0.1, 1e-5, false).sum()).backward();
    const auto result = scaler.step(optimizer);
    if (how == 1 && !result.stepped) buffers.restore();
    if (how == 2) buffers.restore_where(scaler.found_inf(optimizer)[0]);
    scaler.update();
    QCOMPARE(result.stepped, i != 1);
  }
  QCOMPARE(at::isnan(mean).any().item<bool>() || at::isnan(variance).any().item<bool>(), how == 0);
  QCOMPARE(batches.item<int>(), how == 0 ? 3 : 2);
}

void TestSteps::theFloat16ErrorNamesTheParameter() {
  const at::Tensor first = leaf(at::ones({2}));
  const at::Tensor second = leaf(at::ones({2}, at::kHalf));
  PlainSgd optimizer({first, second}, 0.1);
  GradScaler scaler;
  scaler.scale(at::ones({}));
  giveGradient(first, 8);
  giveGradient(second, 8);
  try {
    scaler.unscale_(optimizer);
    QFAIL("taken");
  } catch (const c10::ValueError& error) {
    const std::string text = error.what_without_backtrace();
    QVERIFY(text.starts_with("Attempting to unscale FP16 gradients. Parameter 1 of group 0 is float16."));
  }
  QCOMPARE(first.grad()[0].item<float>(), 8.0F);  // refused before any gradient was changed
}

void TestSteps::aMissingEntryLoadsNothing() {
  GradScaler scaler;
  GradScaler::StateDict state = GradScaler(Options{.init_scale = 2}).state_dict();
  QCOMPARE(state.erase("growth_interval"), 1u);
  QCOMPARE(state.erase("_growth_tracker"), 1u);
  try {
    scaler.load_state_dict(state);
    QFAIL("taken");
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    QVERIFY(text.starts_with("The source state dict has no 'growth_interval', '_growth_tracker'."));
  }
  QCOMPARE(scaler.get_scale(), 65536.0);
  state.insert("growth_interval", 2.5);
  state.insert("_growth_tracker", 1);
  QVERIFY_THROWS_EXCEPTION(c10::TypeError, scaler.load_state_dict(state));
}

BINADE_SUITE(TestSteps);
#include "tst_steps.moc"
