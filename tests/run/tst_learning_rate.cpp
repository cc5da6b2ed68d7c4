// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/outlier_rows.h"
#include "engine/run/float32_question.h"
#include "engine/words/fix_text.h"
#include "tests/run/listening.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/core/Generator.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <set>

using namespace binade;

namespace {

constexpr const char* kLine =
    "    h = torch.relu(torch.linear(x, self.weight, self.bias))\n"
    "    return torch.matmul(torch.matmul(h, self.weight), self.weight.t())\n";

std::set<std::string> verdictsOf(const test::Listening& heard) {
  std::set<std::string> all;
  for (const wire::Event& event : heard.events) {
    if (event.diagnosis) all.insert(wire::name(event.diagnosis->verdict));
  }
  return all;
}

const wire::Event* withVerdict(const test::Listening& heard, wire::Verdict verdict) {
  const auto found = std::find_if(heard.events.begin(), heard.events.end(), [verdict](const wire::Event& event) {
    return event.diagnosis && event.diagnosis->verdict == verdict;
  });
  return found == heard.events.end() ? nullptr : &*found;
}

}  // namespace

/// Before a format is blamed, float32 is asked.
class AskedFloat32 : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aLearningRateThatIsTooHighIsNamed() {
    wire::RunConfig config = test::lineRun(kLine, 12);
    config.optimizer.learning_rate = 1e4;
    test::Listening heard;
    test::runToEnd(config, heard);
    const wire::Event* event = withVerdict(heard, wire::Verdict::kLearningRate);
    QVERIFY(event != nullptr);
    QVERIFY2(heard.said(*event).starts_with("The learning rate is too high"), heard.said(*event).c_str());
    QVERIFY(event->diagnosis->fix.rules.empty());
    QVERIFY(event->diagnosis->fix.rate.has_value());
    // No later step is blamed on a format either.
    for (const wire::Event& later : heard.events) {
      if (!later.diagnosis || later.step < event->step) continue;
      QVERIFY2(later.diagnosis->fix.rules.empty(), heard.said(later).c_str());
    }
  }

  void aProposedRateIsToldWithTheStepsThatWereTaken() {
    wire::RunConfig config = test::lineRun(kLine, 60);
    config.optimizer.learning_rate = 1e4;
    config.diverged_after = 0;  // nobody is there to go on from a pause
    test::Listening heard;
    test::runToEnd(config, heard);
    const wire::Event* event = withVerdict(heard, wire::Verdict::kLearningRate);
    QVERIFY(event != nullptr);
    const std::string text = words::fix_of(event->diagnosis->fix);
    QVERIFY2(text.find("over 60 steps") != std::string::npos, text.c_str());
    const bool falls = text.find("the loss falls") != std::string::npos;
    QVERIFY2(falls != (text.find("That it learns is not known") != std::string::npos), text.c_str());
    // One cause: the rows of a batch that fail with these weights are not a second one.
    for (const wire::Root& root : event->diagnosis->roots) QVERIFY(!root.rows.has_value());
    QVERIFY2(heard.said(*event).find("batch's") == std::string::npos, heard.said(*event).c_str());
  }

  // A rate that changes nothing does not learn, however far the run had come before the steps that were asked about.
  void aProposedRateIsJudgedFromItsOwnFirstLoss() {
    const std::string still = "    return torch.linear(x, self.weight, self.bias) * 0.0\n";
    wire::RunConfig config = test::lineRun(still, 40);
    config.optimizer.kind = "sgd";
    config.optimizer.learning_rate = 1e4;
    config.optimizer.weight_decay = 1;  // grows the weights, and leaves the loss
    run::Float32Question question;
    question.step = 20;
    question.usual_loss = 9;  // of a step long before
    question.first_norm = 1;
    const run::Float32Answer answer = run::ask_float32(config, question);
    QVERIFY2(answer.diverges && *answer.diverges, answer.why.c_str());
    QVERIFY(answer.rate > 0);
    QVERIFY2(!answer.learns, qPrintable(QStringLiteral("%1 to %2").arg(answer.rate_first).arg(answer.rate_last)));
    QCOMPARE(answer.rate_first, answer.rate_last);
  }

  // Targets far from 0 need large weights.
  void weightsThatGrowWhileTheLossFallsDoNotDiverge() {
    wire::RunConfig config = test::lineRun("    return torch.linear(x, self.weight, self.bias)\n", 40);
    config.optimizer.learning_rate = 0.05;
    run::Float32Question question;
    question.step = 20;
    question.usual_loss = 2;
    question.first_norm = 1e-3;
    const run::Float32Answer answer = run::ask_float32(config, question);
    QVERIFY(answer.growth > 30);
    QVERIFY2(answer.diverges && !*answer.diverges, answer.why.c_str());
  }

  // 0 times an infinity, whatever the format and the learning rate.
  void aLossThatIsNotFiniteAtOnceIsNoDivergence() {
    const wire::RunConfig config = test::lineRun(
        "    return torch.linear(x, self.weight, self.bias) + torch.log(torch.zeros_like(x)).sum() * 0.0\n", 12);
    run::Float32Question question;
    question.step = 1;
    question.first_norm = 850;
    const run::Float32Answer answer = run::ask_float32(config, question);
    QVERIFY2(answer.diverges && !*answer.diverges, answer.why.c_str());
    QVERIFY(answer.breaks);
    QCOMPARE(answer.rate, 0.0);
  }

  void aFormatThatIsTooNarrowStaysToBlame() {
    // From the first step on, and with weights that move: float32 has no trouble.
    wire::RunConfig config =
        test::lineRun("    return torch.linear(x, self.weight, self.bias) * 100000.0 * 0.00001\n", 12);
    config.optimizer.learning_rate = 0.05;
    test::Listening heard;
    test::runToEnd(config, heard);
    QVERIFY(withVerdict(heard, wire::Verdict::kForwardOverflow) != nullptr);
    QVERIFY(!verdictsOf(heard).contains("learning_rate"));
  }

  void theTrainingIsUntouched() {
    wire::RunConfig config = test::lineRun(kLine, 6);
    config.optimizer.learning_rate = 1e4;
    const auto train = [&](bool asks) {
      test::Listening heard;
      // Nothing is asked where nobody blames a format.
      if (!asks) {
        config.diverged_after = 0;
        config.observe.level = "off";
      }
      const auto tensors = test::runToEnd(config, heard).tensors;
      return std::pair(tensors, heard.losses().size());
    };
    const auto asked = train(true);
    const auto again = train(true);
    QCOMPARE(test::firstDifference(asked.first, again.first), std::string());
    const at::Tensor before = at::randn({3});
    run::Float32Question question;
    question.step = 1;
    question.usual_loss = 1;
    question.first_norm = 1;
    at::manual_seed(5);
    const at::Tensor wanted = at::randn({3});
    at::manual_seed(5);
    const run::Float32Answer answer = run::ask_float32(config, question);
    QVERIFY(answer.diverges && *answer.diverges && answer.rate > 0);
    QVERIFY(at::randn({3}).equal(wanted));
  }

  void rowsFarBeyondTheOthersAreFound() {
    batches::Batch batch;
    batch.examples = 8;
    at::Tensor x = at::full({8, 3}, 0.5);
    batch.inputs = {x};
    QVERIFY(diagnose::outlier_rows(batch).empty());
    x[3][1] = 1e6;
    QVERIFY((diagnose::outlier_rows(batch) == std::vector<std::int64_t>{3}));
    x[5][0] = std::numeric_limits<double>::quiet_NaN();
    QVERIFY((diagnose::outlier_rows(batch) == std::vector<std::int64_t>{3, 5}));
    x.fill_(1e9);  // all alike: no row is an exception
    QVERIFY(diagnose::outlier_rows(batch).empty());
    at::Tensor y = at::full({8, 1}, 0.5);
    batch.targets = {{"y", y}};
    QVERIFY(diagnose::outlier_rows(batch).empty());
    y[6][0] = 1e6;
    QVERIFY((diagnose::outlier_rows(batch) == std::vector<std::int64_t>{6}));
  }
};

BINADE_SUITE(AskedFloat32);
#include "tst_learning_rate.moc"
