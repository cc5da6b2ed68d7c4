// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint.h"
#include "engine/files/safetensors.h"
#include "engine/formats/error.h"
#include "engine/graph/model.h"
#include "engine/run/step.h"
#include "engine/run/trainer.h"
#include "engine/train/kept_attributes.h"
#include "engine/train/model_state.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace binade;
using test::firstDifference;
using test::folder;
using test::Listening;
using test::runToEnd;
using test::smallRun;

namespace {

/// Saves a model whose output depends on what its earlier calls left in attributes of every kind: a hidden state that
/// may be None, a list, a dictionary and a tensor that are written in place, a tensor and a buffer that change their
/// shape, a tuple. The weight is taken out of a list, as nn.LSTM does: it must stay the parameter.
std::string statefulModel() {
  torch::jit::Module module("__torch__.Stateful");
  module.register_attribute("training", c10::BoolType::get(), true);
  const at::Tensor weight = at::linspace(-1, 1, 32).reshape({4, 8}).requires_grad_(true);
  module.register_parameter("weight", weight, false);
  module.register_attribute("weights", c10::ListType::ofTensors(), c10::List<at::Tensor>({weight}));
  module.register_attribute("hidden", c10::OptionalType::ofTensor(), c10::IValue());
  module.register_attribute("last", c10::TensorType::get(), at::zeros({1}));
  module.register_buffer("recent", at::zeros({1}));
  module.register_attribute("tally", c10::TensorType::get(), at::zeros({2}));
  module.register_attribute("seen", c10::ListType::ofInts(), c10::List<std::int64_t>());
  module.register_attribute("by_name", c10::DictType::create(c10::StringType::get(), c10::TensorType::get()),
                            c10::Dict<std::string, at::Tensor>());
  module.register_attribute("place", c10::TupleType::create({c10::IntType::get(), c10::FloatType::get()}),
                            c10::ivalue::Tuple::create(std::vector<c10::IValue>{std::int64_t{0}, 0.5}));
  module.define(R"py(
def forward(self, x: Tensor) -> Tensor:
    y = torch.linear(x, self.weights[0])
    hidden = self.hidden
    if hidden is not None:
        y = y + 0.1 * hidden
    count, factor = self.place
    y = y + factor * self.last.max() - self.recent.min() + 0.01 * (len(self.seen) + count)
    y = y + 0.001 * self.tally.sum()
    if "y" in self.by_name:
        y = y + 0.1 * self.by_name["y"]
    if self.training:
        self.hidden = y.detach()
        self.tally.add_(1)
        self.last = y.detach()[0:2]
        self.recent = y.detach()[0:3]
        self.by_name["y"] = y.detach() * 0.5
        self.seen.append(len(self.seen))
        self.place = (count + 1, -factor)
    return y
)py");
  const std::string file = folder() + "/stateful.pt";
  module.save(file);
  return file;
}

wire::RunConfig statefulRun(std::int64_t steps) {
  wire::RunConfig config = smallRun(steps);
  config.model = statefulModel();
  config.data.inputs = {"float32[16,8]"};
  config.data.classes = 4;
  config.optimizer.learning_rate = 0.01;
  config.observe.level = "off";
  return config;
}

std::string attributesOf(const graph::Model& model) {
  return train::model_attributes(model).dump();
}

}  // namespace

class TestStatefulModels : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatForwardKeepsResumesToTheBit();
  void aSkippedStepLeavesNothingBehind();
  void aReplayLeavesNothingBehind();
  void rewindingTakesBackWhatWasKept();
  void aDamagedAttributeIsNamed();
  void anotherProgramWithTheSameTensorsIsWarnedOf();
  void aTensorWhereAFreedBufferLayIsKeptLikeOthers();
};

void TestStatefulModels::whatForwardKeepsResumesToTheBit() {
  wire::RunConfig config = statefulRun(12);
  config.accumulate = 2;
  config.checkpoint = {folder(), 6, 5};
  Listening straight;
  run::Trainer whole(config, straight);
  run::Control control;
  QCOMPARE(whole.run(control).outcome, wire::Outcome::kCompleted);
  const auto losses = straight.losses();
  QVERIFY(losses[10] != losses[11]);

  config.resume = straight.checkpoints.front().file;
  config.checkpoint = {};
  Listening resumed;
  run::Trainer half(config, resumed);
  run::Control again;
  half.run(again);
  QCOMPARE(resumed.losses(), std::vector<double>(losses.begin() + 6, losses.end()));
  QCOMPARE(attributesOf(half.model()), attributesOf(whole.model()));
  QVERIFY(attributesOf(whole.model()).find("\"place\":[24,0.5]") != std::string::npos);
  QVERIFY(attributesOf(half.model()).find("\"weights\":[{\"own\":\"weight\"}]") != std::string::npos);
  QCOMPARE(firstDifference(train::model_tensors(half.model()), train::model_tensors(whole.model())), std::string());
  const auto kept = train::attribute_tensors(half.model());
  QCOMPARE(kept.size(), std::size_t{4});  // hidden, last, tally, by_name["y"]
  QCOMPARE(firstDifference(kept, train::attribute_tensors(whole.model())), std::string());
}

void TestStatefulModels::aSkippedStepLeavesNothingBehind() {
  wire::RunConfig config = statefulRun(6);
  config.scaler.init_scale = std::ldexp(1.0, 40);
  config.scaler.backoff_factor = std::ldexp(1.0, -10);
  config.keep_buffers = true;
  Listening heard;
  run::Trainer trainer(config, heard);
  run::Control control;
  trainer.run(control);
  const auto stepped = std::count_if(heard.steps.begin(), heard.steps.end(), [](const auto& s) { return s.stepped; });
  QVERIFY2(stepped > 0 && stepped < 6, "some steps must be skipped, and others not");
  const auto attributes = nlohmann::json::parse(attributesOf(trainer.model()));
  QCOMPARE(static_cast<std::ptrdiff_t>(attributes["seen"].size()), stepped);
  QCOMPARE(attributes["place"][0].get<std::ptrdiff_t>(), stepped);
  const auto kept = train::attribute_tensors(trainer.model());
  const auto tally = std::find_if(kept.begin(), kept.end(),
                                  [](const auto& each) { return each.first.find("tally") != std::string::npos; });
  QVERIFY(tally != kept.end());
  QCOMPARE(tally->second[0].item<double>(), static_cast<double>(stepped));
}

void TestStatefulModels::aReplayLeavesNothingBehind() {
  wire::RunConfig config = statefulRun(4);
  config.scaler.init_scale = std::ldexp(1.0, 40);
  config.scaler.backoff_factor = std::ldexp(1.0, -10);
  std::vector<std::string> left;
  for (const bool replays : {true, false}) {
    const auto training = train::set_up(config);
    run::Stepper stepper(*training, replays);
    int explained = 0;
    for (std::int64_t step = 0; step < config.steps; ++step) explained += stepper.run(step).diagnosis.has_value();
    QCOMPARE(explained > 0, replays);
    left.push_back(attributesOf(training->model));
    for (const auto& [name, tensor] : train::attribute_tensors(training->model)) {
      left.back() += name + std::to_string(tensor.to(at::kDouble).sum().item<double>());
    }
  }
  QCOMPARE(left[0], left[1]);
  QVERIFY2(left[0].find("\"seen\":[0,1,2,3]") != std::string::npos, left[0].c_str());
}

void TestStatefulModels::rewindingTakesBackWhatWasKept() {
  const wire::RunConfig config = statefulRun(8);
  const auto training = train::set_up(config);
  run::Stepper stepper(*training);
  std::int64_t step = 0;
  for (; step < 3; ++step) stepper.run(step);
  const std::string file = folder() + "/third.safetensors";
  checkpoint::save_checkpoint(*training, step, "request", file);
  const auto here = [&] { return attributesOf(training->model); };
  const auto tensors = [&] {
    test::Tensors all = train::attribute_tensors(training->model);
    for (auto& each : train::model_tensors(training->model)) all.push_back(std::move(each));
    for (auto& [name, tensor] : all) tensor = tensor.detach().clone();
    return all;
  };
  const std::string then = here();
  const test::Tensors then_tensors = tensors();
  std::vector<double> losses;
  for (int i = 0; i < 3; ++i) losses.push_back(stepper.run(step++).record.loss);
  QVERIFY(here() != then);
  step = checkpoint::load_checkpoint(*training, file).step;
  QCOMPARE(here(), then);
  QCOMPARE(firstDifference(tensors(), then_tensors), std::string());
  for (const double loss : losses) QCOMPARE(stepper.run(step++).record.loss, loss);
}

void TestStatefulModels::aDamagedAttributeIsNamed() {
  const auto training = train::set_up(statefulRun(2));
  run::Stepper stepper(*training);
  stepper.run(0);
  const std::string file = folder() + "/whole.safetensors";
  checkpoint::save_checkpoint(*training, 1, "request", file);
  const files::Safetensors contents = files::read_safetensors(file);
  const std::string before = attributesOf(training->model);
  const std::string damaged = folder() + "/damaged.safetensors";
  const auto refusal = [&](const char* attributes, bool with_tensors) {
    auto metadata = contents.metadata;
    if (attributes != nullptr) metadata["attributes"] = attributes;
    std::vector<std::pair<std::string, at::Tensor>> tensors;
    for (const auto& [name, tensor] : contents.tensors) {
      if (with_tensors || !name.starts_with("attribute.")) tensors.emplace_back(name, tensor);
    }
    files::write_safetensors(damaged, tensors, metadata);
    try {
      checkpoint::load_checkpoint(*training, damaged);
    } catch (const Error& error) {
      return QString::fromUtf8(error.what());
    }
    return QStringLiteral("accepted");
  };
  for (const char* bad : {R"({"seen": 3})", R"({"seen": ["x"]})", R"({"place": [1]})", R"({"by_name": [[1, 2]]})",
                          R"({"weights": [{}]})"}) {
    const QString why = refusal(bad, true);
    QVERIFY2(why.contains(QLatin1String("damaged.safetensors: damaged: the attribute ")), qPrintable(why));
  }
  const QString why = refusal(nullptr, false);
  QVERIFY2(why.contains(QLatin1String("the tensor of the attribute hidden is missing")), qPrintable(why));
  QCOMPARE(attributesOf(training->model), before);
}

void TestStatefulModels::anotherProgramWithTheSameTensorsIsWarnedOf() {
  wire::RunConfig config = statefulRun(2);
  config.model = test::saveModel(
      folder(), "def forward(self, x: Tensor) -> Tensor:\n    return torch.linear(x, self.weight, self.bias)\n");
  config.checkpoint = {folder(), 0, 1};
  Listening heard;
  runToEnd(config, heard);
  config.resume = heard.checkpoints.front().file;
  config.checkpoint = {};
  config.steps = 3;
  const auto warned = [&config] {
    Listening again;
    runToEnd(config, again);
    return std::count_if(again.log.begin(), again.log.end(), [](const std::string& line) {
      return line.find("op calls, but had ") != std::string::npos &&
             line.find("differ from an uninterrupted run") != std::string::npos;
    });
  };
  QCOMPARE(warned(), std::ptrdiff_t{0});
  config.model = test::saveModel(
      folder(), "def forward(self, x: Tensor) -> Tensor:\n    return torch.linear(x, self.weight, self.bias).relu()\n");
  QCOMPARE(warned(), std::ptrdiff_t{1});
}

void TestStatefulModels::aTensorWhereAFreedBufferLayIsKeptLikeOthers() {
  torch::jit::Module module("__torch__.Passing");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_buffer("state", at::zeros({4}));
  module.register_attribute("seen", c10::ListType::ofTensors(), c10::List<at::Tensor>());
  module.define(R"py(
def forward(self, x: Tensor) -> Tensor:
    self.state = x
    self.seen.append(x)
    return x
)py");
  bool freed = false;
  std::array<float, 4> memory{};
  module.setattr("state", at::from_blob(memory.data(), {4}, [&freed](void*) { freed = true; }));
  const train::KeptAttributes kept{graph::Model(module)};
  module.setattr("state", at::zeros({4}));
  QVERIFY(freed);                  // what is only compared with is not held
  std::vector<at::Tensor> others;  // one of which the allocator puts where the buffer's was
  for (int i = 0; i < 200; ++i) others.push_back(at::zeros({4}));
  module.setattr("seen", c10::List<at::Tensor>(others));
  const auto values = kept.now();
  for (const at::Tensor& each : others) each.add_(1);
  kept.put(values);
  for (const at::Tensor& each : others) QVERIFY(each.eq(0).all().item<bool>());
}

BINADE_SUITE(TestStatefulModels);
#include "tst_stateful_models.moc"
