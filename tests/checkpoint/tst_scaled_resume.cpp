// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/replay.h"
#include "engine/formats/error.h"
#include "engine/policy/base_policy.h"
#include "engine/policy/recipes.h"
#include "engine/run/step.h"
#include "engine/run/trainer.h"
#include "engine/train/scale_tensors.h"
#include "engine/train/training_state_guard.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <cmath>

using namespace binade;
using test::folder;
using test::Listening;
using test::runToEnd;
using test::smallRun;

namespace {

/// A run by a recipe, with dropout and accumulation.
wire::RunConfig recipe_run(const char* name, std::int64_t steps) {
  wire::RunConfig config = smallRun(steps);
  config.data.inputs = {"float32[8,1,28,28]"};
  config.batch = 8;
  config.accumulate = 2;
  config.policy = *policy::recipe(name);
  config.observe.level = "off";
  return config;
}

/// The state of delayed scaling, as a checkpoint holds it.
test::Tensors scales(const train::Training& training) {
  return train::scale_tensors(training);
}

void each_recipe() {
  QTest::addColumn<QByteArray>("recipe");
  for (const std::string& name : policy::recipe_names()) QTest::newRow(name.c_str()) << QByteArray(name.c_str());
}

}  // namespace

// Trainings with quantized products: resumed, skipped and replayed to the bit.
class TestScaledResume : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyRecipeTrains_data() { each_recipe(); }
  void everyRecipeTrains();
  void resumingGoesOnToTheBit_data() { each_recipe(); }
  void resumingGoesOnToTheBit();
  void aSkippedStepLeavesTheScalesAlone();
  void aReplayGivesTheGradientsAgain_data() { each_recipe(); }
  void aReplayGivesTheGradientsAgain();
  void anEvaluationLeavesTheScalesAlone();
  void damagedScalesAreRefused();
};

void TestScaledResume::everyRecipeTrains() {
  QFETCH(QByteArray, recipe);
  constexpr std::int64_t kSteps = 10;
  wire::RunConfig config = recipe_run(recipe.constData(), kSteps);
  Listening quantized;
  runToEnd(config, quantized);
  config.policy = *policy::base_policy("all-float32");
  Listening full;
  runToEnd(config, full);
  // Labels are made up, so the loss stays near that of a guess. Quantization must neither change that nor be absent.
  for (std::size_t i = 0; i < kSteps; ++i) {
    const double difference = std::abs(quantized.losses().at(i) - full.losses().at(i));
    QVERIFY2(difference < 0.2, qPrintable(QString::number(difference)));
  }
  QVERIFY(quantized.losses() != full.losses());
}

void TestScaledResume::resumingGoesOnToTheBit() {
  QFETCH(QByteArray, recipe);
  wire::RunConfig config = recipe_run(recipe.constData(), 12);
  config.checkpoint = {folder(), 6, 5};
  Listening straight;
  const auto whole = runToEnd(config, straight);
  config.resume = straight.checkpoints.at(0).file;
  config.checkpoint = {};
  Listening resumed;
  const auto half = runToEnd(config, resumed);
  const std::vector<double> losses = straight.losses();
  QCOMPARE(resumed.losses(), std::vector<double>(losses.begin() + 6, losses.end()));
  QCOMPARE(test::firstDifference(whole.tensors, half.tensors), std::string());
}

void TestScaledResume::aSkippedStepLeavesTheScalesAlone() {
  wire::RunConfig config = recipe_run("fp8-delayed", 4);
  const auto training = train::set_up(config);
  run::Stepper stepper(*training, /*replays=*/false);
  stepper.run(0);
  stepper.run(1);
  const test::Tensors before = scales(*training);
  QVERIFY(before.size() >= 6);  // input, weight and gradient of two layers
  // A weight that is NaN for one step. Infinity would saturate in the format, and the step would count.
  const at::Tensor weight = training->trainable.front().second;
  const at::Tensor kept = weight.detach().clone();
  const auto set = [&weight](const at::Tensor& values) {
    const at::NoGradGuard no_history;
    weight.copy_(values);
  };
  set(at::full(weight.sizes(), NAN));
  QVERIFY(!stepper.run(2).record.stepped);
  QCOMPARE(test::firstDifference(before, scales(*training)), std::string());
  set(kept);
  QVERIFY(stepper.run(3).record.stepped);
  QVERIFY(!test::firstDifference(before, scales(*training)).empty());
}

void TestScaledResume::aReplayGivesTheGradientsAgain() {
  QFETCH(QByteArray, recipe);
  const auto training = train::set_up(recipe_run(recipe.constData(), 4));
  run::Stepper stepper(*training, /*replays=*/false);
  for (std::int64_t step = 0; step < 3; ++step) stepper.run(step);
  autocast::ProductState& products = training->autocast.products();
  products.begin_step(training->config.seed, 3);
  diagnose::Replay replay(*training);
  training->buffers.keep();
  replay.begin(training->data->cursor(), train::RandomState::of(training->device));
  for (std::int64_t i = 0; i < training->config.accumulate; ++i) replay.add(training->data->next());
  const train::TrainingStateGuard guard(*training);
  std::vector<at::Tensor> first;
  std::vector<at::Tensor> second;
  replay.run({.gradients = &first});
  replay.run({.gradients = &second});
  QVERIFY(!first.empty());
  for (std::size_t i = 0; i < first.size(); ++i) QVERIFY(first[i].equal(second[i]));
  // Another step has other draws, where there are any.
  products.begin_step(training->config.seed, 4);
  replay.run({.gradients = &second});
  bool same = true;
  for (std::size_t i = 0; i < first.size(); ++i) same = same && first[i].equal(second[i]);
  QCOMPARE(same, recipe != "nvfp4");
}

void TestScaledResume::anEvaluationLeavesTheScalesAlone() {
  wire::RunConfig config = recipe_run("fp8-delayed", 6);
  Listening plain;
  const auto without = runToEnd(config, plain);
  config.evaluate_every = 2;
  Listening evaluating;
  const auto with = runToEnd(config, evaluating);
  QVERIFY(!evaluating.evaluations.empty());
  QCOMPARE(evaluating.losses(), plain.losses());
  QCOMPARE(test::firstDifference(without.tensors, with.tensors), std::string());
}

void TestScaledResume::damagedScalesAreRefused() {
  const auto training = train::set_up(recipe_run("fp8-delayed", 2));
  run::Stepper(*training, /*replays=*/false).run(0);
  std::map<std::string, at::Tensor> good;
  for (const auto& [name, tensor] : train::scale_tensors(*training)) good.emplace(name, tensor);
  QCOMPARE(train::read_scales(*training, good).size(), good.size());
  const auto refused = [&](const std::string& name, const at::Tensor& tensor) {
    try {
      train::read_scales(*training, {{name, tensor}});
    } catch (const Error& error) {
      return error.code == ErrorCode::kBadFile && std::string(error.what()).find(name) != std::string::npos;
    }
    return false;
  };
  const std::string& name = good.begin()->first;
  const at::Tensor& state = good.begin()->second;
  QVERIFY(refused(name, at::zeros({})));
  QVERIFY(refused(name, at::zeros({4}, at::kLong)));
  QVERIFY(refused(name, at::zeros({0})));
  QVERIFY(refused("other/aten::linear#0.weight.e4m3", state));
  QVERIFY(refused(name.substr(0, name.rfind('.')), state));
  QVERIFY(refused(name + "x", state));
}

BINADE_SUITE(TestScaledResume);
#include "tst_scaled_resume.moc"
