// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/files/safetensors.h"
#include "engine/formats/error.h"
#include "engine/graph/model.h"
#include "engine/run/trainer.h"
#include "engine/train/model_state.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <ATen/core/jit_type.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

using namespace binade;
using test::firstDifference;
using test::folder;
using test::Listening;
using test::runToEnd;
using test::smallRun;

namespace {

/// With dropout, accumulation, a growth tracker in mid-window, a skipped step and a schedule.
wire::RunConfig eventful(std::int64_t steps) {
  wire::RunConfig config = smallRun(steps);
  config.data.inputs = {"float32[4,1,28,28]"};
  config.batch = 4;
  config.accumulate = 2;
  config.scaler.init_scale = std::ldexp(1.0, 24);
  config.scaler.growth_interval = 4;
  config.schedule = {"cosine", steps > 3 ? 3 : 0, 0, 0.1, 0.01};
  config.clip.norm = 5;
  config.observe.level = "off";
  return config;
}

std::string refusalOf(const wire::RunConfig& config) {
  Listening heard;
  try {
    run::Trainer trainer(config, heard);
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("no Error but ") + error.what();
  }
  return "accepted";
}

/// A model that counts its calls and uses the count, and holds an infinity.
torch::jit::Module counter() {
  torch::jit::Module module("__torch__.Counter");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_attribute("calls", c10::IntType::get(), 0);
  module.register_attribute("fill", c10::FloatType::get(), -std::numeric_limits<double>::infinity());
  module.register_attribute("name", c10::StringType::get(), std::string("\xffx"));
  module.register_parameter("weight", at::ones({4, 8}).requires_grad_(true), false);
  module.define(
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    self.calls = self.calls + 1\n"
      "    return torch.linear(x, self.weight).masked_fill(x.isnan().any(), self.fill) * self.calls\n");
  return module;
}

}  // namespace

class TestCheckpoint : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void resumingGoesOnToTheBit_data();
  void resumingGoesOnToTheBit();
  void savingChangesNothing();
  void aCheckpointHoldsEverything();
  void theLastOnesAreKept();
  void anotherModelsDifferencesAreListed();
  void anotherOptimizerIsRefused();
  void anotherLevelIsWarnedOf();
  void aTruncatedOneIsRefused();
  void weightsAreNoCheckpoint();
  void aFolderOfAnotherRunIsNotTaken();
  void aFolderIsResumedFromItsNewest();
  void fieldsThatDoNothingAreSaid();
  void anEditKeepsTheStateBeforeIt();
  void rewindingGoesBackToTheBit();
  void aRunThatHasEndedAnswersRequests();
  void plainAttributesAreKept();
  void evaluatingAndComparingCountNoCalls();
  void aScalerGoesOnAsItWasTuned();
};

void TestCheckpoint::resumingGoesOnToTheBit_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<bool>("fused");
  QTest::addColumn<QString>("base");
  const QString lists = QStringLiteral("cuda-amp");
  for (const char* kind : {"sgd", "adam", "adamw", "rmsprop", "adagrad"}) {
    QTest::newRow(kind) << QString(kind) << false << lists;
  }
  for (const char* kind : {"sgd", "adam", "adamw"}) QTest::addRow("%s, fused", kind) << QString(kind) << true << lists;
  for (const char* base : {"apex-o0", "apex-o1", "apex-o2"}) {
    QTest::addRow("adam, %s", base) << QStringLiteral("adam") << false << QString(base);
  }
}

void TestCheckpoint::resumingGoesOnToTheBit() {
  QFETCH(const QString, kind);
  QFETCH(const bool, fused);
  wire::RunConfig config = eventful(18);
  config.optimizer.kind = kind.toStdString();
  config.optimizer.fused = fused;
  config.optimizer.learning_rate = 0.003;
  config.optimizer.amsgrad = kind.startsWith(QStringLiteral("adam"));
  config.optimizer.centered = true;
  QFETCH(const QString, base);
  config.policy = policy::parse_policy("{\"binade_policy\": 1, \"base\": \"" + base.toStdString() + "\"}", "test");
  config.policy.execution = policy::Execution::kEmulated;
  config.checkpoint = {folder(), 9, 5};
  Listening straight;
  const auto whole = runToEnd(config, straight);
  QCOMPARE(straight.checkpoints.size(), std::size_t{2});
  QVERIFY(straight.steps[0].found_inf == (base != QStringLiteral("apex-o0")));
  QVERIFY2(straight.steps[8].stepped && straight.steps[17].stepped, "something must have been learned on both sides");
  config.resume = straight.checkpoints[0].file;
  config.checkpoint = {};
  Listening resumed;
  const auto half = runToEnd(config, resumed);
  QCOMPARE(resumed.steps.size(), std::size_t{9});
  QCOMPARE(resumed.steps.front().step, std::int64_t{9});
  const auto losses = straight.losses();
  QCOMPARE(resumed.losses(), std::vector<double>(losses.begin() + 9, losses.end()));
  for (std::size_t i = 0; i < 9; ++i) {
    QCOMPARE(resumed.steps[i].scale, straight.steps[i + 9].scale);
    QCOMPARE(resumed.steps[i].learning_rate, straight.steps[i + 9].learning_rate);
  }
  QCOMPARE(firstDifference(whole.tensors, half.tensors), std::string());
  QVERIFY(std::none_of(resumed.log.begin(), resumed.log.end(),
                       [](const std::string& line) { return line.find("to the bit") != std::string::npos; }));
}

void TestCheckpoint::savingChangesNothing() {
  wire::RunConfig config = eventful(8);
  Listening without;
  const auto plain = runToEnd(config, without);
  config.checkpoint = {folder(), 1, 2};
  Listening with;
  const auto saved = runToEnd(config, with);
  QCOMPARE(with.losses(), without.losses());
  QCOMPARE(firstDifference(plain.tensors, saved.tensors), std::string());
}

void TestCheckpoint::aCheckpointHoldsEverything() {
  wire::RunConfig config = eventful(12);
  config.checkpoint = {folder(), 0, 3};
  Listening heard;
  const auto done = runToEnd(config, heard);
  QVERIFY(std::any_of(heard.steps.begin(), heard.steps.end(), [](const auto& step) { return step.stepped; }));
  QCOMPARE(heard.checkpoints.size(), std::size_t{1});
  const wire::CheckpointInfo& info = heard.checkpoints.front();
  QCOMPARE(info.step, std::int64_t{12});
  QCOMPARE(info.reason, std::string("end"));
  QVERIFY(checkpoint::inspect_checkpoint(info.file) == info);
  const auto contents = files::read_safetensors(info.file);
  QVERIFY(!done.tensors.empty());
  for (const auto& [name, tensor] : done.tensors) QVERIFY(contents.tensors.at("model." + name).equal(tensor));
  QVERIFY(contents.tensors.contains("random.cpu"));
  QVERIFY(std::any_of(contents.tensors.begin(), contents.tensors.end(), [](const auto& entry) {
    return entry.first.starts_with("optimizer.") && entry.first.ends_with(".momentum_buffer");
  }));
  for (const char* key : {"run", "policy", "scalers", "data", "optimizer", "step", "libtorch"}) {
    QVERIFY2(contents.metadata.contains(key), key);
  }
  QVERIFY(wire::parse_run(contents.metadata.at("run"), "run", "") == config);
  QVERIFY(contents.metadata.at("data").find("\"cursor\":24") != std::string::npos);  // two batches a step
}

void TestCheckpoint::theLastOnesAreKept() {
  wire::RunConfig config = eventful(7);
  config.checkpoint = {folder(), 2, 2};
  Listening heard;
  runToEnd(config, heard);
  QCOMPARE(heard.checkpoints.size(), std::size_t{4});
  const auto files = checkpoint::CheckpointFolder::files_in(config.checkpoint.folder);
  QCOMPARE(files, (std::vector<std::string>{heard.checkpoints[2].file, heard.checkpoints[3].file}));
  std::size_t others = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(config.checkpoint.folder)) ++others;
  QCOMPARE(others, std::size_t{2});  // no temporary file is left
}

void TestCheckpoint::anotherModelsDifferencesAreListed() {
  wire::RunConfig config = eventful(1);
  config.checkpoint = {folder(), 0, 1};
  Listening heard;
  runToEnd(config, heard);
  wire::RunConfig other = smallRun(1);
  other.model = test::saveModel(folder(),
                                "def forward(self, x: Tensor) -> Tensor:\n"
                                "    return torch.linear(x, self.weight, self.bias)\n");
  other.data.inputs = {"float32[16,8]"};
  other.data.classes = 4;
  other.resume = heard.checkpoints.front().file;
  const std::string why = refusalOf(other);
  QVERIFY2(why.find("a checkpoint of another model (sample:mlp): ") != std::string::npos, why.c_str());
  QVERIFY2(why.find("\n  weight is missing; the model has float32[4,8]") != std::string::npos, why.c_str());
  const auto contents = files::read_safetensors(other.resume);
  for (const auto& [name, tensor] : contents.tensors) {
    if (!name.starts_with("model.")) continue;
    QVERIFY2(why.find("\n  " + name.substr(6) + ", ") != std::string::npos, name.c_str());
  }
}

void TestCheckpoint::anotherOptimizerIsRefused() {
  wire::RunConfig config = eventful(1);
  config.checkpoint = {folder(), 0, 1};
  Listening heard;
  runToEnd(config, heard);
  config.checkpoint = {};
  config.resume = heard.checkpoints.front().file;
  config.optimizer.kind = "adam";
  const std::string why = refusalOf(config);
  QVERIFY2(why.ends_with("its optimizer is sgd, but this run uses adam"), why.c_str());
}

void TestCheckpoint::anotherLevelIsWarnedOf() {
  wire::RunConfig config = eventful(1);
  config.policy.base = policy::Base::kApexO1;
  config.checkpoint = {folder(), 0, 1};
  Listening heard;
  runToEnd(config, heard);
  config.resume = heard.checkpoints.front().file;
  config.checkpoint = {};
  config.steps = 2;
  Listening same;
  runToEnd(config, same);
  const auto warned = [](const Listening& of) {
    return std::count_if(of.log.begin(), of.log.end(), [](const std::string& line) {
      return line.find("is in force, and not") != std::string::npos;
    });
  };
  QCOMPARE(warned(same), std::ptrdiff_t{0});
  config.policy.base = policy::Base::kCudaAmp;
  Listening other;
  runToEnd(config, other);
  QCOMPARE(warned(other), std::ptrdiff_t{1});
  QVERIFY(other.started.front().policy.policy.base == policy::Base::kApexO1);
}

void TestCheckpoint::aTruncatedOneIsRefused() {
  wire::RunConfig config = eventful(1);
  config.checkpoint = {folder(), 0, 1};
  Listening heard;
  runToEnd(config, heard);
  const std::string file = heard.checkpoints.front().file;
  const auto size = std::filesystem::file_size(file);
  config.checkpoint = {};
  config.resume = folder() + "/cut.safetensors";
  for (const auto bytes : {size - 1, size / 2, std::uintmax_t{100}, std::uintmax_t{7}, std::uintmax_t{0}}) {
    std::filesystem::copy_file(file, config.resume, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(config.resume, bytes);
    const std::string why = refusalOf(config);
    QVERIFY2(why.find(config.resume) != std::string::npos, why.c_str());
  }
}

void TestCheckpoint::weightsAreNoCheckpoint() {
  wire::RunConfig config = eventful(1);
  config.resume = folder() + "/weights.safetensors";
  files::write_safetensors(config.resume, {{"weight", at::ones({2})}});
  const std::string why = refusalOf(config);
  QVERIFY2(why.find("not a checkpoint of a run") != std::string::npos, why.c_str());
}

void TestCheckpoint::aFolderOfAnotherRunIsNotTaken() {
  wire::RunConfig config = eventful(1);
  config.checkpoint = {folder(), 0, 1};
  Listening heard;
  runToEnd(config, heard);
  const std::string why = refusalOf(config);
  QVERIFY2(why.find("contains checkpoints of another run, up to step-00000001.safetensors") != std::string::npos,
           why.c_str());
  config.resume = heard.checkpoints.front().file;
  config.steps = 2;
  QCOMPARE(refusalOf(config), std::string("accepted"));
}

void TestCheckpoint::aFolderIsResumedFromItsNewest() {
  wire::RunConfig config = eventful(4);
  config.checkpoint = {folder(), 2, 5};
  Listening first;
  runToEnd(config, first);
  config.resume = config.checkpoint.folder;
  config.optimizer.learning_rate = 0.5;
  config.steps = 4;
  Listening again;
  const auto done = runToEnd(config, again);
  QCOMPARE(done.finished.steps, 4);
  QVERIFY(again.steps.empty());
  QCOMPARE(again.started.front().config.resume, first.checkpoints.back().file);
  const auto said = [&](const std::string& words) {
    return std::any_of(again.log.begin(), again.log.end(),
                       [&](const std::string& line) { return line.find(words) != std::string::npos; });
  };
  QVERIFY(said("nothing is left to do"));
  QVERIFY(said("optimizer.learning_rate is 0.5, but was "));
  config.resume = folder() + "/nowhere";
  const std::string why = refusalOf(config);
  QVERIFY2(why.find("nowhere") != std::string::npos && why.find("another run") == std::string::npos, why.c_str());
}

void TestCheckpoint::fieldsThatDoNothingAreSaid() {
  wire::RunConfig config = eventful(1);
  config.optimizer.kind = "adam";
  config.optimizer.momentum = 0.9;
  config.observe.sites = "no.such.module";
  Listening heard;
  runToEnd(config, heard);
  const auto said = [&](const std::string& words) {
    return std::any_of(heard.log.begin(), heard.log.end(),
                       [&](const std::string& line) { return line.find(words) == 0; });
  };
  QVERIFY(said("optimizer.momentum does nothing: adam has none."));
  QVERIFY(said("observe.sites \"no.such.module\" matches no op call"));
  QVERIFY(!said("optimizer.beta1"));
}

void TestCheckpoint::anEditKeepsTheStateBeforeIt() {
  wire::RunConfig config = eventful(6);
  config.checkpoint = {folder(), 0, 2};
  run::Control control;
  Listening heard;
  heard.at_step = [&](const wire::StepRecord& step) {
    wire::PolicySet edit{5, config.policy};
    edit.policy.ops["aten::linear"] = formats::kFloat32;
    if (step.step == 2) control.set_policy(edit);
  };
  runToEnd(config, heard, control);
  QCOMPARE(heard.checkpoints.front().reason, std::string("edit"));
  QCOMPARE(heard.checkpoints.front().step, std::int64_t{3});
  QCOMPARE(heard.checkpoints.front().policy_revision, 0);
  QCOMPARE(heard.checkpoints.back().policy_revision, 5);
}

void TestCheckpoint::rewindingGoesBackToTheBit() {
  wire::RunConfig config = eventful(8);
  config.checkpoint = {folder(), 0, 2};
  Listening unedited;
  const auto straight = runToEnd(config, unedited);

  config.checkpoint.folder = folder() + "/edited";
  run::Control control;
  Listening heard;
  bool rewound = false;
  heard.at_step = [&](const wire::StepRecord& step) {
    wire::PolicySet edit{1, config.policy};
    edit.policy.ops["aten::linear"] = formats::kFloat32;
    if (step.step == 2 && !rewound) control.set_policy(edit);
    if (step.step == 5 && !rewound) {
      rewound = true;
      control.request({.kind = run::Control::FileRequest::Kind::kLoadCheckpoint,
                       .file = heard.checkpoints.front().file,
                       .policy = wire::PolicySet{2, config.policy},
                       .done = {}});
    }
  };
  const auto again = runToEnd(config, heard, control);
  QCOMPARE(heard.rewinds.size(), std::size_t{1});
  QCOMPARE(heard.rewinds.front().step, std::int64_t{3});
  QCOMPARE(heard.policies.back().revision, 2);
  QCOMPARE(heard.steps.size(), std::size_t{6 + 5});
  QVERIFY(heard.losses()[4] != unedited.losses()[4]);
  QCOMPARE(firstDifference(again.tensors, straight.tensors), std::string());
}

void TestCheckpoint::aRunThatHasEndedAnswersRequests() {
  run::Control control;
  Listening heard;
  runToEnd(smallRun(1), heard, control);
  QString why;
  control.request({.kind = run::Control::FileRequest::Kind::kSaveCheckpoint,
                   .file = {},
                   .policy = {},
                   .done = [&](const auto& /*saved*/, std::exception_ptr failed) {
                     try {
                       if (failed) std::rethrow_exception(failed);
                     } catch (const Error& error) {
                       why = QString::fromUtf8(error.what());
                     }
                   }});
  QCOMPARE(why, QStringLiteral("The run has ended"));
}

void TestCheckpoint::plainAttributesAreKept() {
  const graph::Model counted(counter());
  counted.forward({at::ones({2, 8})});
  const auto attributes = nlohmann::json::parse(train::model_attributes(counted).dump());
  // A text that is not UTF-8 too, which JSON does not take.
  QCOMPARE(attributes.dump(), std::string(R"({"calls":1,"fill":"-inf","name":{"bytes":[255,120]}})"));
  std::map<std::string, at::Tensor> tensors;
  for (const auto& [name, tensor] : train::model_tensors(counted)) tensors.emplace(name, tensor.detach().clone());
  counted.forward({at::ones({2, 8})});
  counted.module().setattr("fill", 0.0);
  counted.module().setattr("name", std::string());
  train::load_model_state(counted, tensors, train::read_attributes(counted, attributes, {}));
  QVERIFY(train::model_attributes(counted) == attributes);
}

void TestCheckpoint::evaluatingAndComparingCountNoCalls() {
  wire::RunConfig config = smallRun(4);
  config.model = folder() + "/counter.pt";
  counter().save(config.model);
  config.data.inputs = {"float32[16,8]"};
  config.data.classes = 4;
  Listening without;
  runToEnd(config, without);
  config.evaluate_every = 1;
  Listening with;
  runToEnd(config, with);
  QVERIFY(with.evaluations.size() > without.evaluations.size());
  QCOMPARE(with.losses(), without.losses());
  int compared = 0;
  run::Control control;
  Listening between;
  between.at_step = [&](const wire::StepRecord&) {
    control.compare([&](const auto& result, std::exception_ptr) { compared += result.has_value(); });
  };
  runToEnd(config, between, control);
  QVERIFY(compared >= 3);
  QCOMPARE(between.losses(), without.losses());
}

void TestCheckpoint::aScalerGoesOnAsItWasTuned() {
  wire::RunConfig config = eventful(4);
  config.checkpoint = {folder(), 0, 1};
  wire::ScalerConfig tuned = config.scaler;
  tuned.growth_interval = 7;
  tuned.maximum = 1024;
  tuned.hysteresis = 3;
  run::Control control;
  Listening heard;
  heard.at_step = [&](const wire::StepRecord& step) {
    if (step.step == 1) control.tune(tuned);
  };
  runToEnd(config, heard, control);
  config.checkpoint = {};
  const auto training = train::set_up(config);
  QVERIFY(!(training->scalers.config(0) == tuned));
  checkpoint::load_checkpoint(*training, heard.checkpoints.back().file);
  QVERIFY(training->scalers.config(0) == tuned);
  QCOMPARE(training->scalers[0].options().maximum, 1024.0);
  QCOMPARE(training->scalers[0].options().hysteresis, std::int64_t{3});
}

BINADE_SUITE(TestCheckpoint);
#include "tst_checkpoint.moc"
