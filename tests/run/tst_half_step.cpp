// SPDX-License-Identifier: Apache-2.0
// Steps that fail half-way, and what is kept of a run then.
#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/files/safetensors.h"
#include "engine/formats/error.h"
#include "engine/run/run_loop.h"
#include "engine/run/trainer.h"
#include "engine/train/model_state.h"
#include "tests/run/small_run.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/suite.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/optim/adam.h>
#include <torch/optim/sgd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>

using namespace binade;
using test::firstDifference;
using test::folder;
using test::Listening;
using test::runToEnd;
using test::smallRun;

namespace {

/// One of LibTorch's optimizers that finds no memory in the middle of one of its steps.
template <class Base, class Options>
class WithoutMemory : public Base {
 public:
  WithoutMemory(const train::NamedTensors& parameters, const Options& options, int step, int allocation)
      : Base(tensors(parameters), options), step_(step), allocation_(allocation) {}

  at::Tensor step(torch::optim::Optimizer::LossClosure closure) override {
    if (steps_++ == step_) test::FailingAllocator::instance().fail_after(allocation_);
    return Base::step(std::move(closure));
  }

 private:
  static std::vector<at::Tensor> tensors(const train::NamedTensors& parameters) {
    std::vector<at::Tensor> all;
    for (const auto& [name, tensor] : parameters) all.push_back(tensor);
    return all;
  }

  const int step_;
  const int allocation_;
  int steps_ = 0;
};

void plant(train::Training& training, int step, int allocation) {
  const wire::OptimizerConfig& config = training.config.optimizer;
  if (config.kind == "adam") {
    using Options = torch::optim::AdamOptions;
    training.optimizer = std::make_unique<WithoutMemory<torch::optim::Adam, Options>>(
        training.trainable, Options(config.learning_rate), step, allocation);
  } else {
    using Options = torch::optim::SGDOptions;
    training.optimizer = std::make_unique<WithoutMemory<torch::optim::SGD, Options>>(
        training.trainable, Options(config.learning_rate).momentum(config.momentum), step, allocation);
  }
}

/// A run whose first steps are all taken: no loss scale comes down.
wire::RunConfig plainRun(std::int64_t steps, const std::string& kind) {
  wire::RunConfig config = smallRun(steps);
  config.scaler.init_scale = 16;
  config.optimizer.kind = kind;
  config.optimizer.learning_rate = 0.01;
  config.observe.level = "off";
  return config;
}

test::Tensors parametersOf(const train::Training& training) {
  test::Tensors all;
  for (const auto& [name, tensor] : training.trainable) all.emplace_back(name, tensor.detach().clone());
  return all;
}

}  // namespace

class TestHalfStep : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() { test::FailingAllocator::instance().disarm(); }
  void memoryThatEndsInTheOptimizerEndsTheRun_data();
  void memoryThatEndsInTheOptimizerEndsTheRun();
  void withoutACheckpointItSaysWhatToDo();
  void anOptimizerThatFailsOtherwiseEndsTheRunToo();
  void anUndoneStepGivesAttributesBack();
  void aListenerThatFailsLosesNoStep();
  void aDivergedStepIsKeptOnce();
};

void TestHalfStep::memoryThatEndsInTheOptimizerEndsTheRun_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<int>("step");
  QTest::addColumn<int>("allocation");
  QTest::addColumn<int>("kept");
  QTest::newRow("momentum, made in the first step") << "sgd" << 0 << 2 << 0;
  QTest::newRow("what Adam needs in every step") << "adam" << 5 << 3 << 4;
}

void TestHalfStep::memoryThatEndsInTheOptimizerEndsTheRun() {
  QFETCH(const QString, kind);
  QFETCH(const int, step);
  QFETCH(const int, allocation);
  QFETCH(const int, kept);
  wire::RunConfig config = plainRun(8, kind.toStdString());
  config.checkpoint = {folder() + "/straight", 2, 5};
  Listening straight;
  const auto whole = runToEnd(config, straight);

  config.checkpoint.folder = folder() + "/failing";
  const auto training = train::set_up(config);
  const test::Tensors before = parametersOf(*training);
  plant(*training, step, allocation);
  Listening heard;
  const std::string first = checkpoint::CheckpointFolder(config.checkpoint, {}).file_for("step", 0, 0);
  if (kept == 0) checkpoint::save_checkpoint(*training, 0, "step", first);
  std::optional<checkpoint::CheckpointFolder> kept_in(std::in_place, config.checkpoint, first);
  run::Control control;
  heard.at_state = [&](const wire::StateChanged& change) {
    if (change.state == wire::RunState::kPaused) control.stop();  // it must not: there is nothing to go on from
  };
  const wire::Finished finished = run::RunLoop(*training, *kept_in, 0, heard, control).run();

  QVERIFY2(!test::FailingAllocator::instance().disarm(), "memory did not end");
  QCOMPARE(finished.outcome, wire::Outcome::kFailed);
  QCOMPARE(finished.steps, std::int64_t{step});
  QCOMPARE(heard.steps.size(), static_cast<std::size_t>(step));
  if (step == 0) {  // that the plant did what it is there for
    const test::Tensors after = parametersOf(*training);
    QVERIFY(!after.front().second.equal(before.front().second));
    QVERIFY(after.back().second.equal(before.back().second));
  }
  const std::string says = "Memory ran out in the middle of the optimizer's step " + std::to_string(step);
  QVERIFY2(finished.message.starts_with(says), finished.message.c_str());
  const std::string last = kept_in->file_for("step", kept, 0);
  QVERIFY2(finished.hint.find("Resume from " + last) != std::string::npos, finished.hint.c_str());
  QCOMPARE(heard.events.size(), std::size_t{1});
  QVERIFY(heard.events.front().kind == wire::Event::Kind::kOutOfMemory);

  // Nothing is kept of it, by whatever way.
  QCOMPARE(checkpoint::CheckpointFolder::files_in(config.checkpoint.folder).back(), last);
  QVERIFY_THROWS_EXCEPTION(Error,
                           checkpoint::save_checkpoint(*training, step, "request", folder() + "/request.safetensors"));
  QVERIFY(!std::filesystem::exists(folder() + "/request.safetensors"));
  // The last checkpoint is whole, and what follows from it is the run without the failure.
  checkpoint::load_checkpoint(*training, last);
  QVERIFY(training->whole);
  config.resume = last;
  kept_in.reset();  // as with the engine that failed
  Listening resumed;
  const auto rest = runToEnd(config, resumed);
  QCOMPARE(firstDifference(rest.tensors, whole.tensors), std::string());
}

void TestHalfStep::withoutACheckpointItSaysWhatToDo() {
  const auto training = train::set_up(plainRun(8, "sgd"));
  plant(*training, 0, 2);
  checkpoint::CheckpointFolder none({}, {});
  Listening heard;
  run::Control control(/*attended=*/false);
  const wire::Finished finished = run::RunLoop(*training, none, 0, heard, control).run();
  QCOMPARE(finished.outcome, wire::Outcome::kFailed);
  QVERIFY2(finished.hint.starts_with("Start it again, with a smaller batch."), finished.hint.c_str());
  QVERIFY(heard.checkpoints.empty());
}

void TestHalfStep::anOptimizerThatFailsOtherwiseEndsTheRunToo() {
  struct Failing : torch::optim::SGD {
    using SGD::SGD;
    at::Tensor step(LossClosure closure) override {
      SGD::step(std::move(closure));
      throw std::runtime_error("the device is gone");
    }
  };
  wire::RunConfig config = plainRun(4, "sgd");
  config.checkpoint = {folder(), 1, 5};
  const auto training = train::set_up(config);
  std::vector<at::Tensor> parameters;
  for (const auto& [name, tensor] : training->trainable) parameters.push_back(tensor);
  training->optimizer = std::make_unique<Failing>(parameters, torch::optim::SGDOptions(0.01));
  checkpoint::CheckpointFolder checkpoints(config.checkpoint, {});
  Listening heard;
  run::Control control;
  const wire::Finished finished = run::RunLoop(*training, checkpoints, 0, heard, control).run();
  QVERIFY2(finished.message.starts_with("Step 0: the device is gone. The optimizer was in the middle of its step"),
           finished.message.c_str());
  QVERIFY(heard.events.empty());
  QVERIFY(checkpoint::CheckpointFolder::files_in(config.checkpoint.folder).empty());
}

void TestHalfStep::anUndoneStepGivesAttributesBack() {
  torch::jit::Module module("__torch__.Counter");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_attribute("calls", c10::IntType::get(), 0);
  module.register_parameter("weight", at::ones({4, 8}).requires_grad_(true), false);
  module.define(
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    if self.training:\n"
      "        self.calls = self.calls + 1\n"
      "    if self.calls == 3:\n"
      "        x = x + torch.zeros([1000000, 1000000, 1000])[0, 0, 0]\n"
      "    return torch.linear(x, self.weight)\n");
  wire::RunConfig config = smallRun(6);
  config.model = folder() + "/counter.pt";
  module.save(config.model);
  config.data.inputs = {"float32[16,8]"};
  config.data.classes = 4;
  Listening heard;
  run::Trainer trainer(config, heard);
  run::Control control(/*attended=*/false);
  QCOMPARE(trainer.run(control).outcome, wire::Outcome::kFailed);
  QCOMPARE(heard.steps.size(), std::size_t{2});
  QCOMPARE(train::model_attributes(trainer.model()).dump(), std::string(R"({"calls":2})"));
}

void TestHalfStep::aListenerThatFailsLosesNoStep() {
  wire::RunConfig config = plainRun(6, "adam");
  Listening straight;
  const auto whole = runToEnd(config, straight);
  config.checkpoint = {folder(), 0, 2};
  Listening heard;
  heard.at_step = [](const wire::StepRecord& step) {
    if (step.step == 3) throw std::runtime_error("the disk is gone");
  };
  QCOMPARE(runToEnd(config, heard).finished.outcome, wire::Outcome::kFailed);
  QCOMPARE(heard.checkpoints.size(), std::size_t{1});
  QCOMPARE(heard.checkpoints.front().step, std::int64_t{4});
  config.resume = heard.checkpoints.front().file;
  Listening resumed;
  const auto rest = runToEnd(config, resumed);
  QCOMPARE(resumed.steps.size(), std::size_t{2});
  QCOMPARE(firstDifference(rest.tensors, whole.tensors), std::string());
}

void TestHalfStep::aDivergedStepIsKeptOnce() {
  wire::RunConfig config = smallRun(20);
  config.model = test::saveModel(folder(),
                                 "def forward(self, x: Tensor) -> Tensor:\n"
                                 "    y = torch.linear(x, self.weight, self.bias)\n"
                                 "    return y * 3e38 * 3e38 if self.training else y\n");
  config.data.inputs = {"float32[6,8]"};
  config.data.classes = 4;
  config.diverged_after = 4;
  config.checkpoint = {folder() + "/kept", 2, 9};
  run::Control control;
  Listening heard;
  heard.at_state = [&](const wire::StateChanged& change) {
    if (change.state == wire::RunState::kPaused) control.stop();
  };
  runToEnd(config, heard, control);
  std::vector<std::int64_t> steps;
  for (const wire::CheckpointInfo& each : heard.checkpoints) steps.push_back(each.step);
  QCOMPARE(steps, (std::vector<std::int64_t>{2, 4}));
}

BINADE_SUITE(TestHalfStep);
#include "tst_half_step.moc"
