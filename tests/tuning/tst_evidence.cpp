// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/base_policy.h"
#include "engine/run/step.h"
#include "engine/train/training.h"
#include "engine/tuning/failing_calls.h"
#include "engine/tuning/measure_evidence.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <algorithm>

using namespace binade;

namespace {

constexpr const char* kBigProduct =
    "    y = torch.linear(x, self.weight, self.bias)\n"
    "    big = y * 1.0e8\n"
    "    return big * 1.0e-8\n";

const search::CallEvidence* find(const search::StepEvidence& evidence, const std::string& name) {
  const auto found = std::find_if(evidence.calls.begin(), evidence.calls.end(),
                                  [&name](const search::CallEvidence& call) { return call.call == name; });
  return found == evidence.calls.end() ? nullptr : &*found;
}

template <class Less>
std::string first(const search::StepEvidence& evidence, const Less& less) {
  return std::min_element(evidence.calls.begin(), evidence.calls.end(), less)->call;
}

/// In emulated bfloat16, in which little is left of a number beside 1000.
wire::RunConfig cancelling() {
  wire::RunConfig run = test::lineRun(
      "    y = torch.linear(x, self.weight, self.bias)\n"
      "    big = torch.relu(y + 1000.0)\n"
      "    return big - 1000.0\n",
      4);
  run.policy.low = formats::kBFloat16;
  return run;
}

}  // namespace

class MeasuredEvidence : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void trainingGoesOnAsIfNothingHadBeenMeasured() {
    test::Tensors with, without;
    std::vector<double> lossesWith, lossesWithout;
    for (const bool measures : {false, true}) {
      const auto training = train::set_up(test::smallRun(4));
      run::Stepper stepper(*training);
      for (int step = 0; step < 4; ++step) {
        if (measures && step == 2) {
          const auto policy = training->policy;
          const std::int64_t cursor = training->data->cursor();
          tuning::measure(*training, policy::float32_throughout(), step, formats::kFloat16);
          tuning::measure(*training, training->config.policy, step, formats::kBFloat16);
          QVERIFY(training->policy == policy);
          QCOMPARE(training->data->cursor(), cursor);
        }
        (measures ? lossesWith : lossesWithout).push_back(stepper.run(step).record.loss);
      }
      test::Tensors& all = measures ? with : without;
      for (const auto& [name, tensor] : training->trainable) all.emplace_back(name, tensor.detach().clone());
      for (const auto& [name, tensor] : training->model.buffers()) all.emplace_back(name, tensor.clone());
    }
    QCOMPARE(test::firstDifference(with, without), std::string());
    QCOMPARE(lossesWith, lossesWithout);
  }

  void theCallWhoseValuesExceedTheCandidateHasTheFewestDoublings() {
    const wire::RunConfig run = test::lineRun(kBigProduct, 4);
    const auto training = train::set_up(run);
    const auto evidence = tuning::measure(*training, *policy::base_policy("all-float32"), 0, formats::kFloat16);
    const search::CallEvidence* big = find(evidence, "aten::mul#0");
    QVERIFY(big != nullptr && big->doublings_left && *big->doublings_left < 0);
    QVERIFY2(!big->overflowed, "nothing overflows in float32");
    QCOMPARE(first(evidence,
                   [](const auto& a, const auto& b) {
                     return a.doublings_left.value_or(1000) < b.doublings_left.value_or(1000);
                   }),
             std::string("aten::mul#0"));
    const search::CallEvidence* linear = find(evidence, "aten::linear#0");
    QVERIFY(linear != nullptr && linear->doublings_left && *linear->doublings_left > 0);
    QCOMPARE(linear->now.format, formats::kFloat32);
  }

  void theErrorOfACancellationRanksFirst() {
    const wire::RunConfig run = cancelling();
    const auto training = train::set_up(run);
    const auto evidence = tuning::measure(*training, run.policy, 0, formats::kBFloat16);
    QCOMPARE(first(evidence, [](const auto& a, const auto& b) { return a.error > b.error; }),
             std::string("aten::add#0"));
    const search::CallEvidence* difference = find(evidence, "aten::sub#0");
    QVERIFY(difference != nullptr && difference->amplifies > 10);
  }

  void costsAreThoseOfTheStep() {
    wire::RunConfig run = test::smallRun(4);
    run.accumulate = 2;
    const auto training = train::set_up(run);
    const auto evidence = tuning::measure(*training, run.policy, 0, formats::kFloat16);
    double casts = 0;
    double operations = 0;
    double output_bytes = 0;
    for (const search::CallEvidence& call : evidence.calls) {
      casts += call.casts;
      operations += call.operations;
      output_bytes += call.output_bytes;
    }
    QVERIFY(casts > 0);
    QVERIFY(output_bytes > 0);
    QVERIFY(evidence.peak_bytes > 0);
    // 2 batches of 16 rows; the first layer alone takes 784 products for each of its outputs.
    QVERIFY2(operations >= 2.0 * 16 * 784, qPrintable(QString::number(operations)));
  }

  void aPolicyThatDoesNotRunIsMeasuredAsFloat32WithItsDecisions() {
    wire::RunConfig run = test::smallRun(4);
    const auto training = train::set_up(run);
    run.policy.ops["aten::linear"] = policy::Treatment::kBanned;
    const auto evidence = tuning::measure(*training, run.policy, 0, formats::kFloat16);
    const auto banned = std::find_if(evidence.calls.begin(), evidence.calls.end(),
                                     [](const auto& call) { return call.now.kind == policy::Decision::Kind::kBanned; });
    QVERIFY(banned != evidence.calls.end());
    QVERIFY(banned->doublings_left.has_value());
  }

  void aDiagnosisNamesTheCallThatOverflows() {
    const wire::RunConfig run = test::lineRun(kBigProduct, 4);
    search::StepEvidence evidence;
    for (const char* name : {"aten::linear#0", "aten::mul#0", "aten::mul#1"}) {
      evidence.calls.emplace_back().call = name;
    }
    const auto training = train::set_up(run);
    tuning::mark_failing_calls(*training, 0, 4, {}, evidence);
    QVERIFY(find(evidence, "aten::mul#0")->overflowed);
    QVERIFY(!find(evidence, "aten::mul#1")->overflowed);
  }

  void nothingIsNamedInATrainingThatDoesNotFail() {
    const wire::RunConfig run = test::lineRun("    return torch.linear(x, self.weight, self.bias)\n", 4);
    search::StepEvidence evidence;
    evidence.calls.emplace_back().call = "aten::linear#0";
    const auto training = train::set_up(run);
    tuning::mark_failing_calls(*training, 0, 4, {}, evidence);
    QVERIFY(!evidence.calls[0].overflowed);
  }
};

BINADE_SUITE(MeasuredEvidence);
#include "tst_evidence.moc"
