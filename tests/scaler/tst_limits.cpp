// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/grad_scaler.h"
#include "tests/scaler/counters.h"
#include "tests/scaler/parameters.h"
#include "tests/scaler/sgd.h"
#include "tests/support/suite.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <random>

using namespace binade::scaler;
using namespace binade::test;

/// What PyTorch's scaler has not: limits, and a host that is told.
class TestLimits : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theFloorHoldsTheScaleUp();
  void theCeilingHoldsTheScaleDown();
  void hysteresisToleratesOverflows();
  void aHysteresisThatWasOffCountsAnew();
  void aStaticScaleStaysAndStillSkips();
  void limitsThatExcludeEachOtherAreRefused();
  void theHostKnowsWhatTheDeviceHolds();
  void everyChangeIsTold();
  void aShortenedIntervalStillGrows_data();
  void aShortenedIntervalStillGrows();
  void hysteresisIsSavedAndCopied();
  void whatDividingMakesInfiniteIsFound();
  void groupsAndParametersThatOverflowedAreNamed();
};

namespace {

/// One parameter, one optimizer, one scaler, and iterations that overflow or not.
struct Loop {
  explicit Loop(const Options& options) : scaler(options) {}

  StepResult iterate(bool overflow) {
    scaler.scale(at::ones({}));
    giveGradient(parameter, overflow ? kInfinity : 1);
    const auto result = scaler.step(optimizer);
    scaler.update();
    return result;
  }

  at::Tensor parameter = leaf(at::ones({1}));
  PlainSgd optimizer{{parameter}, 0.0};
  GradScaler scaler;
};

}  // namespace

void TestLimits::theFloorHoldsTheScaleUp() {
  Loop loop(Options{.init_scale = 8, .minimum = 3});
  loop.iterate(true);
  QCOMPARE(loop.scaler.get_scale(), 4.0);
  loop.iterate(true);
  QCOMPARE(loop.scaler.get_scale(), 3.0);
  QVERIFY(!loop.iterate(true).stepped);  // the step is skipped all the same
  QCOMPARE(loop.scaler.get_scale(), 3.0);
}

void TestLimits::theCeilingHoldsTheScaleDown() {
  Loop loop(Options{.init_scale = 8, .growth_interval = 1, .maximum = 24});
  loop.iterate(false);
  QCOMPARE(loop.scaler.get_scale(), 16.0);
  loop.iterate(false);
  QCOMPARE(loop.scaler.get_scale(), 24.0);
  loop.iterate(true);
  QCOMPARE(loop.scaler.get_scale(), 12.0);
}

void TestLimits::hysteresisToleratesOverflows() {
  Loop loop(Options{.init_scale = 16, .growth_interval = 3, .hysteresis = 3});
  loop.iterate(false);
  loop.iterate(false);
  QVERIFY(!loop.iterate(true).stepped);
  loop.iterate(true);
  QCOMPARE(loop.scaler.get_scale(), 16.0);  // two in a row are tolerated
  QCOMPARE(loop.scaler.get_growth_tracker(), 0);
  loop.iterate(true);
  QCOMPARE(loop.scaler.get_scale(), 8.0);  // the third is not, nor the fourth
  loop.iterate(true);
  QCOMPARE(loop.scaler.get_scale(), 4.0);
  loop.iterate(false);  // a clean step starts the count again
  loop.iterate(true);
  QCOMPARE(loop.scaler.get_scale(), 4.0);
}

void TestLimits::aHysteresisThatWasOffCountsAnew() {
  Loop loop(Options{.init_scale = 16, .hysteresis = 3});
  loop.iterate(true);
  loop.iterate(true);
  loop.scaler.set_limits(0, 0, /*hysteresis=*/1, true);
  loop.iterate(false);
  loop.scaler.set_limits(0, 0, /*hysteresis=*/3, true);
  loop.iterate(true);  // the first in a row, not the third
  QCOMPARE(loop.scaler.get_scale(), 16.0);
  QCOMPARE(loop.scaler.known_state()->scale, 16.0);
}

void TestLimits::aStaticScaleStaysAndStillSkips() {
  Loop loop(Options{.init_scale = 128, .growth_interval = 1, .dynamic = false});
  QVERIFY(!loop.iterate(true).stepped);
  QVERIFY(loop.iterate(false).stepped);
  QCOMPARE(loop.scaler.get_scale(), 128.0);
  QCOMPARE(loop.scaler.get_growth_tracker(), 0);
  loop.scaler.set_limits(0, 0, 1, /*dynamic=*/true);
  loop.iterate(false);
  QCOMPARE(loop.scaler.get_scale(), 256.0);
}

void TestLimits::limitsThatExcludeEachOtherAreRefused() {
  QVERIFY_THROWS_EXCEPTION(c10::Error, GradScaler(Options{.minimum = 4, .maximum = 2}));
  QVERIFY_THROWS_EXCEPTION(c10::Error, GradScaler(Options{.minimum = -1}));
  QVERIFY_THROWS_EXCEPTION(c10::Error, GradScaler(Options{.hysteresis = 0}));
  GradScaler scaler(Options{.minimum = 1});
  QVERIFY_THROWS_EXCEPTION(c10::Error, scaler.set_limits(4, 2, 1, true));
  QCOMPARE(scaler.options().minimum, 1.0);
}

void TestLimits::theHostKnowsWhatTheDeviceHolds() {
  std::mt19937 random(5);  // NOLINT: the same numbers every time
  const auto upTo = [&random](unsigned n) { return static_cast<int>(random() % n); };
  for (int run = 0; run < 60; ++run) {
    Options options;
    options.init_scale = std::ldexp(1.0 + upTo(1000) / 1000.0, upTo(20));
    options.growth_factor = 1.5 + upTo(3);
    options.backoff_factor = 0.25 + upTo(3) * 0.2;
    options.growth_interval = upTo(5);
    options.minimum = upTo(2) * 10.0;
    options.maximum = upTo(2) * 3e5;
    options.hysteresis = 1 + upTo(4);
    options.dynamic = upTo(6) != 0;
    Loop loop(options);
    for (int i = 0; i < 40; ++i) {
      if (upTo(12) == 0) loop.scaler.set_growth_interval(upTo(4));
      if (i > 0 && upTo(20) == 0) loop.scaler.update(static_cast<double>(1 + upTo(5000)));
      if (upTo(20) == 0) loop.scaler.load_state_dict(loop.scaler.state_dict());
      if (upTo(10) == 0) loop.scaler.set_limits(options.minimum, options.maximum, 1 + upTo(4), options.dynamic);
      loop.iterate(upTo(3) == 0);
      QVERIFY(loop.scaler.known_state());
      const ReadCounter counter;
      const State known = *loop.scaler.known_state();
      QCOMPARE(ReadCounter::count(), 0);
      const State held = *loop.scaler.state();
      QCOMPARE(known.scale, held.scale);
      QCOMPARE(known.growth_tracker, held.growth_tracker);
      QVERIFY(known == held);
    }
  }
}

void TestLimits::everyChangeIsTold() {
  Loop loop(Options{.init_scale = 8, .growth_interval = 2});
  std::vector<std::tuple<double, double, Cause>> told;
  loop.scaler.on_change(
      [&told](const ScaleChange& change) { told.emplace_back(change.from, change.to, change.cause); });
  loop.iterate(false);
  loop.iterate(false);
  loop.iterate(true);
  loop.scaler.update(32.0);
  loop.scaler.set_scale(32);  // no change, nothing told
  auto state = *loop.scaler.state();
  state.scale = 2;
  loop.scaler.load_state(state);
  const std::vector<std::tuple<double, double, Cause>> expected{
      {8, 16, Cause::kGrowth}, {16, 8, Cause::kBackOff}, {8, 32, Cause::kSet}, {32, 2, Cause::kLoaded}};
  QVERIFY(told == expected);
}

void TestLimits::aShortenedIntervalStillGrows_data() {
  QTest::addColumn<bool>("loaded");
  QTest::newRow("by the setter") << false;
  QTest::newRow("by a loaded tracker") << true;
}

void TestLimits::aShortenedIntervalStillGrows() {
  QFETCH(const bool, loaded);
  for (const Behaviour behaviour : {Behaviour::kFixed, Behaviour::kPytorch211}) {
    Loop loop(Options{.init_scale = 4, .growth_interval = 100, .behaviour = behaviour});
    loop.iterate(false);
    if (loaded) {
      loop.scaler.load_state(State{4, 2, 0.5, 3, 9});
    } else {
      for (int i = 0; i < 8; ++i) loop.iterate(false);
      QCOMPARE(loop.scaler.get_growth_tracker(), 9);
      loop.scaler.set_growth_interval(3);
    }
    loop.iterate(false);
    // PyTorch compares with ==, and never grows again until an overflow.
    QCOMPARE(loop.scaler.get_scale(), behaviour == Behaviour::kFixed ? 8.0 : 4.0);
    QCOMPARE(loop.scaler.get_growth_tracker(), behaviour == Behaviour::kFixed ? 0 : 10);
  }
}

void TestLimits::hysteresisIsSavedAndCopied() {
  const Options options{.init_scale = 16, .hysteresis = 3};
  Loop loop(options);
  loop.iterate(true);
  loop.iterate(true);
  QCOMPARE(loop.scaler.state()->overflows_in_a_row, 2);
  QCOMPARE(loop.scaler.state_dict().size(), 6u);  // PyTorch's five, and ours
  Loop other(options);
  other.scaler.load_state_dict(loop.scaler.state_dict());
  Loop third(options);
  third.scaler = loop.scaler.copy();
  for (Loop* each : {&loop, &other, &third}) {
    each->iterate(true);
    QCOMPARE(each->scaler.get_scale(), 8.0);
  }
}

void TestLimits::whatDividingMakesInfiniteIsFound() {
  for (const Behaviour behaviour : {Behaviour::kFixed, Behaviour::kPytorch211}) {
    Loop loop(Options{.init_scale = std::ldexp(1.0, -14), .behaviour = behaviour});
    loop.scaler.scale(at::ones({}));
    giveGradient(loop.parameter, 1e38F);
    const auto result = loop.scaler.step(loop.optimizer);
    QCOMPARE(loop.parameter.grad().item<float>(), kInfinity);
    QCOMPARE(result.stepped, behaviour == Behaviour::kPytorch211);
  }
}

void TestLimits::groupsAndParametersThatOverflowedAreNamed() {
  std::vector<at::Tensor> parameters;
  for (int i = 0; i < 6; ++i) parameters.push_back(leaf(at::ones({3}, i == 4 ? at::kDouble : at::kFloat)));
  PlainSgd optimizer({parameters[0], parameters[1]}, 0.1);
  optimizer.add_param_group(torch::optim::OptimizerParamGroup({parameters[2]}));
  optimizer.add_param_group(torch::optim::OptimizerParamGroup({parameters[3], parameters[4], parameters[5]}));
  GradScaler scaler;
  scaler.scale(at::ones({}));
  for (const at::Tensor& parameter : parameters) giveGradient(parameter, 1);
  parameters[5].mutable_grad().reset();  // one without a gradient
  QVERIFY(scaler.step(optimizer).overflowed.empty());
  scaler.update();
  parameters[1].mutable_grad()[2] = kInfinity;
  parameters[4].mutable_grad()[0] = kNaN;
  const ReadCounter counter;
  const auto result = scaler.step(optimizer);
  QCOMPARE(ReadCounter::count(), 1);
  const std::vector<OverflowedGroup> expected{{0, {1}}, {2, {1}}};
  QVERIFY(result.overflowed == expected);
}

BINADE_SUITE(TestLimits);
#include "tst_limits.moc"
