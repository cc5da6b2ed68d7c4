// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/replay.h"
#include "engine/run/step.h"
#include "engine/run/trainer.h"
#include "engine/train/training_state_guard.h"
#include "engine/words/diagnosis_text.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <ATen/ops/ones.h>

#include <cmath>

using namespace binade;
using test::smallRun;

namespace {

wire::RunConfig runOf(const std::string& model, const std::vector<std::string>& inputs, std::int64_t steps) {
  wire::RunConfig config = smallRun(steps);
  config.model = model;
  config.data.inputs = inputs;
  config.batch = 8;
  config.scaler.init_scale = std::ldexp(1.0, 34);  // every one of the first steps overflows
  config.scaler.growth_interval = 5;
  return config;
}

}  // namespace

class TestReplay : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aRunWithReplaysIsTheRunWithoutBitForBit_data();
  void aRunWithReplaysIsTheRunWithoutBitForBit();
  void aRunThatGoesOnOverflowingIsExplainedNowAndThen();
  void aReplayGivesTheStepAgain();
  void aModelThatWritesItsInputIsReplayedFromTheData();
  void aStateThatCannotBeSavedIsReportedOnce();
};

void TestReplay::aRunWithReplaysIsTheRunWithoutBitForBit_data() {
  QTest::addColumn<QString>("model");
  QTest::addColumn<QString>("input");
  QTest::addColumn<int>("accumulate");
  QTest::addColumn<QString>("base");
  const QString lists = QStringLiteral("cuda-amp");
  QTest::newRow("dropout") << "sample:mlp"
                           << "float32[8,1,28,28]" << 1 << lists;
  QTest::newRow("master weights") << "sample:mlp"
                                  << "float32[8,1,28,28]" << 1 << QStringLiteral("apex-o2");
  QTest::newRow("master weights, accumulated") << "sample:cnn"
                                               << "float32[8,1,28,28]" << 2 << QStringLiteral("apex-o2");
  QTest::newRow("buffers, accumulated") << "sample:cnn"
                                        << "float32[8,1,28,28]" << 2 << lists;
  QTest::newRow("attention with dropout") << "sample:transformer"
                                          << "int64[8,16]<1000" << 1 << lists;
}

void TestReplay::aRunWithReplaysIsTheRunWithoutBitForBit() {
  QFETCH(QString, model);
  QFETCH(QString, input);
  QFETCH(int, accumulate);
  QFETCH(QString, base);
  constexpr std::int64_t kSteps = 20;
  int explained = 0;
  const auto train = [&](bool replays) {
    wire::RunConfig config = runOf(model.toStdString(), {input.toStdString()}, kSteps);
    config.accumulate = accumulate;
    if (base == u"apex-o2") config.policy.base = policy::Base::kApexO2;
    const auto training = train::set_up(config);
    run::Stepper stepper(*training, replays);
    test::Tensors all;
    int diagnosed = 0;
    for (std::int64_t step = 0; step < kSteps; ++step) {
      const run::StepOutcome outcome = stepper.run(step);
      diagnosed += outcome.diagnosis.has_value();
      explained += outcome.diagnosis && !outcome.diagnosis->roots.empty();
      all.emplace_back("loss " + std::to_string(step), at::ones({}, at::kDouble).mul(outcome.record.loss));
      all.emplace_back("scale " + std::to_string(step), at::ones({}, at::kDouble).mul(outcome.record.next_scale));
    }
    for (const auto& [name, tensor] : training->model.parameters()) all.emplace_back(name, tensor.detach().clone());
    for (const auto& [name, tensor] : training->model.buffers()) all.emplace_back(name, tensor.clone());
    return std::pair(all, diagnosed);
  };
  const auto with = train(true);
  QCOMPARE(explained, with.second);
  const auto without = train(false);
  QVERIFY(with.second > 5);
  QCOMPARE(without.second, 0);
  QCOMPARE(test::firstDifference(with.first, without.first), std::string());
}

void TestReplay::aRunThatGoesOnOverflowingIsExplainedNowAndThen() {
  constexpr std::int64_t kSteps = 170;
  wire::RunConfig config = smallRun(kSteps);
  config.scaler.init_scale = std::ldexp(1.0, 40);
  config.scaler.fixed = true;
  const auto training = train::set_up(config);
  run::Stepper stepper(*training);
  int early = 0, late = 0;
  for (std::int64_t step = 0; step < kSteps; ++step) {
    const run::StepOutcome outcome = stepper.run(step);
    QVERIFY(outcome.diagnosis);
    if (outcome.diagnosis->verdict != wire::Verdict::kUndetermined) ++(step < 60 ? early : late);
  }
  QVERIFY(early >= 10);
  QVERIFY2(late >= 1 && late < 20, qPrintable(QString::number(late)));  // a fix costs many replays
}

void TestReplay::aReplayGivesTheStepAgain() {
  wire::RunConfig config = smallRun(4);
  const auto training = train::set_up(config);
  diagnose::Replay replay(*training);
  const std::int64_t cursor = training->data->cursor();
  training->buffers.keep();
  replay.begin(cursor, train::RandomState::of(training->device));
  replay.add(training->data->next());
  const train::TrainingStateGuard guard(*training);
  const auto first = replay.run({});
  const auto second = replay.run({});
  QVERIFY(first.finite());
  QCOMPARE(first.loss, second.loss);  // dropout draws the same numbers
  const auto high = replay.run({.scale = std::ldexp(1.0, 60), .policy = {}, .trace = nullptr});
  QVERIFY(!high.finite());
  QVERIFY(high.finite_loss);
  QVERIFY(!high.bad_parameters.empty());
  QVERIFY(replay.run({}).finite());
}

void TestReplay::aModelThatWritesItsInputIsReplayedFromTheData() {
  const std::string folder = test::temporaryFolder().toStdString();
  wire::RunConfig config = smallRun(4);
  config.model = test::saveModel(folder, R"(
def forward(self, x: Tensor) -> Tensor:
    x.mul_(2.0)
    return torch.linear(x, self.weight, self.bias)
)");
  config.data.inputs = {"float32[16,8]"};
  config.data.classes = 4;
  const auto training = train::set_up(config);
  diagnose::Replay replay(*training);
  training->buffers.keep();
  replay.begin(training->data->cursor(), train::RandomState::of(training->device));
  replay.add(training->data->next());
  const train::TrainingStateGuard guard(*training);
  const double first = replay.run({}).loss;
  QCOMPARE(replay.run({}).loss, first);
}

void TestReplay::aStateThatCannotBeSavedIsReportedOnce() {
  wire::RunConfig config = runOf("sample:mlp", {"float32[8,1,28,28]"}, 2);
  config.run_file = test::temporaryFolder().toStdString() + "/no such folder/high.binade";
  const auto training = train::set_up(config);
  run::Stepper stepper(*training);
  const auto says = [&](std::int64_t step) {
    const run::StepOutcome outcome = stepper.run(step);
    return outcome.diagnosis && outcome.diagnosis->bundle.empty() &&
           words::explanation_of(*outcome.diagnosis, {}).find("was not saved") != std::string::npos;
  };
  QVERIFY(says(0));
  QVERIFY(!says(1));
}

BINADE_SUITE(TestReplay);
#include "tst_replay.moc"
