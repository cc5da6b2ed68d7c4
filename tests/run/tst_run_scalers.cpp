// SPDX-License-Identifier: Apache-2.0
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <cmath>

using namespace binade;
using test::firstDifference;
using test::Listening;
using test::runToEnd;
using test::smallRun;

namespace {

/// Cross entropy, and the mean square of the same output as a second loss.
std::vector<wire::LossConfig> twoLosses() {
  std::vector<wire::LossConfig> losses(2);
  losses[1].kind = "text";
  losses[1].text = "def loss(output: Tensor) -> Tensor:\n    return output.square().mean()\n";
  return losses;
}

}  // namespace

/// A run's scalers: one for each loss, limits, and changes while it goes on.
class TestRunScalers : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void twoScalersEachScaleTheirOwnLoss();
  void oneScalersOverflowLeavesTheOthersScale();
  void aRunWhoseScaleHasFallenToZeroFails();
  void aStaticScaleStays();
  void aRunOfSkippedStepsAtAStaticScaleFails();
  void theScaleKeepsItsFloorAndCeiling();
  void aScalerIsTunedWhileTheRunGoesOn();
  void aRunOfTwoScalersGoesOnToTheBit();
};

void TestRunScalers::twoScalersEachScaleTheirOwnLoss() {
  wire::RunConfig config = smallRun(4);
  config.policy.base = policy::Base::kAllFloat32;
  config.losses = twoLosses();
  Listening together;
  const auto one = runToEnd(config, together);
  config.losses[1].scaler = "small";
  config.scalers = {{.id = "main"}, {.id = "small", .init_scale = 128}};
  Listening apart;
  const auto two = runToEnd(config, apart);
  // Powers of two, unscaled before they meet: equal but for the order in which gradients add up.
  for (std::size_t i = 0; i < one.tensors.size(); ++i) {
    QVERIFY(one.tensors[i].second.allclose(two.tensors[i].second, 1e-4, 1e-6));
  }
  for (std::size_t i = 0; i < 4; ++i) {
    QVERIFY(std::abs(together.steps[i].loss - apart.steps[i].loss) < 1e-4);
    QVERIFY(apart.steps[i].stepped);
  }
}

void TestRunScalers::oneScalersOverflowLeavesTheOthersScale() {
  wire::RunConfig config = smallRun(3);
  config.losses = twoLosses();
  config.losses[1].scaler = "high";
  config.scalers = {{.id = "main", .init_scale = 1024}, {.id = "high", .init_scale = std::ldexp(1.0, 40)}};
  Listening heard;
  runToEnd(config, heard);
  QCOMPARE(heard.steps.size(), std::size_t{3});
  for (const auto& step : heard.steps) {
    QVERIFY(step.found_inf && !step.stepped);
    QCOMPARE(step.scale, 1024.0);
    QCOMPARE(step.next_scale, 1024.0);
  }
}

void TestRunScalers::aRunOfSkippedStepsAtAStaticScaleFails() {
  wire::RunConfig config = smallRun(8);
  config.scaler.init_scale = 1e30;
  config.scaler.fixed = true;
  Listening heard;
  const auto done = runToEnd(config, heard);
  QCOMPARE(done.finished.outcome, wire::Outcome::kFailed);
  QVERIFY2(done.finished.message.starts_with("All 8 steps were skipped"), done.finished.message.c_str());
  int warned = 0;
  for (const wire::Event& event : heard.events) {
    if (event.diagnosis) QVERIFY(event.diagnosis->verdict == wire::Verdict::kScaleHeld);
    warned += event.kind == wire::Event::Kind::kScaleWarning ? 1 : 0;
  }
  QCOMPARE(warned, 1);
  QCOMPARE(heard.steps.front().next_scale, heard.steps.front().scale);  // as float32 holds it, from the first
}

// No scale mends a result of the forward: more steps do not either.
void TestRunScalers::aRunWhoseScaleHasFallenToZeroFails() {
  wire::RunConfig config =
      test::lineRun("    return torch.linear(x * 1000.0, self.weight * 1000.0, self.bias) * 1000.0\n", 250);
  config.diverged_after = 0;
  Listening heard;
  const auto done = runToEnd(config, heard);
  QCOMPARE(heard.steps.back().next_scale, 0.0);
  for (const auto& step : heard.steps) {
    QVERIFY2(!step.stepped,
             qPrintable(QStringLiteral("step %1, scale %2, loss %3").arg(step.step).arg(step.scale).arg(step.loss)));
  }
  QCOMPARE(done.finished.outcome, wire::Outcome::kFailed);
  QVERIFY2(done.finished.message.starts_with("All 250 steps were skipped"), done.finished.message.c_str());
  const std::string& hint = done.finished.hint;
  QVERIFY2(hint.find("in float32") != std::string::npos, hint.c_str());
  QVERIFY2(hint.find("this batch is finite") != std::string::npos, hint.c_str());
}

void TestRunScalers::aStaticScaleStays() {
  wire::RunConfig config = smallRun(6);
  config.scaler.init_scale = std::ldexp(1.0, 30);
  config.scaler.fixed = true;
  Listening heard;
  runToEnd(config, heard);
  QCOMPARE(heard.steps.size(), std::size_t{6});
  for (const auto& step : heard.steps) {
    QVERIFY(step.found_inf && !step.stepped);
    QCOMPARE(step.next_scale, std::ldexp(1.0, 30));
  }
}

void TestRunScalers::theScaleKeepsItsFloorAndCeiling() {
  wire::RunConfig config = smallRun(8);
  config.scaler.init_scale = std::ldexp(1.0, 30);
  config.scaler.minimum = std::ldexp(1.0, 29);
  Listening floor;
  runToEnd(config, floor);
  QCOMPARE(floor.steps.back().next_scale, std::ldexp(1.0, 29));
  config.scaler = {};
  config.scaler.init_scale = 256;
  config.scaler.growth_interval = 1;
  config.scaler.maximum = 1024;
  Listening ceiling;
  runToEnd(config, ceiling);
  QCOMPARE(ceiling.steps.back().next_scale, 1024.0);
}

void TestRunScalers::aScalerIsTunedWhileTheRunGoesOn() {
  wire::RunConfig config = smallRun(6);
  config.scaler.init_scale = 256;
  run::Control control;
  Listening heard;
  heard.at_step = [&](const wire::StepRecord& step) {
    if (step.step != 1) return;
    wire::ScalerConfig tuned = config.scaler;
    tuned.growth_interval = 1;
    tuned.growth_factor = 4;
    tuned.maximum = 4096;
    control.tune(tuned);
    control.set_scale(512);
  };
  runToEnd(config, heard, control);
  std::vector<double> scales;
  for (const auto& step : heard.steps) scales.push_back(step.scale);
  QCOMPARE(scales, (std::vector<double>{256, 256, 512, 2048, 4096, 4096}));
  QCOMPARE(heard.scalers.size(), std::size_t{2});
  QCOMPARE(heard.scalers.back().step, std::int64_t{2});
  QCOMPARE(heard.scalers.back().scaler.growth_factor, 4.0);
}

/// An LSTM with dropout, accumulation, both ways of clipping, a schedule, batches that come again, and two scalers, one
/// of which tolerates an overflow: the checkpoint falls into a row of overflows.
void TestRunScalers::aRunOfTwoScalersGoesOnToTheBit() {
  wire::RunConfig config = smallRun(16);
  config.model = "sample:lstm";
  config.data.inputs.clear();
  config.batch = 2;
  config.accumulate = 3;
  config.clip = {.norm = 1, .value = 0.01};
  config.schedule = {.kind = "cosine", .warmup = 3, .floor = 0.1};
  config.skipped = "replay";
  config.keep_buffers = true;
  config.losses = twoLosses();
  config.losses[1].scaler = "high";
  config.scalers = {{.id = "main", .init_scale = std::ldexp(1.0, 20), .growth_interval = 3},
                    {.id = "high",
                     .init_scale = std::ldexp(1.0, 34),
                     .backoff_factor = std::ldexp(1.0, -6),
                     .growth_interval = 2,
                     .hysteresis = 2}};
  config.observe.level = "off";
  config.checkpoint = {test::temporaryFolder().toStdString(), 1, 20};
  Listening straight;
  const auto whole = runToEnd(config, straight);
  QCOMPARE(straight.checkpoints.size(), std::size_t{16});
  const auto stepped =
      std::count_if(straight.steps.begin(), straight.steps.end(), [](const auto& s) { return s.stepped; });
  QVERIFY2(stepped > 2 && stepped < 14, "some steps must be skipped, and others not");
  const auto losses = straight.losses();
  for (const std::size_t at : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{12}}) {
    wire::RunConfig again = config;
    again.resume = straight.checkpoints[at - 1].file;
    again.checkpoint = {};
    Listening resumed;
    const auto half = runToEnd(again, resumed);
    QCOMPARE(resumed.losses(), std::vector<double>(losses.begin() + static_cast<std::ptrdiff_t>(at), losses.end()));
    QCOMPARE(firstDifference(whole.tensors, half.tensors), std::string());
    QVERIFY(resumed.steps.back().scalers == straight.steps.back().scalers);
  }
}

BINADE_SUITE(TestRunScalers);
#include "tst_run_scalers.moc"
