// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/run/trainer.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <atomic>
#include <chrono>
#include <limits>
#include <optional>
#include <thread>

using namespace binade;
using test::Done;
using test::firstDifference;
using test::Listening;
using test::runToEnd;
using test::smallRun;

namespace {

policy::SiteRule inFloat32(const std::string& match) {
  policy::SiteRule rule;
  rule.match = match;
  rule.format = formats::kFloat32;
  return rule;
}

}  // namespace

class TestSteering : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aPolicyEditTakesEffectAtTheNextStepAndOnlyThere();
  void anEqualPolicyChangesNothing();
  void aRuleThatMatchesNothingIsReported();
  void aScaleThatIsSetIsUsedInTheNextStep();
  void aScaleThatMakesNoSenseIsRefused();
  void observingCanBeSwitchedOff();
  void pausedRunsStepByStep();
  void editsComeIntoForceWhilePaused();
  void stopEndsTheRunAfterThePresentStep_data();
  void stopEndsTheRunAfterThePresentStep();
  void stopEndsASetUpThatNeverComesToAnEnd();
};

void TestSteering::aPolicyEditTakesEffectAtTheNextStepAndOnlyThere() {
  const wire::RunConfig config = smallRun(6);
  Listening plain;
  runToEnd(config, plain);

  run::Control control;
  Listening edited;
  edited.at_step = [&](const wire::StepRecord& step) {
    if (step.step != 2) return;
    wire::PolicySet set{.revision = 4, .policy = config.policy};
    set.policy.sites.push_back(inFloat32("fc2"));
    control.set_policy(set);
  };
  runToEnd(config, edited, control);

  QCOMPARE(edited.policies.size(), 1u);
  const wire::PolicyApplied& applied = edited.policies.front();
  QCOMPARE(applied.revision, 4);
  QCOMPARE(applied.step, 3);
  const wire::PolicyApplied& before = edited.started.front().policy;
  for (std::size_t i = 0; i < applied.decisions.size(); ++i) {
    const auto& key = edited.started.front().model.sites[i].key;
    if (key.path == "fc2") {
      QVERIFY(applied.decisions[i] != before.decisions[i]);
    } else {
      QVERIFY2(applied.decisions[i] == before.decisions[i], key.name().c_str());
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    QCOMPARE(edited.steps[i].loss, plain.steps[i].loss);
    QCOMPARE(edited.steps[i].policy_revision, 0);
  }
  QVERIFY(edited.steps[3].gradient_norm != plain.steps[3].gradient_norm);
  for (std::size_t i = 3; i < 6; ++i) QCOMPARE(edited.steps[i].policy_revision, 4);
}

void TestSteering::anEqualPolicyChangesNothing() {
  const wire::RunConfig config = smallRun(6);
  Listening plain;
  const Done without = runToEnd(config, plain);
  run::Control control;
  Listening edited;
  edited.at_step = [&](const wire::StepRecord& step) {
    control.set_policy({.revision = static_cast<int>(step.step) + 1, .policy = config.policy});
  };
  const Done with = runToEnd(config, edited, control);
  QCOMPARE(edited.losses(), plain.losses());
  QCOMPARE(firstDifference(with.tensors, without.tensors), std::string());
}

void TestSteering::aRuleThatMatchesNothingIsReported() {
  wire::RunConfig config = smallRun(1);
  config.policy.sites.push_back(inFloat32("fc9"));
  Listening heard;
  runToEnd(config, heard);
  bool found = false;
  for (const auto& finding : heard.started.front().policy.findings) found = found || finding.rule == 0;
  QVERIFY(found);
}

void TestSteering::aScaleThatIsSetIsUsedInTheNextStep() {
  run::Control control;
  Listening heard;
  heard.at_step = [&](const wire::StepRecord& step) {
    if (step.step == 1) control.set_scale(1024);
  };
  runToEnd(smallRun(4), heard, control);
  QCOMPARE(heard.steps[1].scale, 65536.0);
  QCOMPARE(heard.steps[2].scale, 1024.0);
  QCOMPARE(heard.steps[3].scale, 1024.0);
}

void TestSteering::aScaleThatMakesNoSenseIsRefused() {
  for (const double scale : {0.0, -4.0, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    run::Control control;
    control.set_scale(scale);
    Listening heard;
    runToEnd(smallRun(1), heard, control);
    QCOMPARE(heard.steps[0].scale, 65536.0);
    QVERIFY(!heard.log.empty());
  }
}

void TestSteering::observingCanBeSwitchedOff() {
  run::Control control;
  Listening heard;
  heard.at_step = [&](const wire::StepRecord& step) {
    if (step.step == 0) control.set_observe({.level = "off", .every = 1});
    if (step.step == 1) control.set_observe({.level = "histogram", .every = 1});
  };
  runToEnd(smallRun(3), heard, control);
  QVERIFY(!heard.steps[0].observations.empty());
  QVERIFY(heard.steps[1].observations.empty());
  QVERIFY(!heard.steps[2].observations.empty());
}

void TestSteering::pausedRunsStepByStep() {
  run::Control control;
  control.pause();
  Listening heard;
  std::atomic<int> steps{0};
  std::atomic<int> pauses{0};
  heard.at_step = [&](const wire::StepRecord&) { ++steps; };
  heard.at_state = [&](const wire::StateChanged& change) { pauses += change.state == wire::RunState::kPaused ? 1 : 0; };
  Done done;
  std::thread training([&] { done = runToEnd(smallRun(7), heard, control); });
  QTRY_COMPARE_WITH_TIMEOUT(pauses.load(), 1, 60000);
  QCOMPARE(steps.load(), 0);
  control.step(2);
  QTRY_COMPARE_WITH_TIMEOUT(pauses.load(), 2, 60000);
  QCOMPARE(steps.load(), 2);
  control.resume();
  training.join();
  QCOMPARE(done.finished.outcome, wire::Outcome::kCompleted);
  QCOMPARE(steps.load(), 7);
  Listening plain;
  runToEnd(smallRun(7), plain);
  QCOMPARE(heard.losses(), plain.losses());
}

void TestSteering::editsComeIntoForceWhilePaused() {
  run::Control control;
  control.pause();
  Listening heard;
  std::atomic<int> pauses{0};
  heard.at_state = [&](const wire::StateChanged& change) { pauses += change.state == wire::RunState::kPaused ? 1 : 0; };
  std::thread training([&] { runToEnd(smallRun(2), heard, control); });
  QTRY_COMPARE_WITH_TIMEOUT(pauses.load(), 1, 60000);
  control.set_policy({.revision = 9, .policy = smallRun(2).policy});
  control.resume();
  training.join();
  QCOMPARE(heard.policies.size(), 1u);
  QCOMPARE(heard.policies[0].step, 0);
  QCOMPARE(heard.steps[0].policy_revision, 9);
}

void TestSteering::stopEndsTheRunAfterThePresentStep_data() {
  QTest::addColumn<bool>("cancelled");
  QTest::newRow("stopped") << false;
  QTest::newRow("cancelled") << true;
}

void TestSteering::stopEndsTheRunAfterThePresentStep() {
  QFETCH(const bool, cancelled);
  run::Control control;
  Listening heard;
  heard.at_step = [&](const wire::StepRecord& step) {
    if (step.step == 2) control.stop(cancelled);
  };
  const Done done = runToEnd(smallRun(1000), heard, control);
  QCOMPARE(done.finished.outcome, cancelled ? wire::Outcome::kCancelled : wire::Outcome::kStopped);
  QCOMPARE(done.finished.steps, 3);
  QCOMPARE(heard.steps.size(), 3u);
  QVERIFY(heard.evaluations.empty());
  QCOMPARE(heard.finished.size(), 1u);
}

void TestSteering::stopEndsASetUpThatNeverComesToAnEnd() {
  wire::RunConfig config = smallRun(1);
  config.data.inputs = {"float32[16,8]"};
  config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                 "def forward(self, x: Tensor) -> Tensor:\n"
                                 "    y = torch.linear(x, self.weight, self.bias)\n"
                                 "    while bool(y.isfinite().all()):\n"
                                 "        y = y.clamp(-1, 1)\n"
                                 "    return y\n");
  run::Control control;
  std::thread person;
  Listening heard;
  heard.at_state = [&](const wire::StateChanged& change) {
    if (change.state != wire::RunState::kLoading) return;
    person = std::thread([&control] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      control.stop(/*cancelled=*/true);
    });
  };
  std::optional<ErrorCode> code;
  try {
    const run::Trainer trainer(config, heard, control.stop_token());
  } catch (const Error& error) {
    code = error.code;
  }
  person.join();
  QVERIFY(code == ErrorCode::kCancelled);
  QCOMPARE(heard.states.back().state, wire::RunState::kIdle);
  QVERIFY(heard.started.empty());
}

BINADE_SUITE(TestSteering);
#include "tst_steering.moc"
