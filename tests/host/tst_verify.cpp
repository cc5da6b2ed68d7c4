// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/samples.h"
#include "engine/host/verify.h"
#include "tests/support/suite.h"

#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>

using namespace binade;

namespace {

/// Small batches: what is compared is bits, and a step must stay cheap.
std::vector<c10::IValue> inputs_of(const std::string& model, int step) {
  at::manual_seed(static_cast<std::uint64_t>(1000 + step));
  if (model == "resnet") return {at::rand({4, 3, 16, 16})};
  if (model == "transformer") return {at::randint(1000, {3, 12}, at::kLong)};
  return {at::rand({8, 1, 28, 28})};
}

host::VerifyOptions options_for(const std::string& model) {
  host::VerifyOptions options;
  options.load = [model] { return graph::make_sample(model, 3); };
  options.inputs = [model](int step) { return inputs_of(model, step); };
  options.outputs = [](const c10::IValue& output) { return std::vector<at::Tensor>{output.toTensor()}; };
  return options;
}

}  // namespace

class TestVerify : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyStepIsNativeToTheBit_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<bool>("train");
    QTest::addColumn<int>("autocast");
    QTest::addColumn<int>("steps");
    for (const graph::Sample& sample : graph::samples()) {
      for (const bool train : {true, false}) {
        const auto row = [&](const char* kind, int autocast, int steps) {
          QTest::newRow((sample.name + (train ? " train " : " eval ") + kind).c_str())
              << QString::fromStdString(sample.name) << train << autocast << steps;
        };
        row("float32, 50 steps", -1, 50);
        row("bfloat16 autocast, 5 steps", static_cast<int>(at::kBFloat16), 5);
      }
    }
  }
  void everyStepIsNativeToTheBit() {
    QFETCH(QString, model);
    QFETCH(bool, train);
    QFETCH(int, autocast);
    QFETCH(int, steps);
    host::VerifyOptions options = options_for(model.toStdString());
    options.train = train;
    if (autocast >= 0) options.autocast = static_cast<at::ScalarType>(autocast);
    options.steps = steps;
    const host::VerifyReport report = host::verify(options);
    QVERIFY2(report.identical, report.first_difference.c_str());
    QCOMPARE(report.steps, steps);
    QVERIFY(report.executed > 0);
    QVERIFY(report.loss > 0);  // not a comparison of nothing
  }

  void aDifferenceIsFound() {
    host::VerifyOptions options = options_for("cnn");
    options.steps = 3;
    int call = 0;
    options.inputs = [&](int step) {
      auto inputs = inputs_of("cnn", step);
      // The engine's copy gets one bit more in one pixel, at the second step.
      if (step == 1 && ++call % 2 == 0) inputs[0].toTensor().view({-1})[5] += 1e-3;
      return inputs;
    };
    const host::VerifyReport report = host::verify(options);
    QVERIFY(!report.identical);
    QVERIFY(report.outputs > 0);
    QVERIFY2(report.first_difference.find("Output 0 differs at step 1") == 0, report.first_difference.c_str());
  }
};

BINADE_SUITE(TestVerify);
#include "tst_verify.moc"
