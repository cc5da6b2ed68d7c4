// SPDX-License-Identifier: Apache-2.0
#include "engine/run/step.h"
#include "engine/silent/quantized.h"
#include "engine/train/training.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

using namespace binade;
using policy::Operand;
using policy::Product;
using silent::QuantizedSeen;

namespace {

/// A run whose first linear layer, [96,8] times [8,4], has its products in a format. The gradient of its output has one
/// value, times the lines of `factor`, which may use the row `i` (0 to 95).
wire::RunConfig shaped_run(const std::string& format, const std::string& factor, double input = 1) {
  wire::RunConfig config = test::lineRun("    z = x.repeat(16, 1) * " + std::to_string(input) +
                                             "\n"
                                             "    y = torch.linear(z, self.weight, self.bias)\n"
                                             "    i = torch.arange(96).unsqueeze(1)\n"
                                             "    c = " +
                                             factor +
                                             "\n"
                                             "    first = torch.tensor([1.0, 0.0, 0.0, 0.0])\n"
                                             "    return x[:, :4] * 0.5 + (y * c * first).mean(0)\n",
                                         1);
  config.observe.measure_cost = false;  // it would leave a step out
  policy::SiteRule rule;
  rule.match = "aten::linear#0";
  rule.format = formats::kFloat32;
  rule.products.forward = rule.products.grad_input = rule.products.grad_weight = policy::parse_operand(format);
  config.policy.sites = {rule};
  return config;
}

/// What the first step sees of an operand; executions = 0: nothing.
QuantizedSeen first_step(const wire::RunConfig& config, Product product, Operand operand) {
  const auto training = train::set_up(config);
  run::Stepper stepper(*training, /*replays=*/false);
  const run::StepOutcome outcome = stepper.run(0);
  for (const QuantizedSeen& each : outcome.silent.quantized)
    if (each.operand.product == product && each.operand.operand == operand) return each;
  return {};
}

}  // namespace

/// What a step measures beside the formats of its operands equals what a run in those formats has: both start from the
/// same values, with the same draws and signs.
class TestQuantizedAlternatives : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void stochasticRoundingIsThatOfARunWithIt() {
    // Every value is between the same two numbers of E2M1, so all errors have one sign. None saturates.
    wire::RunConfig config = shaped_run("mxfp4+rceil", "torch.ones(96, 1)");
    const QuantizedSeen nearest = first_step(config, Product::kGradWeight, Operand::kGradient);
    QCOMPARE(nearest.operand.executions, 1);
    QVERIFY(silent::is_biased(nearest.operand.stats));
    QVERIFY(nearest.stochastic && !nearest.transformed && !nearest.current);
    config.policy.sites.front().products.rounding = policy::Rounding::kStochastic;
    const QuantizedSeen stochastic = first_step(config, Product::kGradWeight, Operand::kGradient);
    QCOMPARE(stochastic.operand.format, std::string("mxfp4+rceil+stochastic"));
    QVERIFY(*nearest.stochastic == stochastic.operand.stats);
    QVERIFY(!(*nearest.stochastic == nearest.operand.stats));
    QCOMPARE(nearest.stochastic->signal, nearest.operand.stats.signal);
    QVERIFY(!stochastic.stochastic);  // it has it already
    // Only gradients are rounded so.
    const QuantizedSeen input = first_step(config, Product::kGradWeight, Operand::kInput);
    QVERIFY(input.operand.executions == 1 && !input.stochastic);
  }

  void theTransformIsThatOfARunWithIt() {
    wire::RunConfig config = shaped_run("nvfp4", "(i % 16 == 0).float() * 15.0 + 1.0");
    const QuantizedSeen plain = first_step(config, Product::kGradWeight, Operand::kGradient);
    QCOMPARE(plain.operand.executions, 1);
    QVERIFY(plain.operand.stats.outlier_blocks > 0);
    QVERIFY(plain.transformed && !plain.current);
    config.policy.sites.front().products.transform = policy::Transform::kHadamard;
    const QuantizedSeen transformed = first_step(config, Product::kGradWeight, Operand::kGradient);
    QCOMPARE(transformed.operand.format, std::string("nvfp4+hadamard"));
    QVERIFY(*plain.transformed == transformed.operand.stats);
    QVERIFY(!(*plain.transformed == plain.operand.stats));
    QVERIFY(!transformed.transformed);
    // Both operands of the weight's gradient need it, and no other product can have it.
    config.policy.sites.front().products.transform = policy::Transform::kNone;
    const QuantizedSeen other = first_step(config, Product::kGradInput, Operand::kGradient);
    QVERIFY(!other.transformed);
  }

  void aCurrentScaleIsThatOfARunWithIt() {
    const QuantizedSeen delayed =
        first_step(shaped_run("fp8_delayed", "torch.ones(96, 1)"), Product::kForward, Operand::kInput);
    QVERIFY(delayed.operand.stale.value_or(0) <= -silent::kStale);
    QVERIFY(delayed.current && !delayed.stochastic && !delayed.transformed);
    const QuantizedSeen current =
        first_step(shaped_run("fp8_current", "torch.ones(96, 1)"), Product::kForward, Operand::kInput);
    QVERIFY(*delayed.current == current.operand.stats);
    QVERIFY(!current.current);
  }

  void aFirstScaleThatLeavesNothingIsAFaultOfTheRun() {
    test::Listening heard;
    test::runToEnd(shaped_run("fp8_delayed", "torch.ones(96, 1)", 1e-6), heard);
    std::vector<wire::SilentFault> faults;
    for (const wire::SilentReport& each : heard.silent) {
      std::copy_if(each.faults.begin(), each.faults.end(), std::back_inserter(faults), [](const auto& fault) {
        return fault.kind == wire::SilentFault::Kind::kStaleScale && fault.facts.operand == "forward input";
      });
    }
    QVERIFY(!faults.empty());
    QVERIFY(faults.front().facts.stale.value_or(0) < -20);
    QCOMPARE(faults.front().facts.count, faults.front().facts.of);
    QCOMPARE(faults.front().facts.alternative, std::string("fp8_current"));
  }
};

BINADE_SUITE(TestQuantizedAlternatives);
#include "tst_quantized_alternatives.moc"
