// SPDX-License-Identifier: Apache-2.0
#include "engine/run/step.h"
#include "engine/train/training.h"
#include "tests/apex/gather.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <torch/optim/optimizer.h>

using namespace binade;
using policy::Base;

namespace {

wire::RunConfig at_level(Base base, std::int64_t steps = 4) {
  wire::RunConfig config = test::smallRun(steps);
  config.model = "sample:resnet";
  config.data.inputs = {"float32[4,3,32,32]"};
  config.batch = 4;
  config.policy.base = base;
  config.observe.level = "off";
  return config;
}

bool is_norm(const std::string& name) {
  return name.find("bn") != std::string::npos || name.find("norm") != std::string::npos ||
         name.find("running") != std::string::npos || name.find("downsample.1") != std::string::npos;
}

}  // namespace

// Apex's levels as the base of a run's policy.
class TestLevelsInTraining : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void weightsOfEveryLevel_data();
  void weightsOfEveryLevel();
  void masterWeightsAreStepped();
  void pureHalfLosesSmallUpdatesThatMastersKeep();
  void levelsWithoutAScaleHaveNoScaler();
  void aScalerAtO3IsRefused();
  void theLowFormatDecidesWhetherWeightsAreCast();
  void aNewLevelInMidRunSaysWhatStays();
  void everyLevelRunsToTheEnd_data();
  void everyLevelRunsToTheEnd();
};

void TestLevelsInTraining::weightsOfEveryLevel_data() {
  QTest::addColumn<int>("base");
  QTest::addColumn<bool>("half");
  QTest::addColumn<bool>("norms");
  QTest::addColumn<bool>("masters");
  QTest::newRow("O0") << static_cast<int>(Base::kApexO0) << false << false << false;
  QTest::newRow("O1") << static_cast<int>(Base::kApexO1) << false << false << false;
  QTest::newRow("O2") << static_cast<int>(Base::kApexO2) << true << false << true;
  QTest::newRow("O3") << static_cast<int>(Base::kApexO3) << true << true << false;
  QTest::newRow("no level") << static_cast<int>(Base::kCudaAmp) << false << false << false;
}

void TestLevelsInTraining::weightsOfEveryLevel() {
  QFETCH(int, base);
  QFETCH(bool, half);
  QFETCH(bool, norms);
  QFETCH(bool, masters);
  const auto training = train::set_up(at_level(static_cast<Base>(base)));
  QVERIFY(!training->model.parameters().empty() && !training->trainable.empty());
  for (const auto& [name, tensor] : training->model.parameters()) {
    const bool low = half && (norms || !is_norm(name));
    QVERIFY2(tensor.scalar_type() == (low ? at::kHalf : at::kFloat), name.c_str());
  }
  for (const auto& [name, tensor] : training->model.buffers()) {
    if (tensor.is_floating_point()) QVERIFY2(tensor.scalar_type() == (norms ? at::kHalf : at::kFloat), name.c_str());
  }
  QCOMPARE(training->masters != nullptr, masters);
  for (const auto& [name, tensor] : training->trainable) {
    const bool low = half && !masters;
    QVERIFY2(tensor.scalar_type() == (low ? at::kHalf : at::kFloat), name.c_str());
  }
}

void TestLevelsInTraining::masterWeightsAreStepped() {
  const auto training = train::set_up(at_level(Base::kApexO2));
  run::Stepper stepper(*training);
  int stepped = 0;
  for (int step = 0; step < 12; ++step) stepped += stepper.run(step).record.stepped ? 1 : 0;
  QVERIFY(stepped > 0);
  QVERIFY(!training->masters->pairs().empty());
  for (const auto& pair : training->masters->pairs()) {
    QVERIFY(pair.model.equal(pair.master.to(at::kHalf)));
    QVERIFY(!pair.model.grad().defined());
  }
}

void TestLevelsInTraining::pureHalfLosesSmallUpdatesThatMastersKeep() {
  // A learning rate whose updates are below half a unit of every float16 weight.
  for (const Base base : {Base::kApexO2, Base::kApexO3}) {
    wire::RunConfig config = at_level(base);
    config.model = "sample:mlp";
    config.data.inputs = {"float32[4,1,28,28]"};
    config.optimizer.learning_rate = 1e-7;
    config.optimizer.momentum = 0;
    if (base == Base::kApexO2) {
      config.scaler.init_scale = 256;
    }
    const auto training = train::set_up(config);
    const at::Tensor before = training->trainable[0].second.detach().clone();
    run::Stepper stepper(*training);
    for (int step = 0; step < 3; ++step) QVERIFY(stepper.run(step).record.stepped);
    const at::Tensor change = (training->trainable[0].second.detach() - before).abs().to(at::kFloat);
    QVERIFY(base == Base::kApexO2 ? change.max().item<float>() > 0 : change.max().item<float>() < 1e-6F);
  }
}

void TestLevelsInTraining::levelsWithoutAScaleHaveNoScaler() {
  for (const Base base : {Base::kApexO0, Base::kApexO3}) {
    const auto training = train::set_up(at_level(base));
    QVERIFY(!training->scalers.any_enabled());
    QCOMPARE(training->scalers.scale(0), 1.0);
  }
  for (const Base base : {Base::kApexO1, Base::kApexO2}) {
    QCOMPARE(train::set_up(at_level(base))->scalers.scale(0), 65536.0);
  }
  wire::RunConfig given = at_level(Base::kApexO0);
  given.scaler.init_scale = 128;
  QCOMPARE(train::set_up(given)->scalers.scale(0), 128.0);
  given = at_level(Base::kApexO0);
  given.scaler_given = true;  // with nothing but defaults, and meant all the same
  QCOMPARE(train::set_up(given)->scalers.scale(0), 65536.0);
}

void TestLevelsInTraining::aScalerAtO3IsRefused() {
  wire::RunConfig config = at_level(Base::kApexO3);
  const auto refused = [](const wire::RunConfig& run) {
    return test::errorOf([&] { train::set_up(run); })
        .startsWith("scaler: apex-o3 has float16 weights without float32 master weights");
  };
  config.scaler_given = true;  // "scaler": {"enabled": true}
  QVERIFY(refused(config));
  config.scaler_given = false;
  config.scaler.init_scale = 128;
  QVERIFY(refused(config));
}

void TestLevelsInTraining::theLowFormatDecidesWhetherWeightsAreCast() {
  wire::RunConfig config = at_level(Base::kApexO2);
  config.policy.low = formats::kBFloat16;
  const auto training = train::set_up(config);
  QVERIFY(training->model.parameters()[0].second.scalar_type() == at::kFloat);
  QVERIFY(!training->masters);
}

void TestLevelsInTraining::aNewLevelInMidRunSaysWhatStays() {
  const auto training = train::set_up(at_level(Base::kApexO2));
  policy::Policy policy;
  policy.base = Base::kCudaAmp;
  const auto says = [](const policy::Resolved& resolved) {
    return std::count_if(resolved.findings.begin(), resolved.findings.end(), [](const policy::Finding& finding) {
      return finding.message.find("the weights remain float16, as at the start of the run") != std::string::npos;
    });
  };
  QCOMPARE(says(*train::resolve(*training, policy, 1)), 1);
  policy.base = Base::kApexO3;
  QCOMPARE(says(*train::resolve(*training, policy, 2)), 0);
}

void TestLevelsInTraining::everyLevelRunsToTheEnd_data() {
  QTest::addColumn<int>("base");
  for (const Base base : {Base::kApexO0, Base::kApexO1, Base::kApexO2, Base::kApexO3}) {
    QTest::newRow(policy::name(base).c_str()) << static_cast<int>(base);
  }
}

void TestLevelsInTraining::everyLevelRunsToTheEnd() {
  QFETCH(int, base);
  test::Listening heard;
  const test::Done done = test::runToEnd(at_level(static_cast<Base>(base)), heard);
  QVERIFY2(done.finished.outcome == wire::Outcome::kCompleted, done.finished.message.c_str());
  QCOMPARE(heard.steps.size(), std::size_t{4});
  for (const auto& step : heard.steps) QVERIFY(std::isfinite(step.loss));
}

BINADE_SUITE(TestLevelsInTraining);
#include "tst_levels_in_training.moc"
