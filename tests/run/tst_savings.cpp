// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/run/trainer.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <exception>
#include <optional>

using namespace binade;

namespace {

policy::Policy linearIn(const wire::RunConfig& config, const formats::Format& format) {
  policy::Policy edited = config.policy;
  edited.ops["aten::linear"] = format;
  return edited;
}

}  // namespace

// A question about another policy, asked of a run that goes on.
class AskedSavings : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void itIsAnsweredBetweenTwoStepsAndTheRunStaysAsItIs() {
    const wire::RunConfig config = test::smallRun(8);
    test::Listening plain;
    const test::Done alone = test::runToEnd(config, plain);
    run::Control control;
    test::Listening heard;
    std::optional<wire::Savings> savings;
    std::exception_ptr failed;
    heard.at_step = [&](const wire::StepRecord& record) {
      if (record.step != 3) return;
      control.measure_savings({linearIn(config, formats::kFloat32),
                               [&](const std::optional<wire::Savings>& measured, std::exception_ptr why) {
                                 savings = measured;
                                 failed = why;
                               }});
    };
    const test::Done asked = test::runToEnd(config, heard, control);
    QVERIFY(!failed && savings);
    QCOMPARE(savings->step, std::int64_t{4});
    QVERIFY(!savings->sites.empty());
    QVERIFY(savings->before.bytes != savings->after.bytes);
    QVERIFY(heard.losses() == plain.losses());
    QCOMPARE(test::firstDifference(alone.tensors, asked.tensors), std::string());
    QVERIFY(heard.policies.empty());  // it is not applied
  }

  void aFailureIsTheAnswerAndTheRunGoesOn() {
    const wire::RunConfig config = test::smallRun(6);
    run::Control control;
    test::Listening heard;
    bool refused = false;
    heard.at_step = [&](const wire::StepRecord& record) {
      if (record.step != 1) return;
      policy::Policy other = config.policy;
      other.base = policy::Base::kApexO3;
      control.measure_savings({other, [&](const std::optional<wire::Savings>& measured, std::exception_ptr why) {
                                 refused = !measured && why;
                               }});
    };
    const test::Done done = test::runToEnd(config, heard, control);
    QVERIFY(refused);
    QVERIFY(done.finished.outcome == wire::Outcome::kCompleted);
  }

  void afterTheEndThereIsAnErrorAtOnce() {
    run::Control control;
    int answers = 0;
    const auto count = [&](const std::optional<wire::Savings>& measured, std::exception_ptr why) {
      if (!measured && why) ++answers;
    };
    control.measure_savings({{}, count});
    QCOMPARE(answers, 0);
    control.close();
    QCOMPARE(answers, 1);
    control.measure_savings({{}, count});
    QCOMPARE(answers, 2);
  }

  void aPausedRunAnswersToo() {
    run::Control control;
    control.pause();
    control.measure_savings({{}, [](const auto&, const std::exception_ptr&) {}});
    const run::Control::Next next = control.take(true);  // does not wait for more
    QVERIFY(next.paused);
    QCOMPARE(next.savings.size(), std::size_t{1});
    QVERIFY(control.take(false).savings.empty());
  }
};

BINADE_SUITE(AskedSavings);

#include "tst_savings.moc"
