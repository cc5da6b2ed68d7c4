// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/grad_scaler.h"
#include "tests/scaler/counters.h"
#include "tests/scaler/parameters.h"
#include "tests/scaler/sgd.h"
#include "tests/support/suite.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <c10/util/Exception.h>
#include <torch/optim/adam.h>
#include <torch/optim/sgd.h>

#include <cmath>

using binade::scaler::GradScaler;
using binade::scaler::Options;
using binade::scaler::Stage;
using namespace binade::test;

namespace {

/// What a float16 backward leaves: the gradient times the scale, rounded to float16, back in float32.
void giveHalfGradient(const at::Tensor& parameter, double value, double scale) {
  parameter.mutable_grad() = at::full_like(parameter, value * scale).detach().to(at::kHalf).to(at::kFloat);
}

}  // namespace

class TestGradScaler : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void defaultsArePyTorchs();
  void settersRoundTrip();
  void unscaleReadsNothingBackAndStepReadsOnce();
  void stepBringsOtherValuesHomeInTheSameRead();
  void overflowSkipsTheStepAndBacksOff();
  void twoThousandCleanStepsDoubleTheScale();
  void firstStepsSkipUntilGradientsFit();
  void scaleRidesTheEdge();
  void manyOverflowsGoBelowOne();
  void disabledScalerIsThePlainOptimizer();
  void stateRoundTripsAfterUpdate();
  void aStateDictIsRestoredAndAnEmptyOneRefused();
  void copyContinuesAlike();
  void setScaleKeepsTheTracker();
  void tensorGivenToUpdateIsCopied();
  void everyPowerOfTwoGivesTheSameGradients();
  void smallGradientsSurviveHalfThroughScaling();
  void clippingAfterUnscaleSeesTrueGradients();
  void accumulationKeepsOneScaleOverTheWindow();
  void optimizersSkipOnTheirOwnAndShareOneUpdate();
  void listOfOutputsScalesForAutograd();
  void sgdAndAdamAreTheSameThroughTheScaler_data();
  void sgdAndAdamAreTheSameThroughTheScaler();
};

void TestGradScaler::defaultsArePyTorchs() {
  const GradScaler scaler;
  QVERIFY(scaler.is_enabled());
  QCOMPARE(scaler.get_scale(), 65536.0);
  QCOMPARE(scaler.get_growth_factor(), 2.0);
  QCOMPARE(scaler.get_backoff_factor(), 0.5);
  QCOMPARE(scaler.get_growth_interval(), 2000);
  QCOMPARE(scaler.get_growth_tracker(), 0);
  QVERIFY(!scaler.scale_tensor().defined());
}

void TestGradScaler::settersRoundTrip() {
  GradScaler scaler;
  scaler.set_growth_factor(3.5);
  scaler.set_backoff_factor(0.25);
  scaler.set_growth_interval(17);
  QCOMPARE(scaler.get_growth_factor(), 3.5);
  QCOMPARE(scaler.get_backoff_factor(), 0.25);
  QCOMPARE(scaler.get_growth_interval(), 17);
}

void TestGradScaler::unscaleReadsNothingBackAndStepReadsOnce() {
  const at::Tensor parameter = leaf(at::ones({4}));
  PlainSgd optimizer({parameter}, 0.1);
  GradScaler scaler;
  scaler.scale(at::ones({}));
  giveGradient(parameter, 1);
  const ReadCounter counter;
  scaler.unscale_(optimizer);
  QCOMPARE(ReadCounter::count(), 0);
  QCOMPARE(scaler.stage(optimizer), std::optional(Stage::kUnscaled));
  scaler.step(optimizer);
  QCOMPARE(ReadCounter::count(), 1);
  scaler.update();
  QCOMPARE(ReadCounter::count(), 1);
  scaler.get_scale();
  QCOMPARE(ReadCounter::count(), 2);
}

void TestGradScaler::stepBringsOtherValuesHomeInTheSameRead() {
  const at::Tensor parameter = leaf(at::ones({4}));
  PlainSgd optimizer({parameter}, 0.1);
  GradScaler scaler;
  scaler.scale(at::ones({}));
  giveGradient(parameter, 65536 * 3.0F);
  scaler.unscale_(optimizer);
  const at::Tensor norm = parameter.grad().norm();
  const ReadCounter counter;
  const auto result = scaler.step(optimizer, {norm, at::full({1}, 0.25, at::kDouble)});
  QCOMPARE(ReadCounter::count(), 0);  // one copy of all three instead
  QVERIFY(result.stepped);
  QVERIFY(!result.found_inf);
  QCOMPARE(result.beside, (std::vector<double>{6.0, 0.25}));
}

void TestGradScaler::overflowSkipsTheStepAndBacksOff() {
  const at::Tensor parameter = leaf(at::randn({8}));
  torch::optim::SGD optimizer({parameter}, torch::optim::SGDOptions(0.1).momentum(0.9));
  GradScaler scaler;
  const auto iterate = [&](float gradient) {
    scaler.scale(at::ones({}));
    giveGradient(parameter, gradient);
    const auto result = scaler.step(optimizer);
    scaler.update();
    return result;
  };
  QVERIFY(iterate(1).stepped);
  const at::Tensor before = parameter.detach().clone();
  auto& state = static_cast<torch::optim::SGDParamState&>(*optimizer.state().begin()->second);
  const at::Tensor momentum = state.momentum_buffer().clone();
  for (const float bad : {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
    const double scale = scaler.get_scale();
    const auto result = iterate(bad);
    QVERIFY(result.found_inf);
    QVERIFY(!result.stepped);
    QVERIFY(parameter.detach().equal(before));
    QVERIFY(state.momentum_buffer().equal(momentum));
    QCOMPARE(scaler.get_scale(), scale / 2);
    QCOMPARE(scaler.get_growth_tracker(), 0);
  }
}

void TestGradScaler::twoThousandCleanStepsDoubleTheScale() {
  const at::Tensor parameter = leaf(at::ones({1}));
  PlainSgd optimizer({parameter}, 0.0);
  GradScaler scaler;
  for (int i = 1; i <= 2000; ++i) {
    scaler.scale(at::ones({}));
    giveGradient(parameter, 1);
    scaler.step(optimizer);
    scaler.update();
    if (i == 1999) {
      QCOMPARE(scaler.get_scale(), 65536.0);
      QCOMPARE(scaler.get_growth_tracker(), 1999);
    }
  }
  QCOMPARE(optimizer.steps, 2000);
  QCOMPARE(scaler.get_scale(), 131072.0);
  QCOMPARE(scaler.get_growth_tracker(), 0);
}

void TestGradScaler::firstStepsSkipUntilGradientsFit() {
  const at::Tensor parameter = leaf(at::ones({1}));
  PlainSgd optimizer({parameter}, 0.0);
  GradScaler scaler;
  int skipped = 0;
  for (int i = 0; i < 20; ++i) {
    scaler.scale(at::ones({}));
    giveHalfGradient(parameter, 100, scaler.get_scale());
    skipped += scaler.step(optimizer).stepped ? 0 : 1;
    scaler.update();
  }
  QCOMPARE(skipped, 7);  // 65536 / 2^7 = 512: the largest whose product with 100 a float16 holds
  QCOMPARE(scaler.get_scale(), 512.0);
}

void TestGradScaler::scaleRidesTheEdge() {
  const double largest = 3.7;
  const at::Tensor parameter = leaf(at::ones({1}));
  PlainSgd optimizer({parameter}, 0.0);
  GradScaler scaler(Options{.growth_interval = 10});
  int skipped = 0;
  for (int i = 0; i < 400; ++i) {
    scaler.scale(at::ones({}));
    const double scale = scaler.get_scale();
    giveHalfGradient(parameter, largest, scale);
    const bool stepped = scaler.step(optimizer).stepped;
    scaler.update();
    if (i < 20) continue;  // coming down from 65536
    skipped += stepped ? 0 : 1;
    QCOMPARE(stepped, scale < 65520 / largest);
    if (stepped) QVERIFY(scale > 65520 / (2 * largest));
  }
  QVERIFY(skipped >= 30 && skipped <= 38);  // one probe in each growth interval
}

void TestGradScaler::manyOverflowsGoBelowOne() {
  const at::Tensor parameter = leaf(at::ones({1}));
  PlainSgd optimizer({parameter}, 0.1);
  GradScaler scaler;
  for (int i = 0; i < 25; ++i) {
    scaler.scale(at::ones({}));
    giveGradient(parameter, kInfinity);
    scaler.step(optimizer);
    scaler.update();
  }
  QCOMPARE(scaler.get_scale(), std::ldexp(1.0, -9));
  QCOMPARE(optimizer.steps, 0);
}

void TestGradScaler::disabledScalerIsThePlainOptimizer() {
  const at::Tensor parameter = leaf(at::ones({2}));
  PlainSgd optimizer({parameter}, 0.5);
  GradScaler scaler(Options{.growth_factor = 0.1, .backoff_factor = 7, .enabled = false});
  const at::Tensor loss = at::ones({});
  QVERIFY(scaler.scale(loss).is_same(loss));
  giveGradient(parameter, 2);
  scaler.unscale_(optimizer);
  QVERIFY(scaler.step(optimizer).stepped);
  QVERIFY(scaler.step(optimizer).stepped);
  scaler.update();
  scaler.update(3.0);
  QCOMPARE(optimizer.steps, 2);
  QVERIFY(parameter.detach().equal(at::full({2}, -1.0F)));
  QCOMPARE(scaler.get_scale(), 1.0);
  QCOMPARE(scaler.get_growth_tracker(), 0);
  QVERIFY(!scaler.state().has_value());
  scaler.load_state(std::nullopt);
}

void TestGradScaler::aStateDictIsRestoredAndAnEmptyOneRefused() {
  const at::Tensor parameter = leaf(at::ones({2}));
  PlainSgd optimizer({parameter}, 0.1);
  GradScaler scaler(Options{.init_scale = 8, .growth_factor = 3, .backoff_factor = 0.25, .growth_interval = 5});
  for (int i = 0; i < 7; ++i) {  // it grows once, and counts two clean steps since
    scaler.scale(at::ones({}));
    giveGradient(parameter, 1);
    scaler.step(optimizer);
    scaler.update();
  }
  const auto saved = scaler.state_dict();
  GradScaler other;
  other.load_state_dict(saved);
  QCOMPARE(other.get_scale(), 24.0);
  QCOMPARE(other.get_growth_factor(), 3.0);
  QCOMPARE(other.get_backoff_factor(), 0.25);
  QCOMPARE(other.get_growth_interval(), 5);
  QCOMPARE(other.get_growth_tracker(), 2);
  // Both go on alike: three more clean steps, and the scale grows.
  for (GradScaler* each : {&scaler, &other}) {
    for (int i = 0; i < 3; ++i) {
      each->scale(at::ones({}));
      giveGradient(parameter, 1);
      each->step(optimizer);
      each->update();
    }
    QCOMPARE(each->get_scale(), 72.0);
  }
  // Empty it is the state of a scaler that is disabled: nothing to restore.
  const GradScaler::StateDict empty(c10::StringType::get(), c10::AnyType::get());
  QVERIFY_THROWS_EXCEPTION(c10::Error, other.load_state_dict(empty));
  QCOMPARE(other.get_scale(), 72.0);
  GradScaler disabled(Options{.enabled = false});
  disabled.load_state_dict(saved);
  disabled.load_state_dict(empty);
  QVERIFY(disabled.state_dict().empty());
  QCOMPARE(disabled.get_scale(), 1.0);
}

void TestGradScaler::stateRoundTripsAfterUpdate() {
  const at::Tensor parameter = leaf(at::ones({2}));
  PlainSgd optimizer({parameter}, 0.1);
  GradScaler scaler(Options{.init_scale = 8, .growth_factor = 3, .backoff_factor = 0.25, .growth_interval = 5});
  for (int i = 0; i < 3; ++i) {
    scaler.scale(at::ones({}));
    giveGradient(parameter, 1);
    scaler.step(optimizer);
    scaler.update();
  }
  const auto state = scaler.state();
  QVERIFY(state == (binade::scaler::State{8, 3, 0.25, 5, 3}));
  GradScaler other;
  other.load_state(state);  // before the tensors exist
  QVERIFY(other.state() == state);
  other.scale(at::ones({}));
  QVERIFY(other.state() == state);
  GradScaler used;
  used.scale(at::ones({}));
  const at::Tensor tensor = used.scale_tensor();
  used.load_state(state);  // and after: in place, for whoever holds the tensor
  QVERIFY(used.state() == state);
  QVERIFY(used.scale_tensor().is_same(tensor));
  QVERIFY_THROWS_EXCEPTION(c10::Error, used.load_state(std::nullopt));
}

void TestGradScaler::copyContinuesAlike() {
  const at::Tensor parameter = leaf(at::ones({2}));
  PlainSgd optimizer({parameter}, 0.1);
  GradScaler scaler(Options{.growth_interval = 4});
  const auto iterate = [&](GradScaler& with, float gradient) {
    with.scale(at::ones({}));
    giveGradient(parameter, gradient);
    with.step(optimizer);
    with.update();
  };
  iterate(scaler, 1);
  scaler.scale(at::ones({}));
  scaler.unscale_(optimizer);
  QVERIFY_THROWS_EXCEPTION(c10::Error, scaler.copy());
  scaler.update();
  GradScaler copy = scaler.copy();
  for (const float gradient : {1.0F, 1.0F, kInfinity, 1.0F}) {
    iterate(scaler, gradient);
    iterate(copy, gradient);
    QVERIFY(copy.state() == scaler.state());
  }
  QVERIFY(!copy.scale_tensor().is_same(scaler.scale_tensor()));
}

void TestGradScaler::setScaleKeepsTheTracker() {
  const at::Tensor parameter = leaf(at::ones({2}));
  PlainSgd optimizer({parameter}, 0.1);
  GradScaler scaler;
  scaler.set_scale(32);  // before the first use it is the initial scale
  QCOMPARE(scaler.scale(at::ones({})).item<float>(), 32.0F);
  giveGradient(parameter, 1);
  scaler.step(optimizer);
  scaler.update();
  const at::Tensor tensor = scaler.scale_tensor();
  scaler.set_scale(1024);
  QVERIFY(scaler.scale_tensor().is_same(tensor));
  QCOMPARE(scaler.scale(at::ones({})).item<float>(), 1024.0F);
  QCOMPARE(scaler.get_growth_tracker(), 1);
}

void TestGradScaler::tensorGivenToUpdateIsCopied() {
  GradScaler scaler;
  scaler.scale(at::ones({}));
  at::Tensor given = at::full({}, 1024.0F);
  scaler.update(given);
  given.fill_(3);
  QCOMPARE(scaler.get_scale(), 1024.0);
  scaler.update(256.0);
  QCOMPARE(scaler.get_scale(), 256.0);
}

void TestGradScaler::everyPowerOfTwoGivesTheSameGradients() {
  const at::Tensor weight = at::randn({5, 7});
  const at::Tensor input = at::randn({3, 7});
  at::Tensor reference = leaf(weight);
  smallLoss(reference, input).backward();
  for (int exponent = 0; exponent <= 20; ++exponent) {
    const at::Tensor parameter = leaf(weight);
    PlainSgd optimizer({parameter}, 0.1);
    GradScaler scaler(Options{.init_scale = std::ldexp(1.0, exponent)});
    scaler.scale(smallLoss(parameter, input)).backward();
    QVERIFY(parameter.grad().equal(reference.grad() * std::ldexp(1.0, exponent)));
    scaler.unscale_(optimizer);
    QVERIFY(parameter.grad().equal(reference.grad()));
  }
}

void TestGradScaler::smallGradientsSurviveHalfThroughScaling() {
  const at::Tensor parameter = leaf(at::ones({1}));
  PlainSgd optimizer({parameter}, 0.1);
  giveHalfGradient(parameter, 1e-8, 1);
  QCOMPARE(parameter.grad().item<float>(), 0.0F);  // without scaling it is lost
  GradScaler scaler;
  scaler.scale(at::ones({}));
  giveHalfGradient(parameter, 1e-8, 65536);
  scaler.unscale_(optimizer);
  QVERIFY(std::abs(parameter.grad().item<float>() / 1e-8 - 1) < 1.0 / 2048);
  scaler.update();
  scaler.scale(at::ones({}));
  giveHalfGradient(parameter, 1e-5, 65536);
  QCOMPARE(parameter.grad().item<float>(), 0.6552734375F);
  scaler.unscale_(optimizer);
  QCOMPARE(parameter.grad().item<float>(), 0.6552734375F / 65536);
}

void TestGradScaler::clippingAfterUnscaleSeesTrueGradients() {
  const at::Tensor parameter = leaf(at::ones({4}));
  PlainSgd optimizer({parameter}, 1.0);
  GradScaler scaler;
  scaler.scale(at::ones({}));
  giveGradient(parameter, 65536 * 3.0F);
  scaler.unscale_(optimizer);
  const double norm = parameter.grad().norm().item<double>();
  QCOMPARE(norm, 6.0);
  parameter.mutable_grad().mul_(1.0 / norm);  // clip to 1
  scaler.step(optimizer);                     // and no second division
  QVERIFY(parameter.detach().equal(at::full({4}, 0.5F)));
  QVERIFY_THROWS_EXCEPTION(c10::Error, scaler.unscale_(optimizer));
  QVERIFY_THROWS_EXCEPTION(c10::Error, scaler.step(optimizer));
}

void TestGradScaler::accumulationKeepsOneScaleOverTheWindow() {
  const at::Tensor weight = at::randn({5, 8});
  const at::Tensor input = at::randn({16, 8});
  const at::Tensor whole = leaf(weight);
  smallLoss(whole, input).backward();
  const at::Tensor parameter = leaf(weight);
  PlainSgd optimizer({parameter}, 0.1);
  GradScaler scaler(Options{.growth_interval = 1});
  for (const at::Tensor& part : input.chunk(4)) {
    scaler.scale(smallLoss(parameter, part) / 4).backward();
    QCOMPARE(scaler.get_scale(), 65536.0);
  }
  scaler.unscale_(optimizer);
  QVERIFY(parameter.grad().allclose(whole.grad(), 1e-5, 1e-7));
  scaler.step(optimizer);
  scaler.update();
  QCOMPARE(scaler.get_scale(), 131072.0);
}

void TestGradScaler::optimizersSkipOnTheirOwnAndShareOneUpdate() {
  const at::Tensor first = leaf(at::ones({2}));
  const at::Tensor second = leaf(at::ones({2}));
  PlainSgd a({first}, 0.1);
  PlainSgd b({second}, 0.1);
  GradScaler scaler;
  scaler.scale(at::ones({}));
  giveGradient(first, 1);
  giveGradient(second, kInfinity);
  scaler.unscale_(a);
  QVERIFY(!scaler.stage(b).has_value());
  QVERIFY(scaler.step(a).stepped);
  QVERIFY(!scaler.step(b).stepped);
  scaler.update();
  QCOMPARE(scaler.get_scale(), 32768.0);
  QCOMPARE(a.steps, 1);
  QCOMPARE(b.steps, 0);
  QVERIFY_THROWS_EXCEPTION(c10::Error, scaler.update());
}

void TestGradScaler::listOfOutputsScalesForAutograd() {
  const at::Tensor x = leaf(at::randn({3}));
  const at::Tensor y = leaf(at::randn({3}));
  GradScaler scaler(Options{.init_scale = 16});
  const auto scaled = scaler.scale(std::vector<at::Tensor>{(x * y).sum(), (x + y).sum()});
  QCOMPARE(scaled.size(), 2u);
  (scaled[0] + scaled[1]).backward();
  QVERIFY(x.grad().equal((y + 1).detach() * 16));
  QVERIFY(scaler.scale(std::vector<at::Tensor>{}).empty());
}

void TestGradScaler::sgdAndAdamAreTheSameThroughTheScaler_data() {
  QTest::addColumn<QString>("kind");
  for (const char* kind : {"sgd", "momentum", "adam"}) QTest::newRow(kind) << QString::fromLatin1(kind);
}

void TestGradScaler::sgdAndAdamAreTheSameThroughTheScaler() {
  QFETCH(const QString, kind);
  const auto make = [&kind](const at::Tensor& parameter) -> std::unique_ptr<torch::optim::Optimizer> {
    const std::vector<at::Tensor> parameters{parameter};
    if (kind == QStringLiteral("adam")) {
      return std::make_unique<torch::optim::Adam>(parameters, torch::optim::AdamOptions(0.01));
    }
    return std::make_unique<torch::optim::SGD>(
        parameters, torch::optim::SGDOptions(0.1).momentum(kind == QStringLiteral("momentum") ? 0.9 : 0.0));
  };
  const at::Tensor weight = at::randn({5, 8});
  const at::Tensor input = at::randn({16, 8});
  const at::Tensor plain = leaf(weight);
  const at::Tensor scaled = leaf(weight);
  const auto plainOptimizer = make(plain);
  const auto scaledOptimizer = make(scaled);
  GradScaler scaler(Options{.growth_interval = 3});
  for (int i = 0; i < 10; ++i) {
    plainOptimizer->zero_grad();
    smallLoss(plain, input).backward();
    plainOptimizer->step();
    scaledOptimizer->zero_grad();
    scaler.scale(smallLoss(scaled, input)).backward();
    scaler.step(*scaledOptimizer);
    scaler.update();
    QVERIFY(scaled.detach().equal(plain.detach()));
  }
  QCOMPARE(scaler.get_scale(), 65536.0 * 8);
}

BINADE_SUITE(TestGradScaler);
#include "tst_grad_scaler.moc"
