// SPDX-License-Identifier: Apache-2.0
#include "engine/run/control.h"
#include "tests/support/suite.h"

#include <atomic>
#include <thread>

using binade::run::Control;

class TestControl : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void runsUntilAskedOtherwise();
  void stepRunsThatManyThenPauses();
  void resumeForgetsStepsLeft();
  void theLatestSettingReplacesAnEarlierOne();
  void settingsAreTakenWhilePaused();
  void stopWinsOverEverything();
  void aStopTokenTellsOfTheStop();
  void waitingThreadWakesForEveryRequest();
};

void TestControl::runsUntilAskedOtherwise() {
  Control control;
  for (int i = 0; i < 3; ++i) QVERIFY(control.take(false).run_step);
  control.pause();
  const auto next = control.take(false);
  QVERIFY(!next.run_step);
  QVERIFY(next.paused);
  control.resume();
  QVERIFY(control.take(true).run_step);
}

void TestControl::stepRunsThatManyThenPauses() {
  Control control;
  control.pause();
  control.step(2);
  control.step();
  for (int i = 0; i < 3; ++i) QVERIFY(control.take(true).run_step);
  QVERIFY(control.take(false).paused);
}

void TestControl::resumeForgetsStepsLeft() {
  Control control;
  control.step(5);
  QVERIFY(control.take(false).run_step);
  control.resume();
  for (int i = 0; i < 10; ++i) QVERIFY(control.take(false).run_step);
  control.pause();
  QVERIFY(control.take(false).paused);
}

void TestControl::theLatestSettingReplacesAnEarlierOne() {
  Control control;
  for (int revision = 1; revision <= 3; ++revision) control.set_policy({.revision = revision, .policy = {}});
  control.set_scale(4);
  control.set_scale(8);
  const auto next = control.take(false);
  QCOMPARE(next.policy->revision, 3);
  QCOMPARE(next.scales.size(), std::size_t{1});
  QCOMPARE(next.scales[0].second, 8.0);
  QVERIFY(!next.observe);
  QVERIFY(next.run_step);
  QVERIFY(!control.take(false).policy);
}

void TestControl::settingsAreTakenWhilePaused() {
  Control control;
  control.pause();
  control.set_observe({.level = "off", .every = 1});
  const auto next = control.take(true);
  QVERIFY(next.paused);
  QVERIFY(next.observe.has_value());
}

void TestControl::stopWinsOverEverything() {
  Control control;
  control.stop(true);
  control.stop();
  control.resume();
  control.step(4);
  QVERIFY(control.stop_requested());
  const auto next = control.take(true);
  QVERIFY(next.stop);
  QVERIFY(next.cancelled);
  QVERIFY(!next.run_step);
}

void TestControl::aStopTokenTellsOfTheStop() {
  Control control;
  const std::stop_token token = control.stop_token();
  QVERIFY(!token.stop_requested() && !control.stop_requested());
  control.stop();
  QVERIFY(token.stop_requested() && control.stop_requested());
}

void TestControl::waitingThreadWakesForEveryRequest() {
  Control control;
  control.pause();
  std::atomic<int> steps{0};
  std::atomic<int> scales{0};
  std::thread training([&] {
    while (true) {
      const auto next = control.take(true);
      if (!next.scales.empty()) ++scales;
      if (next.run_step) ++steps;
      if (next.stop) return;
    }
  });
  for (int i = 1; i <= 50; ++i) {
    control.step();
    control.set_scale(i);
    QTRY_COMPARE(steps.load(), i);
  }
  QTRY_VERIFY(scales.load() >= 1);
  control.stop();
  training.join();
  QCOMPARE(steps.load(), 50);
}

BINADE_SUITE(TestControl);
#include "tst_control.moc"
