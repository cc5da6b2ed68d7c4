// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/judge.h"
#include "tests/silent/seen_steps.h"
#include "tests/support/suite.h"

using namespace binade;
using silent::Evidence;
using silent::Judge;
using test::SeenStep;
using Kind = wire::WatchedTensor::Kind;

namespace {

Evidence looked() {
  Evidence evidence;
  evidence.looked = true;
  return evidence;
}

/// A step whose gradients at sites 1 and 2 lose a share; the second less.
SeenStep lossy(std::int64_t step) {
  SeenStep seen(step);
  seen.add(1, Kind::kInputGradient, {0x1p-26f});
  seen.add(2, Kind::kInputGradient, {0x1p-26f, 0x1p-25f, 0x1p-24f});
  return seen;
}

/// A step whose gradient was seen after rounding, and lies low.
SeenStep suspicious(std::int64_t step) {
  SeenStep seen(step);
  seen.add(0, Kind::kOutput, {1});
  seen.add(0, Kind::kOutputGradient, std::vector<float>(64, 0x1p-22f)).censored = true;
  return seen;
}

}  // namespace

/// A run, step after step.
class SilentJudge : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void oneEventTellsOfAKindWithItsWorst();
  void aReportHasThemAllRanked();
  void aHealthyRunHasNone();
  void aSuspicionAsksForAComparison();
  void aComparisonDoesNotNameAgainWhatWasSeen();
  void aComparisonThatFindsNothingIsNotRepeatedAtOnce();
  void withoutAComparisonTheBoundStands();
  void anEditedPolicyIsJudgedAnew();
  void aRunThatGoesBackForgetsItsLosses();
};

void SilentJudge::oneEventTellsOfAKindWithItsWorst() {
  const auto sites = test::someSites(3);
  Judge judge(sites);
  judge.begin(0, 0);
  for (int i = 0; i < 2; ++i) {
    const SeenStep seen = lossy(i);
    QVERIFY(judge.step(seen.record, seen.tensors, looked()).empty());
  }
  const SeenStep seen = lossy(2);
  const auto events = judge.step(seen.record, seen.tensors, looked());
  QCOMPARE(events.size(), std::size_t{1});
  QVERIFY(events[0].kind == wire::Event::Kind::kSilent);
  QCOMPARE(events[0].step, std::int64_t{2});
  QVERIFY(
      events[0].sentence.starts_with("The gradient of layer1 (linear) for weight loses 100 % of its norm to 0 in "
                                     "float16. 1 more op call does the same. A loss scale of 2^12"));
  const SeenStep later = lossy(3);
  QVERIFY(judge.step(later.record, later.tensors, looked()).empty());
}

void SilentJudge::aReportHasThemAllRanked() {
  const auto sites = test::someSites(3);
  Judge judge(sites);
  judge.begin(5, 10);
  for (int i = 10; i < 20; ++i) {
    const SeenStep seen = lossy(i);
    judge.step(seen.record, seen.tensors, i % 2 == 0 ? looked() : Evidence());
  }
  const wire::SilentReport report = judge.report();
  QCOMPARE(report.policy_revision, 5);
  QCOMPARE(report.first_step, std::int64_t{10});
  QCOMPARE(report.last_step, std::int64_t{19});
  QCOMPARE(report.looked, std::int64_t{5});
  QCOMPARE(report.faults.size(), std::size_t{2});
  QCOMPARE(report.faults[0].site, 1);
  QCOMPARE(report.faults[1].site, 2);
  QCOMPARE(report.faults[0].seen, std::int64_t{5});
}

void SilentJudge::aHealthyRunHasNone() {
  const auto sites = test::someSites(2);
  Judge judge(sites);
  judge.begin(0, 0);
  for (int i = 0; i < 200; ++i) {
    SeenStep seen(i);
    seen.add(0, Kind::kOutput, {1, -2, 0});
    seen.add(0, Kind::kOutputGradient, {0.5f, -0.25f, 0});
    seen.add(1, Kind::kInputGradient, {0.125f, 0x1p-20f, 0});
    Evidence evidence = looked();
    evidence.updates.push_back({"w", formats::kFloat32, 1000, 3, 1e-8, 0.001, 1});
    evidence.logits.push_back({0, formats::kFloat16, 3.0 + 0.01 * i, false});
    QVERIFY(judge.step(seen.record, seen.tensors, evidence).empty());
    QVERIFY(!judge.wants_comparison());
  }
  QVERIFY(judge.report().faults.empty());
  QCOMPARE(judge.report().looked, std::int64_t{200});
}

void SilentJudge::aSuspicionAsksForAComparison() {
  const auto sites = test::someSites(1);
  Judge judge(sites);
  judge.begin(0, 0);
  for (int i = 0; i < 3; ++i) {
    QVERIFY(!judge.wants_comparison());
    const SeenStep seen = suspicious(i);
    QVERIFY(judge.step(seen.record, seen.tensors, looked()).empty());  // no fault by itself
  }
  QVERIFY(judge.wants_comparison());
  wire::Float32Comparison compared;
  compared.step = 3;
  compared.sites = {{0, 1, 0, 0, true, {}, {}, 0.4}};
  const SeenStep seen = suspicious(3);
  const auto events = judge.compared(&compared, seen.tensors);
  QCOMPARE(events.size(), std::size_t{1});
  QVERIFY(
      events[0].sentence.starts_with("The backward of layer0 (linear) loses 40 % of its norm in float16, measured "
                                     "beside float32 at step 3."));
  QVERIFY(!judge.wants_comparison());
}

void SilentJudge::aComparisonDoesNotNameAgainWhatWasSeen() {
  const auto sites = test::someSites(3);
  Judge judge(sites);
  judge.begin(0, 0);
  for (int i = 0; i < 3; ++i) {
    const SeenStep seen = lossy(i);
    judge.step(seen.record, seen.tensors, looked());
  }
  SeenStep seen = lossy(3);
  for (int site = 0; site < 3; ++site) seen.add(site, Kind::kOutput, {1});
  wire::Float32Comparison compared;
  compared.sites = {{0, 1, 0, 0, true, {}, {}, 0.3}, {1, 1, 0, 0, true, {}, {}, 1}};
  const auto events = judge.compared(&compared, seen.tensors);
  QCOMPARE(events.size(), std::size_t{1});
  QVERIFY(events[0].sentence.starts_with("The backward of layer0 (linear) loses 30 %"));
  const auto faults = judge.report().faults;
  QCOMPARE(faults.size(), std::size_t{3});
  QCOMPARE(faults[2].looked, faults[2].seen);  // measured once, on purpose
}

void SilentJudge::aComparisonThatFindsNothingIsNotRepeatedAtOnce() {
  const auto sites = test::someSites(1);
  Judge judge(sites);
  judge.begin(0, 0);
  std::vector<int> asked;
  for (int i = 0; i < 1000; ++i) {
    const SeenStep seen = suspicious(i);
    QVERIFY(judge.step(seen.record, seen.tensors, looked()).empty());
    if (!judge.wants_comparison()) continue;
    asked.push_back(i);
    const wire::Float32Comparison nothing;
    QVERIFY(judge.compared(&nothing, seen.tensors).empty());
  }
  QVERIFY((asked == std::vector{2, 11, 47}));
  QVERIFY(judge.report().faults.empty());
}

void SilentJudge::withoutAComparisonTheBoundStands() {
  const auto sites = test::someSites(1);
  Judge judge(sites);
  judge.begin(0, 0);
  std::vector<wire::Event> events;
  for (int i = 0; i < 10; ++i) {
    const SeenStep seen = suspicious(i);
    for (const auto& event : judge.step(seen.record, seen.tensors, looked())) events.push_back(event);
    if (judge.wants_comparison()) QVERIFY(judge.compared(nullptr, seen.tensors).empty());
  }
  QCOMPARE(events.size(), std::size_t{1});
  const auto faults = judge.report().faults;
  QCOMPARE(faults.size(), std::size_t{1});
  QVERIFY(faults[0].bound);
  QCOMPARE(faults[0].amount, 0x1p-3);
}

void SilentJudge::anEditedPolicyIsJudgedAnew() {
  const auto sites = test::someSites(3);
  Judge judge(sites);
  judge.begin(0, 0);
  for (int i = 0; i < 5; ++i) {
    const SeenStep seen = lossy(i);
    judge.step(seen.record, seen.tensors, looked());
  }
  judge.begin(1, 5);
  QVERIFY(judge.report().faults.empty());
  QCOMPARE(judge.report().policy_revision, 1);
}

void SilentJudge::aRunThatGoesBackForgetsItsLosses() {
  const auto sites = test::someSites(1);
  Judge judge(sites);
  judge.begin(0, 0);
  const auto step = [&](std::int64_t number, double loss) {
    SeenStep seen(number);
    seen.record.loss = loss;
    return judge.step(seen.record, seen.tensors, Evidence());
  };
  for (int i = 0; i < 60; ++i) step(i, 1 + 0.01 * (i % 2));
  judge.begin(0, 0);  // back to the start, where the loss was high
  QVERIFY(step(0, 9).empty());
  for (int i = 1; i < 60; ++i) step(i, 1 + 0.01 * (i % 2));
  judge.begin(1, 60);  // two edits, and on
  judge.begin(2, 60);
  QCOMPARE(step(60, 9).size(), std::size_t{1});
}

BINADE_SUITE(SilentJudge);
#include "tst_judge.moc"
