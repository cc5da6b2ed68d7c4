// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/grad_scaler.h"
#include "tests/scaler/parameters.h"
#include "tests/support/suite.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/autograd.h>

#include <array>
#include <map>
#include <tuple>
#include <type_traits>

using binade::scaler::GradScaler;
using binade::scaler::Options;
using namespace binade::test;

/// Containers in scale().
class TestOutputs : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatCanBeScaledIsAndNothingElse();
  void containersOfTheLanguageKeepTheirTypes();
  void listsTuplesAndDictsOfTorchScriptKeepTheirTypes();
  void anythingElseIsRefused();
  void emptyContainersMakeNoScale();
  void disabledScalersReturnTheSameTensors();
  void tupleOfOutputsForBackward();
  void gradOutputsForAutogradGrad();
};

namespace {

at::Tensor one(float value) {
  return at::full({1}, value);
}

}  // namespace

void TestOutputs::whatCanBeScaledIsAndNothingElse() {
  GradScaler scaler(Options{.init_scale = 4});
  QCOMPARE(scaler.scale(one(2)).item<float>(), 8.0F);
  // A list of lists and a tuple keep what they are; a scaler that is disabled gives back the very same tensors.
  const std::vector<std::vector<at::Tensor>> nested{{one(1)}, {one(2), one(3)}};
  const auto scaled = scaler.scale(nested);
  static_assert(std::is_same_v<std::remove_cv_t<decltype(scaled)>, std::vector<std::vector<at::Tensor>>>);
  QCOMPARE(scaled.size(), nested.size());
  for (std::size_t i = 0; i < nested.size(); ++i) {
    QCOMPARE(scaled[i].size(), nested[i].size());
    for (std::size_t j = 0; j < nested[i].size(); ++j) {
      QVERIFY(scaled[i][j].equal(nested[i][j] * 4));
      QVERIFY(!scaled[i][j].is_same(nested[i][j]));
    }
  }
  const auto pair = scaler.scale(std::tuple{one(5), std::vector<at::Tensor>{one(6)}});
  static_assert(std::is_same_v<std::remove_cv_t<decltype(pair)>, std::tuple<at::Tensor, std::vector<at::Tensor>>>);
  QCOMPARE(std::get<0>(pair).item<float>(), 20.0F);
  QCOMPARE(std::get<1>(pair)[0].item<float>(), 24.0F);
  GradScaler disabled(Options{.enabled = false});
  const auto same = disabled.scale(nested);
  QVERIFY(same[1][0].is_same(nested[1][0]));
  QVERIFY(same[1][0].equal(one(2)));
  // What holds something that is no tensor is refused, wherever it lies in it.
  const c10::IValue inside(c10::ivalue::Tuple::create({one(1), c10::IValue("loss")}));
  QVERIFY_THROWS_EXCEPTION(c10::ValueError, scaler.scale(inside));
  QVERIFY_THROWS_EXCEPTION(c10::ValueError, scaler.scale(c10::IValue(1.0)));
}

void TestOutputs::containersOfTheLanguageKeepTheirTypes() {
  GradScaler scaler(Options{.init_scale = 4});
  using Nested = std::vector<std::map<std::string, std::pair<at::Tensor, std::vector<at::Tensor>>>>;
  const Nested outputs{{{"a", {one(1), {one(2), one(3)}}}}, {{"b", {one(4), {}}}}};
  const Nested scaled = scaler.scale(outputs);
  QCOMPARE(scaled[0].at("a").first.item<float>(), 4.0F);
  QCOMPARE(scaled[0].at("a").second[1].item<float>(), 12.0F);
  QCOMPARE(scaled[1].at("b").first.item<float>(), 16.0F);
  QVERIFY(scaled[1].at("b").second.empty());
  QCOMPARE(outputs[0].at("a").first.item<float>(), 1.0F);  // the outputs themselves stay

  const auto [x, rest] = scaler.scale(std::tuple{one(1), std::array{one(2), at::full({}, 1, at::kHalf)}});
  QCOMPARE(x.item<float>(), 4.0F);
  QCOMPARE(rest[0].item<float>(), 8.0F);
  QCOMPARE(rest[1].scalar_type(), at::kFloat);  // a 0-dim half loss promotes
  const auto values = scaler.scale(std::vector<c10::IValue>{one(5)});
  QCOMPARE(values[0].toTensor().item<float>(), 20.0F);
}

void TestOutputs::listsTuplesAndDictsOfTorchScriptKeepTheirTypes() {
  GradScaler scaler(Options{.init_scale = 4});
  const auto type =
      c10::TupleType::createNamed(c10::QualifiedName("Outputs"), std::vector<std::string>{"logits", "aux"},
                                  {c10::TensorType::get(), c10::ListType::ofTensors()});
  c10::impl::GenericDict dict(c10::StringType::get(), c10::TensorType::get());
  dict.insert("mask", one(3));
  const c10::IValue named = c10::ivalue::Tuple::createNamed({one(1), c10::List<at::Tensor>({one(2)})}, type);
  const c10::IValue scaled = scaler.scale(c10::ivalue::Tuple::create({named, dict}));
  const auto& elements = scaled.toTupleRef().elements();
  QVERIFY(elements[0].toTupleRef().type()->equals(*type));  // a named tuple, which PyTorch's scale() cannot rebuild
  QCOMPARE(elements[0].toTupleRef().elements()[0].toTensor().item<float>(), 4.0F);
  QVERIFY(elements[0].toTupleRef().elements()[1].isTensorList());
  QCOMPARE(elements[0].toTupleRef().elements()[1].toTensorVector()[0].item<float>(), 8.0F);
  QCOMPARE(elements[1].toGenericDict().at("mask").toTensor().item<float>(), 12.0F);
}

void TestOutputs::anythingElseIsRefused() {
  GradScaler scaler;
  for (const c10::IValue& wrong : {c10::IValue(1.0), c10::IValue(), c10::IValue("loss"),
                                   c10::IValue(c10::ivalue::Tuple::create({one(1), c10::IValue(2)}))}) {
    try {
      scaler.scale(wrong);
      QFAIL("taken");
    } catch (const c10::ValueError& error) {
      QCOMPARE(error.what_without_backtrace(), "outputs must be a Tensor or an iterable of Tensors");
    }
  }
}

void TestOutputs::emptyContainersMakeNoScale() {
  GradScaler scaler;
  QVERIFY(scaler.scale(std::vector<at::Tensor>{}).empty());
  QVERIFY(scaler.scale(c10::IValue(c10::List<at::Tensor>())).toList().empty());
  QVERIFY(!scaler.scale_tensor().defined());
  scaler.scale(one(1));
  QVERIFY(scaler.scale_tensor().defined());
}

void TestOutputs::disabledScalersReturnTheSameTensors() {
  GradScaler scaler(Options{.enabled = false});
  const std::vector<at::Tensor> outputs{one(1), one(2)};
  QVERIFY(scaler.scale(outputs)[1].is_same(outputs[1]));
  const c10::IValue value(outputs);
  QVERIFY(scaler.scale(value).is(value));
}

void TestOutputs::tupleOfOutputsForBackward() {
  const at::Tensor x = leaf(at::randn({3}));
  const at::Tensor y = leaf(at::randn({3}));
  const std::vector<at::Tensor> vectors{at::randn({3}), at::randn({3})};
  GradScaler scaler(Options{.init_scale = 16});
  const auto [product, sum] = scaler.scale(std::tuple{x * y, x + y});
  torch::autograd::backward({product, sum}, vectors);
  QVERIFY(x.grad().equal((vectors[0] * y + vectors[1]).detach() * 16));
  QVERIFY(y.grad().equal((vectors[0] * x + vectors[1]).detach() * 16));
}

void TestOutputs::gradOutputsForAutogradGrad() {
  const at::Tensor x = leaf(at::randn({3}));
  const std::vector<at::Tensor> vectors{at::randn({3})};
  GradScaler scaler(Options{.init_scale = 16});
  const at::Tensor plain = torch::autograd::grad({x.pow(2)}, {x}, vectors)[0];
  const at::Tensor scaled = torch::autograd::grad(scaler.scale(std::vector<at::Tensor>{x.pow(2)}), {x}, vectors)[0];
  QVERIFY(scaled.equal(plain * 16));
  QVERIFY(!x.grad().defined());
}

BINADE_SUITE(TestOutputs);
#include "tst_outputs.moc"
