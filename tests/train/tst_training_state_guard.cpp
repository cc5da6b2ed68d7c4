// SPDX-License-Identifier: Apache-2.0
#include "engine/run/step.h"
#include "engine/train/batch_pass.h"
#include "engine/train/model_state.h"
#include "engine/train/training_state_guard.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <ATen/core/grad_mode.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/api/module.h>

#include <array>
#include <stdexcept>

using namespace binade;
using test::firstDifference;
using train::TrainingStateGuard;

namespace {

/// Saves a model whose forward counts in an attribute and in a buffer, and draws random numbers, in either mode.
std::string countingModel() {
  torch::jit::Module module("__torch__.Counting");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_parameter("weight", at::linspace(-1, 1, 32).reshape({4, 8}).requires_grad_(true), false);
  module.register_buffer("seen", at::zeros({1}));
  module.register_buffer("spread", at::ones({1}).expand({3}));  // no op can write it
  module.register_attribute("count", c10::IntType::get(), std::int64_t{0});
  module.define(R"py(
def forward(self, x: Tensor) -> Tensor:
    self.count = self.count + 1
    self.seen.add_(1)
    return torch.dropout(torch.linear(x, self.weight), 0.5, True)
)py");
  const std::string file = test::folder() + "/counting.pt";
  module.save(file);
  return file;
}

/// A training after its first step.
std::unique_ptr<train::Training> trained(wire::RunConfig config) {
  auto training = train::set_up(config);
  run::Stepper(*training).run(0);
  return training;
}

wire::RunConfig countingRun() {
  wire::RunConfig config = test::smallRun(2);
  config.model = countingModel();
  config.data.inputs = {"float32[16,8]"};
  config.data.classes = 4;
  config.scaler.init_scale = 1024;
  return config;
}

/// Everything that a forward and backward without a step changes, copied.
test::Tensors stateOf(const train::Training& training) {
  test::Tensors all = train::RandomState::of(training.device).named();
  for (const auto& [name, tensor] : train::model_tensors(training.model)) {
    all.emplace_back(name, tensor.detach().clone());
    if (tensor.grad().defined()) all.emplace_back("gradient of " + name, tensor.grad().clone());
  }
  return all;
}

std::string attributesOf(const train::Training& training) {
  return train::model_attributes(training.model).dump();
}

/// Forward and losses of the next batch, and backward with autograd on.
double runNext(train::Training& training) {
  const batches::Batch batch = train::on_device(training, training.data->peek(0));
  const std::array<graph::SiteHook*, 1> hooks{&training.autocast};
  train::BatchPass pass(training, training.autocast, batch, hooks);
  const double loss = pass.add(0, pass.loss(0)).item<double>();
  const at::Tensor sum = pass.finish().front();
  if (at::GradMode::is_enabled()) sum.backward();
  return loss;
}

}  // namespace

class TestTrainingStateGuard : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everythingIsRestored_data();
  void everythingIsRestored();
  void afterRestoringTheSameRunFollows();
  void anEvaluationHasNoAutogradAndEndsInTrainMode();
  void guardsNest();
  void aModuleInEvalModeStaysInIt();
  void mastersDoNotFollowBackward();
  void theSumOfAScalerHoldsSharesAndWeights();
};

void TestTrainingStateGuard::everythingIsRestored_data() {
  QTest::addColumn<bool>("evaluates");
  QTest::addColumn<bool>("throws");
  QTest::newRow("train") << false << false;
  QTest::newRow("train, an exception passes") << false << true;
  QTest::newRow("evaluate") << true << false;
  QTest::newRow("evaluate, an exception passes") << true << true;
}

void TestTrainingStateGuard::everythingIsRestored() {
  QFETCH(const bool, evaluates);
  QFETCH(const bool, throws);
  const auto training = trained(countingRun());
  const test::Tensors before = stateOf(*training);
  const std::string attributes = attributesOf(*training);
  QVERIFY2(attributes.find("\"count\":1") != std::string::npos, attributes.c_str());
  bool caught = false;
  try {
    const TrainingStateGuard guard(*training,
                                   evaluates ? TrainingStateGuard::Mode::kEvaluate : TrainingStateGuard::Mode::kTrain);
    for (const auto& [name, parameter] : training->model.parameters()) QVERIFY(!parameter.grad().defined());
    runNext(*training);
    QVERIFY(attributesOf(*training) != attributes);
    QVERIFY(!firstDifference(stateOf(*training), before).empty());
    if (throws) throw std::runtime_error("passes");
  } catch (const std::runtime_error&) {
    caught = true;
  }
  QCOMPARE(caught, throws);
  QCOMPARE(firstDifference(stateOf(*training), before), std::string());
  QCOMPARE(attributesOf(*training), attributes);
  QVERIFY(training->model.module().is_training());
  QVERIFY(at::GradMode::is_enabled());
}

void TestTrainingStateGuard::afterRestoringTheSameRunFollows() {
  const auto training = trained(countingRun());
  TrainingStateGuard guard(*training);
  const double first = runNext(*training);
  const test::Tensors after = stateOf(*training);
  guard.restore();
  for (const auto& [name, parameter] : training->model.parameters()) QVERIFY(!parameter.grad().defined());
  QCOMPARE(runNext(*training), first);
  QCOMPARE(firstDifference(stateOf(*training), after), std::string());
}

void TestTrainingStateGuard::anEvaluationHasNoAutogradAndEndsInTrainMode() {
  const auto training = trained(countingRun());
  {
    TrainingStateGuard guard(*training, TrainingStateGuard::Mode::kEvaluate);
    for (const bool again : {false, true}) {
      if (again) guard.restore();
      QVERIFY(!training->model.module().is_training());
      QVERIFY(!at::GradMode::is_enabled());
      runNext(*training);
    }
  }
  QVERIFY(training->model.module().is_training());
  QVERIFY(at::GradMode::is_enabled());
}

void TestTrainingStateGuard::guardsNest() {
  using enum TrainingStateGuard::Mode;
  const auto training = trained(countingRun());
  {
    const TrainingStateGuard outer(*training, kEvaluate);
    {
      const TrainingStateGuard inner(*training, kEvaluate);
      runNext(*training);
    }
    QVERIFY(!training->model.module().is_training());
    QVERIFY(!at::GradMode::is_enabled());
  }
  QVERIFY(training->model.module().is_training());
  QVERIFY(at::GradMode::is_enabled());
}

/// A model of two modules, of which the run leaves one in eval mode: with and without attributes that forward assigns.
void TestTrainingStateGuard::aModuleInEvalModeStaysInIt() {
  for (const bool assigns : {false, true}) {
    torch::jit::Module part("__torch__.Part");
    part.register_attribute("training", c10::BoolType::get(), true);
    part.register_parameter("weight", at::linspace(-1, 1, 32).reshape({4, 8}).requires_grad_(true), false);
    part.register_attribute("count", c10::IntType::get(), std::int64_t{0});
    part.define(std::string("def forward(self, x: Tensor) -> Tensor:\n") +
                (assigns ? "    self.count = self.count + 1\n" : "") + "    return torch.linear(x, self.weight)\n");
    torch::jit::Module whole("__torch__.Whole");
    whole.register_attribute("training", c10::BoolType::get(), true);
    whole.register_module("part", part);
    whole.define("def forward(self, x: Tensor) -> Tensor:\n    return self.part.forward(x)\n");
    wire::RunConfig config = countingRun();
    config.model = test::folder() + "/parts.pt";
    whole.save(config.model);
    const auto training = trained(config);
    torch::jit::Module kept = training->model.module().attr("part").toModule();
    kept.setattr("training", false);
    {
      const TrainingStateGuard guard(*training, TrainingStateGuard::Mode::kEvaluate);
      runNext(*training);
    }
    QVERIFY(!kept.is_training());
    QVERIFY(training->model.module().is_training());
  }
}

void TestTrainingStateGuard::mastersDoNotFollowBackward() {
  wire::RunConfig config = test::smallRun(2);
  config.policy.base = policy::Base::kApexO2;
  config.scaler.init_scale = 128;
  const auto training = trained(config);
  const auto gradients = [&] {
    test::Tensors all;
    for (const auto& [name, master] : training->trainable) all.emplace_back(name, master.grad().clone());
    return all;
  };
  const test::Tensors before = gradients();
  {
    const TrainingStateGuard guard(*training);
    runNext(*training);
    for (const auto& pair : training->masters->pairs()) QVERIFY(pair.model.grad().defined());
    for (const auto& pair : training->masters->pairs()) QVERIFY(pair.master.grad().defined());
  }
  QCOMPARE(firstDifference(gradients(), before), std::string());
  for (const auto& pair : training->masters->pairs()) QVERIFY(!pair.model.grad().defined());
  runNext(*training);  // they follow again
  QVERIFY(!firstDifference(gradients(), before).empty());
}

void TestTrainingStateGuard::theSumOfAScalerHoldsSharesAndWeights() {
  wire::RunConfig config = countingRun();
  config.accumulate = 2;
  wire::LossConfig square;
  square.kind = "text";
  square.text = "def loss(output: Tensor) -> Tensor:\n    return output.square().mean()\n";
  square.weight = 0.25;
  config.losses = {wire::LossConfig{}, square};
  const auto training = train::set_up(config);
  const batches::Batch batch = training->data->peek(0);
  const std::array<graph::SiteHook*, 1> hooks{&training->autocast};
  train::BatchPass pass(*training, training->autocast, batch, hooks);
  const at::Tensor entropy = pass.loss(0);
  const at::Tensor mean = pass.loss(1);
  QVERIFY(pass.add(0, entropy).equal(entropy.div(2)));
  QVERIFY(pass.add(1, mean).equal(mean.div(2)));
  const std::vector<at::Tensor> sums = pass.finish();
  QCOMPARE(sums.size(), std::size_t{1});
  QVERIFY(sums[0].equal(entropy.div(2).add(mean.div(2).mul(0.25))));
  QVERIFY(pass.output().isNone());
}

BINADE_SUITE(TestTrainingStateGuard);
#include "tst_training_state_guard.moc"
