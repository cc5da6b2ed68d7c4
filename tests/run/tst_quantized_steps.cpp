// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/products.h"
#include "engine/scaled/scaled_format.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

using namespace binade;
using policy::Operand;
using policy::Product;
using test::Listening;
using test::runToEnd;

namespace {

const wire::QuantizedOperand* find(const wire::QuantizedStep& step, Product product, Operand operand) {
  for (const wire::QuantizedOperand& each : step.operands)
    if (each.product == product && each.operand == operand) return &each;
  return nullptr;
}

}  // namespace

/// What a run reports of the quantized operands of its products.
class TestQuantizedSteps : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyObservedStepHasTheOperandsOfItsProducts() {
    Listening heard;
    runToEnd(test::quantizingRun("mxfp8", 3), heard);
    QCOMPARE(heard.quantized.size(), std::size_t{3});
    for (std::size_t i = 0; i < heard.quantized.size(); ++i) {
      const wire::QuantizedStep& seen = heard.quantized[i];
      QCOMPARE(seen.step, heard.steps[i].step);
      const wire::QuantizedOperand* input = find(seen, Product::kForward, Operand::kInput);
      const wire::QuantizedOperand* weight = find(seen, Product::kForward, Operand::kWeight);
      const wire::QuantizedOperand* gradient = find(seen, Product::kGradWeight, Operand::kGradient);
      QVERIFY(input != nullptr && weight != nullptr && gradient != nullptr);
      QCOMPARE(weight->stats.values, std::uint64_t{32});
      QCOMPARE(weight->executions, 1);
      QCOMPARE(input->format, std::string("mxfp8"));
      QVERIFY(input->stats.values > 0 && input->stats.snr_db() > 10);
      QVERIFY(!input->stale);
    }
  }

  void aStepThatIsNotObservedHasNone() {
    wire::RunConfig config = test::quantizingRun("mxfp8", 4);
    config.observe.every = 2;
    Listening heard;
    runToEnd(config, heard);
    std::vector<std::int64_t> steps;
    for (const wire::QuantizedStep& seen : heard.quantized) steps.push_back(seen.step);
    QCOMPARE(steps, (std::vector<std::int64_t>{0, 2}));
  }

  void theFilterOfObservedOpCallsApplies() {
    wire::RunConfig config = test::quantizingRun("mxfp8", 1);
    config.observe.sites = "aten::linear#1";
    Listening heard;
    runToEnd(config, heard);
    QVERIFY(heard.quantized.empty());
  }

  void aPolicyWithoutSuchProductsReportsNothing() {
    wire::RunConfig config = test::quantizingRun("mxfp8", 2);
    config.policy.sites.clear();
    Listening heard;
    runToEnd(config, heard);
    QVERIFY(heard.quantized.empty());
  }

  void aDelayedScaleIsStaleUntilItHasSeenAStep() {
    Listening heard;
    runToEnd(test::quantizingRun("fp8_delayed", 3), heard);
    QCOMPARE(heard.quantized.size(), std::size_t{3});
    const auto stale = [&](std::size_t step) {
      const wire::QuantizedOperand* weight = find(heard.quantized[step], Product::kForward, Operand::kWeight);
      return weight == nullptr || !weight->stale ? test::kNaN : *weight->stale;
    };
    // The first scale is 1, so most of the 448 that it represents are unused; the second is that of the first weights.
    QVERIFY(stale(0) < -4);
    QVERIFY(std::abs(stale(1)) < 0.5);
  }

  void observationLeavesTheTrainingAlone() {
    wire::RunConfig config = test::quantizingRun("mxfp4", 3);
    Listening heard;
    const test::Done seen = runToEnd(config, heard);
    config.observe.level = "off";
    config.observe.between = "off";
    Listening blind;
    const test::Done unseen = runToEnd(config, blind);
    QVERIFY(blind.quantized.empty());
    QCOMPARE(test::firstDifference(seen.tensors, unseen.tensors), std::string());
  }
};

BINADE_SUITE(TestQuantizedSteps);
#include "tst_quantized_steps.moc"
