// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/cast_model.h"
#include "engine/autocast/cast_values.h"
#include "engine/graph/samples.h"
#include "tests/apex/gather.h"
#include "tests/support/suite.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/instancenorm.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>
#include <torch/nn/modules/rnn.h>
#include <torch/optim/sgd.h>

using namespace binade;
using autocast::cast_value;

namespace {

torch::nn::Sequential network() {
  using namespace torch::nn;
  return Sequential(Conv2d(Conv2dOptions(3, 4, 3)), BatchNorm2d(4), BatchNorm2d(BatchNorm2dOptions(4).affine(false)),
                    InstanceNorm2d(InstanceNorm2dOptions(4).affine(true).track_running_stats(true)),
                    GroupNorm(GroupNormOptions(2, 4)), Linear(4, 2));
}

/// A batch class of one's own.
struct Batch {
  at::Tensor images;
  int count = 0;
  Batch to(at::ScalarType dtype) const { return {images.to(dtype), count}; }
};

}  // namespace

// Whole models, their inputs and outputs, in another dtype.
class TestModelCast : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everythingFloatingIsCast();
  void batchNormsAreKeptWhereAsked();
  void theOptimizerGoesOnWithTheSameTensors();
  void recurrentLayersStillRun();
  void torchScriptModulesAreCastAlike();
  void batchNormIsFoundByItsStatisticsToo();
  void halfModelsAreRefusedByName();
  void theStateIsAlwaysFloat32();
  void badStatesAreRefusedByName();
  void containersAreWalked();
  void torchScriptValuesAreWalked();
  void objectsThatKnowToAreAsked();
};

void TestModelCast::everythingFloatingIsCast() {
  auto model = network();
  autocast::cast_model(*model, {at::kHalf, false});
  QVERIFY(!model->parameters().empty() && !model->buffers().empty());
  for (const auto& entry : model->named_parameters())
    QVERIFY2(entry.value().scalar_type() == at::kHalf, entry.key().c_str());
  for (const auto& entry : model->named_buffers()) {
    const auto expected = entry.key().find("num_batches") == std::string::npos ? at::kHalf : at::kLong;
    QVERIFY2(entry.value().scalar_type() == expected, entry.key().c_str());
  }
  autocast::cast_model(*model, {at::kFloat, false});
  for (const at::Tensor& parameter : model->parameters()) QVERIFY(parameter.scalar_type() == at::kFloat);
}

void TestModelCast::batchNormsAreKeptWhereAsked() {
  auto model = network();
  autocast::cast_model(*model, {at::kHalf, true});
  QVERIFY(model->named_parameters()["1.weight"].scalar_type() == at::kFloat);
  QVERIFY(model->named_parameters()["0.weight"].scalar_type() == at::kHalf);
  QVERIFY(!model->buffers().empty());
  for (const auto& entry : model->named_parameters()) {
    const bool kept = entry.key().starts_with("1.");
    QVERIFY2(entry.value().scalar_type() == (kept ? at::kFloat : at::kHalf), entry.key().c_str());
  }
  for (const auto& entry : model->named_buffers()) {
    // The second batch norm has no weights; its statistics stay float32 all the same. Instance norm is none.
    const bool kept = entry.key().starts_with("1.") || entry.key().starts_with("2.");
    if (entry.key().find("num_batches") != std::string::npos) continue;
    QVERIFY2(entry.value().scalar_type() == (kept ? at::kFloat : at::kHalf), entry.key().c_str());
  }
}

void TestModelCast::theOptimizerGoesOnWithTheSameTensors() {
  torch::nn::Linear model(2, 1);
  const at::Tensor before = model->weight;
  torch::optim::SGD sgd(model->parameters(), 1.0);
  model->weight.mutable_grad() = torch::ones_like(model->weight);
  autocast::cast_model(*model, {at::kHalf, false});
  QVERIFY(model->weight.is_same(before));
  QVERIFY(model->weight.grad().scalar_type() == at::kHalf);
  const at::Tensor old = model->weight.detach().clone();
  sgd.step();
  QVERIFY(model->weight.equal(old - 1));
  // Backward writes gradients of the new dtype.
  model->zero_grad();
  model->forward(torch::ones({1, 2}, at::kHalf)).sum().backward();
  QVERIFY(model->weight.grad().scalar_type() == at::kHalf);
}

void TestModelCast::recurrentLayersStillRun() {
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(4, 3).num_layers(2));
  autocast::cast_model(*lstm, {at::kBFloat16, true});
  const auto [output, state] = lstm->forward(torch::ones({5, 1, 4}, at::kBFloat16));
  QVERIFY(output.scalar_type() == at::kBFloat16);
  output.sum().backward();
  QVERIFY(lstm->named_parameters()["weight_ih_l0"].grad().scalar_type() == at::kBFloat16);
}

void TestModelCast::torchScriptModulesAreCastAlike() {
  const graph::Model model = graph::make_sample("resnet", 1);
  int kept = 0;
  autocast::cast_model(model, {at::kHalf, true});
  const auto check = [&](const std::string& name, const at::Tensor& tensor) {
    const bool norm = name.find("bn") != std::string::npos || name.find("norm") != std::string::npos ||
                      name.find("running") != std::string::npos || name.find("downsample.1") != std::string::npos;
    if (!tensor.is_floating_point()) return tensor.scalar_type() == at::kLong;
    kept += tensor.scalar_type() == at::kFloat ? 1 : 0;
    return tensor.scalar_type() == (norm ? at::kFloat : at::kHalf);
  };
  for (const auto& [name, tensor] : model.parameters()) QVERIFY2(check(name, tensor), name.c_str());
  for (const auto& [name, tensor] : model.buffers()) QVERIFY2(check(name, tensor), name.c_str());
  QVERIFY(kept > 0);
}

void TestModelCast::batchNormIsFoundByItsStatisticsToo() {
  const auto make = [](const char* name) {
    torch::jit::Module module(name);
    module.register_buffer("running_mean", torch::zeros({2}));
    module.register_buffer("running_var", torch::ones({2}));
    return module;
  };
  const torch::jit::Module own = make("MyNorm");  // a subclass of somebody's
  autocast::cast_model(own, {at::kHalf, true});
  QVERIFY(own.attr("running_mean").toTensor().scalar_type() == at::kFloat);
  const torch::jit::Module instance = make("InstanceNorm1d");
  autocast::cast_model(instance, {at::kHalf, true});
  QVERIFY(instance.attr("running_mean").toTensor().scalar_type() == at::kHalf);
}

void TestModelCast::halfModelsAreRefusedByName() {
  auto model = network();
  autocast::require_float32(*model);
  model[5]->to(at::kHalf);
  QVERIFY(test::errorOf([&] {
            autocast::require_float32(*model);
          }).startsWith("Found parameter 5.weight with type Half, expected Float | There is no need to call half()"));
  auto norm = torch::nn::Sequential(torch::nn::BatchNorm1d(torch::nn::BatchNorm1dOptions(2).affine(false)));
  norm->to(at::kHalf);
  QVERIFY(
      test::errorOf([&] { autocast::require_float32(*norm); }).contains("Found buffer 0.running_mean with type Half"));
  const graph::Model sample = graph::make_sample("mlp", 1);
  sample.module().to(at::kHalf);
  QVERIFY(test::errorOf([&] { autocast::require_float32(sample.module()); }).contains("Found parameter fc1.weight"));
}

void TestModelCast::theStateIsAlwaysFloat32() {
  auto model = network();
  autocast::cast_model(*model, {at::kHalf, true});
  const autocast::State state = autocast::float32_state(*model);
  QCOMPARE(state.size(), model->named_parameters().size() + model->named_buffers().size());
  for (const auto& [name, tensor] : state) {
    QVERIFY2(tensor.scalar_type() == at::kFloat || tensor.scalar_type() == at::kLong, name.c_str());
  }
  // The model itself is as it was, and takes the state of another one, rounded.
  QVERIFY(model->parameters()[0].scalar_type() == at::kHalf);
  auto other = network();
  autocast::cast_model(*other, {at::kHalf, true});
  autocast::load_state(*other, state);
  for (std::size_t i = 0; i < model->parameters().size(); ++i) {
    QVERIFY(other->parameters()[i].equal(model->parameters()[i]));
  }
  auto plain = network();
  autocast::load_state(*plain, state);
  QVERIFY(plain->parameters()[0].scalar_type() == at::kFloat);
  QVERIFY(plain->parameters()[0].equal(model->parameters()[0].to(at::kFloat)));
}

void TestModelCast::badStatesAreRefusedByName() {
  torch::nn::Linear model(2, 3);
  const at::Tensor before = model->weight.detach().clone();
  autocast::State state = autocast::float32_state(*model);
  for (auto& [name, tensor] : state) tensor = tensor + 1;
  autocast::State missing = state;
  missing.pop_back();
  QVERIFY(test::errorOf([&] { autocast::load_state(*model, missing); }).startsWith("The state has no tensor bias"));
  autocast::State more = state;
  more.emplace_back("extra", torch::zeros({1}));
  QVERIFY(test::errorOf([&] { autocast::load_state(*model, more); }).startsWith("The model has no tensor extra"));
  autocast::State shape = state;
  shape.back().second = torch::zeros({4});
  QVERIFY(test::errorOf([&] { autocast::load_state(*model, shape); }).startsWith("bias: the state has the shape [4]"));
  QVERIFY(model->weight.equal(before));
}

void TestModelCast::containersAreWalked() {
  const at::Tensor x = torch::ones({2});
  const at::Tensor index = torch::ones({2}, at::kLong);
  QVERIFY(cast_value(x, at::kHalf).scalar_type() == at::kHalf);
  QVERIFY(cast_value(index, at::kHalf).is_same(index));
  QVERIFY(!cast_value(at::Tensor(), at::kHalf).defined());
  using Deep = std::map<std::string, std::vector<std::tuple<at::Tensor, int, std::optional<at::Tensor>>>>;
  const Deep deep = cast_value(Deep{{"a", {{x, 7, x}, {index, 8, std::nullopt}}}}, at::kHalf);
  QVERIFY(std::get<0>(deep.at("a")[0]).scalar_type() == at::kHalf);
  QCOMPARE(std::get<1>(deep.at("a")[0]), 7);
  QVERIFY(std::get<2>(deep.at("a")[0])->scalar_type() == at::kHalf);
  QVERIFY(std::get<0>(deep.at("a")[1]).is_same(index));
  QCOMPARE(cast_value(std::string("text"), at::kHalf), std::string("text"));
  QCOMPARE(cast_value(3, at::kHalf), 3);
  const auto pair = cast_value(std::pair(x, std::array<at::Tensor, 2>{x, index}), at::kHalf);
  QVERIFY(pair.first.scalar_type() == at::kHalf && pair.second[0].scalar_type() == at::kHalf);
  // What is cast has a history: gradients come back in the input's dtype.
  const at::Tensor leaf = torch::ones({2}).requires_grad_(true);
  cast_value(leaf, at::kHalf).sum().backward();
  QVERIFY(leaf.grad().scalar_type() == at::kFloat);
}

void TestModelCast::torchScriptValuesAreWalked() {
  const at::Tensor x = torch::ones({2});
  c10::Dict<std::string, at::Tensor> dict;
  dict.insert("x", x);
  const auto type = c10::TupleType::createNamed("Out", std::vector<std::string>{"logits", "n"},
                                                std::vector<c10::TypePtr>{c10::TensorType::get(), c10::IntType::get()});
  const c10::IValue named = c10::ivalue::Tuple::createNamed({x, 3}, type);
  const c10::IValue value = c10::ivalue::Tuple::create(
      {dict, std::vector<at::Tensor>{x, x}, named, "text", std::vector<std::int64_t>{1, 2}, c10::IValue(), 2.5});
  const c10::IValue cast = cast_value(value, at::kHalf);
  const std::vector<c10::IValue> parts = cast.toTuple()->elements().vec();  // GCC 12 misjudges the inline elements
  QVERIFY(parts[0].toGenericDict().at("x").toTensor().scalar_type() == at::kHalf);
  QVERIFY(parts[1].isTensorList() && parts[1].toTensorVector()[1].scalar_type() == at::kHalf);
  QCOMPARE(parts[2].toTuple()->type<c10::TupleType>()->name()->name(), std::string("Out"));
  QVERIFY(parts[2].toTuple()->elements()[0].toTensor().scalar_type() == at::kHalf);
  QCOMPARE(parts[2].toTuple()->elements()[1].toInt(), std::int64_t{3});
  QCOMPARE(parts[3].toStringRef(), std::string("text"));
  QVERIFY(parts[4].isIntList() && parts[5].isNone() && parts[6].toDouble() == 2.5);
  QVERIFY(x.scalar_type() == at::kFloat && dict.at("x").scalar_type() == at::kFloat);  // the caller's stay
}

void TestModelCast::objectsThatKnowToAreAsked() {
  const Batch batch = cast_value(Batch{torch::ones({2}), 5}, at::kHalf);
  QVERIFY(batch.images.scalar_type() == at::kHalf);
  QCOMPARE(batch.count, 5);
  const auto batches = cast_value(std::vector<Batch>{{torch::ones({1}), 1}}, at::kHalf);
  QVERIFY(batches[0].images.scalar_type() == at::kHalf);

  torch::jit::Module scripted("Batch");
  scripted.register_attribute("images", c10::TensorType::get(), torch::ones({2}));
  scripted.define("def to(self, dtype: int):\n    self.images = self.images.to(dtype)\n    return self\n");
  const c10::IValue cast = cast_value(c10::IValue(scripted._ivalue()), at::kHalf);
  QVERIFY(cast.toObject()->getAttr("images").toTensor().scalar_type() == at::kHalf);
}

BINADE_SUITE(TestModelCast);
#include "tst_model_cast.moc"
