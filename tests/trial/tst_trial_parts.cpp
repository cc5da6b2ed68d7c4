// SPDX-License-Identifier: Apache-2.0
#include "engine/trial/change_name.h"
#include "engine/trial/one_ulp.h"
#include "engine/trial/peak_memory.h"
#include "engine/trial/start_state.h"
#include "tests/support/suite.h"
#include "tests/trial/trial_runs.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace binade;

namespace {

constexpr float kLargest = std::numeric_limits<float>::max();

at::Tensor moved(const at::Tensor& values, std::uint64_t seed = 1) {
  at::Tensor tensor = values.clone();
  trial::move_by_one_ulp(tensor, at::make_generator<at::CPUGeneratorImpl>(seed));
  return tensor;
}

/// The bits of a value and of its neighbours, as integers, differ by 1.
void checkNeighbours(at::ScalarType dtype, at::ScalarType integers) {
  const at::Tensor values = at::randn({64, 33}, at::kFloat).mul_(100).to(dtype);
  const at::Tensor steps = moved(values).view(integers).to(at::kLong).sub(values.view(integers).to(at::kLong));
  QVERIFY(steps.abs().eq(1).all().item<bool>());
  // Both directions, each about half of the time.
  const double up = steps.eq(1).to(at::kDouble).mean().item<double>();
  QVERIFY2(up > 0.4 && up < 0.6, qPrintable(QString::number(up)));
}

}  // namespace

namespace binade::test {

/// The parts that the trainings of a Try are made of.
class TrialParts : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyElementMovesToANeighbour();
  void theEndsOfTheRangeStay();
  void aSeedDecidesTheDirections();
  void transposedTensorsMoveToo();
  void integersStay();
  void mastersMoveAndTheModelFollows();
  void theStateComesBackToTheBit();
  void memoryIsCountedAtItsPeak();
  void changesHaveNames_data();
  void changesHaveNames();
};

void TrialParts::everyElementMovesToANeighbour() {
  checkNeighbours(at::kFloat, at::kInt);
  checkNeighbours(at::kDouble, at::kLong);
  checkNeighbours(at::kHalf, at::kShort);
  checkNeighbours(at::kBFloat16, at::kShort);
}

void TrialParts::theEndsOfTheRangeStay() {
  const std::vector<float> values{0.0F, -0.0F, kLargest, -kLargest, HUGE_VALF, -HUGE_VALF, std::nanf("")};
  const at::Tensor tensor = moved(at::tensor(values));
  const float* const now = tensor.const_data_ptr<float>();
  QCOMPARE(now[0], std::numeric_limits<float>::denorm_min());
  QCOMPARE(now[1], -std::numeric_limits<float>::denorm_min());
  for (std::size_t i = 2; i < 6; ++i) QVERIFY(now[i] == values[i]);
  QVERIFY(std::isnan(now[6]));
}

void TrialParts::aSeedDecidesTheDirections() {
  const at::Tensor values = at::randn({100});
  QVERIFY(moved(values, 3).equal(moved(values, 3)));
  QVERIFY(!moved(values, 3).equal(moved(values, 4)));
}

void TrialParts::transposedTensorsMoveToo() {
  const at::Tensor values = at::randn({6, 5});
  at::Tensor tensor = values.clone();
  trial::move_by_one_ulp(tensor.t(), at::make_generator<at::CPUGeneratorImpl>(1));
  QVERIFY(tensor.ne(values).all().item<bool>());
}

void TrialParts::integersStay() {
  const at::Tensor values = at::tensor(std::vector<std::int64_t>{1, 2, 3});
  QVERIFY(moved(values).equal(values));
}

void TrialParts::mastersMoveAndTheModelFollows() {
  wire::RunConfig config = trialRun();
  config.policy.base = policy::Base::kApexO2;
  const auto training = train::set_up(config);
  QVERIFY(training->masters != nullptr);
  std::vector<at::Tensor> before;
  for (const auto& [name, parameter] : training->trainable) before.push_back(parameter.detach().clone());
  trial::move_by_one_ulp(*training, 1);
  for (std::size_t i = 0; i < before.size(); ++i) {
    QVERIFY(training->trainable[i].second.detach().ne(before[i]).all().item<bool>());
  }
  for (const auto& pair : training->masters->pairs()) {
    QVERIFY(pair.model.detach().equal(pair.master.detach().to(at::kHalf)));
  }
}

void TrialParts::theStateComesBackToTheBit() {
  wire::RunConfig config = trialRun();
  config.model = "sample:resnet";
  config.data.inputs = {"float32[4,3,32,32]"};
  config.batch = 4;
  config.scaler.init_scale = 1e9;  // comes down in the first steps
  const auto training = trained(config, 2);
  const trial::StartState state(*training);
  const std::vector<double> expected = lossesOf(*training, 2, 3);
  const double scale = training->scalers.scale(0);
  for (int again = 0; again < 2; ++again) {
    lossesOf(*training, 5, 1);
    training->whole = false;
    state.restore(*training);
    QVERIFY(training->whole);
    QCOMPARE(training->data->cursor(), state.cursor());
    QVERIFY(lossesOf(*training, 2, 3) == expected);
    QCOMPARE(training->scalers.scale(0), scale);
  }
}

void TrialParts::memoryIsCountedAtItsPeak() {
  const at::Tensor held = at::empty({1000});
  std::int64_t peak = 0;
  {
    const trial::PeakMemory memory(c10::kCPU);
    QCOMPARE(memory.bytes(), std::int64_t{0});
    { const at::Tensor one = at::empty({1000}); }
    const at::Tensor two = at::empty({500});
    const at::Tensor three = at::empty({100});
    peak = memory.bytes();
  }
  QVERIFY2(peak >= 4000 && peak < 4000 + 256, qPrintable(QString::number(peak)));
  const trial::PeakMemory other(c10::Device(c10::kCUDA, 0));
  const at::Tensor uncounted = at::empty({1000});
  QCOMPARE(other.bytes(), std::int64_t{0});
}

void TrialParts::changesHaveNames_data() {
  QTest::addColumn<QByteArray>("before");
  QTest::addColumn<QByteArray>("after");
  QTest::addColumn<QByteArray>("name");
  const auto row = [](const char* tag, const char* before, const char* after, const char* name) {
    QTest::newRow(tag) << QByteArray(before) << QByteArray(after) << QByteArray(name);
  };
  const char* const plain = R"({"binade_policy": 1, "base": "cuda-amp"})";
  const char* const rule =
      R"({"binade_policy": 1, "base": "cuda-amp", "sites": [{"match": "fc1", "format": "float32"}]})";
  row("none", plain, plain, "no change");
  row("a rule", plain, rule, "fc1 in float32");
  row("a rule removed", rule, plain, "fc1 without its rule");
  row("another format", rule,
      R"({"binade_policy": 1, "base": "cuda-amp", "sites": [{"match": "fc1", "format": "bfloat16"}]})",
      "fc1 in bfloat16");
  row("another list", plain, R"({"binade_policy": 1, "base": "cpu-amp"})", "base list cpu-amp, low format bfloat16");
  row("float32", plain, R"({"binade_policy": 1, "base": "all-float32", "low": "bfloat16"})", "float32 throughout");
  row("a banned op", plain, R"({"binade_policy": 1, "base": "cuda-amp", "ops": {"aten::linear": "banned"}})",
      "aten::linear refused");
  row("a treatment", plain, R"({"binade_policy": 1, "base": "cuda-amp", "ops": {"aten::relu": "promote"}})",
      "aten::relu in the widest format of its arguments");
  row("an op", plain, R"({"binade_policy": 1, "base": "cuda-amp", "ops": {"aten::gelu": "float32"}})",
      "aten::gelu in float32");
  row("many", plain,
      R"({"binade_policy": 1, "base": "cuda-amp", "sites": [{"match": "a", "format": "float32"}, {"match": "b", "format": "float32"},
          {"match": "c", "format": "float32"}, {"match": "d", "format": "float32"},
          {"match": "e", "format": "float32"}]})",
      "a in float32, b in float32, c in float32 and 2 more");
}

void TrialParts::changesHaveNames() {
  QFETCH(QByteArray, before);
  QFETCH(QByteArray, after);
  QFETCH(QByteArray, name);
  const auto parsed = [](const QByteArray& text) { return policy::parse_policy(text.toStdString(), "test"); };
  QCOMPARE(QByteArray::fromStdString(trial::change_name(parsed(before), parsed(after))), name);
}

BINADE_SUITE(TrialParts);

}  // namespace binade::test

#include "tst_trial_parts.moc"
