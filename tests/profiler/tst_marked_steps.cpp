// SPDX-License-Identifier: Apache-2.0
#include "profiler/marked_steps.h"
#include "tests/support/suite.h"

using namespace binade::profiler;

namespace binade::test {

/// Which launches belong to steps whose op calls are marked.
class StepMarks : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aLaunchBelongsToTheStepItWasMadeIn();
  void withoutStepsAllIsOne();
  void aLaunchOfUnknownTimeIsNobodysOnlyBesideOtherSteps();
  void onlyTheNewestAreRemembered();
};

void StepMarks::aLaunchBelongsToTheStepItWasMadeIn() {
  MarkedSteps steps;
  steps.begin(true, 100);
  steps.end(200);
  steps.begin(false, 250);
  steps.end(300);
  steps.begin(true, 350);
  QVERIFY(!steps.in_marked_step(99));
  QVERIFY(steps.in_marked_step(100));
  QVERIFY(steps.in_marked_step(199));
  QVERIFY(!steps.in_marked_step(200));  // between steps: an evaluation
  QVERIFY(!steps.in_marked_step(299));
  QVERIFY(steps.in_marked_step(1'000'000));
}

void StepMarks::withoutStepsAllIsOne() {
  MarkedSteps steps;
  QVERIFY(steps.in_marked_step(0));
  QVERIFY(steps.in_marked_step(77));
  steps.begin(false, 50);
  steps.clear();
  QVERIFY(steps.in_marked_step(77));
}

void StepMarks::aLaunchOfUnknownTimeIsNobodysOnlyBesideOtherSteps() {
  MarkedSteps steps;
  steps.begin(true, 100);
  steps.end(200);
  QVERIFY(steps.in_marked_step(0));
  steps.begin(false, 250);
  QVERIFY(!steps.in_marked_step(0));
}

void StepMarks::onlyTheNewestAreRemembered() {
  MarkedSteps steps;
  for (std::uint64_t i = 1; i <= 100'000; ++i) {
    steps.begin(true, 10 * i);
    steps.end(10 * i + 5);
  }
  QVERIFY(steps.in_marked_step(1'000'000));
  QVERIFY(!steps.in_marked_step(1'000'006));
  QVERIFY(!steps.in_marked_step(10));  // forgotten: nobody's
}

BINADE_SUITE(StepMarks);

}  // namespace binade::test

#include "tst_marked_steps.moc"
