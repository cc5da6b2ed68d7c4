// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/silent_fault_detector.h"
#include "engine/words/event_text.h"
#include "tests/silent/seen_steps.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace binade;
using silent::Evidence;
using silent::SilentFaultDetector;
using test::Compared;
using test::SeenStep;
using Kind = wire::WatchedTensor::Kind;
using Reason = wire::SilentGap::Reason;

namespace {

std::string said(const wire::Event& event, std::span<const wire::SiteInfo> sites) {
  return words::sentence_of(event, {sites, {}});
}

Evidence observed() {
  Evidence evidence;
  evidence.observed = true;
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

/// A step whose second call gives only zeros.
SeenStep withADeadCall(std::int64_t step, const formats::Format& format) {
  SeenStep seen(step);
  for (int site = 0; site < 2; ++site) {
    seen.add(site, Kind::kOutput, {site == 1 ? 0.0f : 1.0f}, format);
    seen.add(site, Kind::kOutputGradient, {1}, format);
  }
  return seen;
}

}  // namespace

/// A run, step after step.
class SilentFaultDetection : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void oneEventReportsAKindWithItsWorst();
  void aReportHasThemAllRanked();
  void aHealthyRunHasNone();
  void aSuspicionAsksForAComparison();
  void aComparisonDoesNotNameAgainWhatWasSeen();
  void aComparisonThatFindsNothingIsNotRepeatedAtOnce();
  void withoutAComparisonTheBoundStands();
  void whatIsDeadWaitsForAWordBesideFloat32();
  void deadInFloat32ThereIsNothingToCompare();
  void theNewestUpdatesAreInTheReport();
  void aRunThatWatchesNoOpCallSaysSo();
  void tooFewObservedStepsProveNothing();
  void aSymptomInTooFewStepsIsNamed();
  void aFailedMeasurementIsReportedOnceAndDoesNotCount();
  void whatIsNeverMeasuredLeavesTheAnswerOpen_data();
  void whatIsNeverMeasuredLeavesTheAnswerOpen();
  void sentencesAboutWhatIsNotKnownAreFew();
  void aSumOfMoreSitesThanAreKeptSaysSo();
  void theWorstStepIsNamedBesideAMean();
  void anEditedPolicyIsJudgedAnew();
  void aRunThatGoesBackForgetsItsLosses();
};

void SilentFaultDetection::oneEventReportsAKindWithItsWorst() {
  const auto sites = test::someSites(3);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  for (int i = 0; i < 2; ++i) {
    const SeenStep seen = lossy(i);
    QVERIFY(detector.step(seen.record, seen.tensors, observed()).empty());
  }
  const SeenStep seen = lossy(2);
  const auto events = detector.step(seen.record, seen.tensors, observed());
  QCOMPARE(events.size(), std::size_t{1});
  QVERIFY(events[0].kind == wire::Event::Kind::kSilent);
  QCOMPARE(events[0].step, std::int64_t{2});
  const auto* found = std::get_if<wire::SilentFaultFound>(&events[0].facts);
  QVERIFY(found != nullptr);
  QVERIFY(found->fault.key() == detector.report().faults.front().key());
  QVERIFY(said(events[0], sites)
              .starts_with("The gradient of layer1 (linear) for weight loses 100 % of its norm to 0 in "
                           "float16. 1 more op call does the same. A loss scale of 2^12"));
  const SeenStep later = lossy(3);
  QVERIFY(detector.step(later.record, later.tensors, observed()).empty());
}

void SilentFaultDetection::aReportHasThemAllRanked() {
  const auto sites = test::someSites(3);
  SilentFaultDetector detector(sites);
  detector.begin(5, 10);
  for (int i = 10; i < 20; ++i) {
    const SeenStep seen = lossy(i);
    detector.step(seen.record, seen.tensors, i % 2 == 0 ? observed() : Evidence());
  }
  const wire::SilentReport report = detector.report();
  QCOMPARE(report.policy_revision, 5);
  QCOMPARE(report.first_step, std::int64_t{10});
  QCOMPARE(report.last_step, std::int64_t{19});
  QCOMPARE(report.observed_steps, std::int64_t{5});
  QCOMPARE(report.faults.size(), std::size_t{2});
  QCOMPARE(report.faults[0].site, 1);
  QCOMPARE(report.faults[1].site, 2);
  QCOMPARE(report.faults[0].seen, std::int64_t{5});
}

void SilentFaultDetection::aHealthyRunHasNone() {
  const auto sites = test::someSites(2);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  for (int i = 0; i < 200; ++i) {
    SeenStep seen(i);
    seen.add(0, Kind::kOutput, {1, -2, 0});
    seen.add(0, Kind::kOutputGradient, {0.5f, -0.25f, 0});
    seen.add(1, Kind::kInputGradient, {0.125f, 0x1p-20f, 0});
    Evidence evidence = observed();
    evidence.updates.push_back({"w", formats::kFloat32, 1000, 3, 1e-8, 0.001, 1});
    evidence.logits.push_back({0, formats::kFloat16, 3.0 + 0.01 * i, false});
    QVERIFY(detector.step(seen.record, seen.tensors, evidence).empty());
    QVERIFY(!detector.wants_comparison());
  }
  QVERIFY(detector.report().faults.empty());
  QCOMPARE(detector.report().observed_steps, std::int64_t{200});
}

void SilentFaultDetection::aSuspicionAsksForAComparison() {
  const auto sites = test::someSites(1);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  for (int i = 0; i < 3; ++i) {
    QVERIFY(!detector.wants_comparison());
    const SeenStep seen = suspicious(i);
    QVERIFY(detector.step(seen.record, seen.tensors, observed()).empty());  // no fault by itself
  }
  QVERIFY(detector.wants_comparison());
  wire::Float32Comparison compared;
  compared.step = 3;
  compared.sites = {Compared{.site = 0, .measured = true, .gradient_added = 0.4, .gradient_zeroed = 0.4}};
  const SeenStep seen = suspicious(3);
  const auto events = detector.compared(&compared, seen.tensors);
  QCOMPARE(events.size(), std::size_t{1});
  QVERIFY(said(events[0], sites)
              .starts_with("The backward of layer0 (linear) loses 40 % of its norm to 0 in float16, "
                           "measured beside float32 at step 3."));
  QVERIFY(!detector.wants_comparison());
}

void SilentFaultDetection::aComparisonDoesNotNameAgainWhatWasSeen() {
  const auto sites = test::someSites(3);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  for (int i = 0; i < 3; ++i) {
    const SeenStep seen = lossy(i);
    detector.step(seen.record, seen.tensors, observed());
  }
  SeenStep seen = lossy(3);
  for (int site = 0; site < 3; ++site) seen.add(site, Kind::kOutput, {1});
  wire::Float32Comparison compared;
  compared.sites = {Compared{.site = 0, .gradient_added = 0.3, .gradient_zeroed = 0.3},
                    Compared{.site = 1, .gradient_added = 1, .gradient_zeroed = 1}};
  const auto events = detector.compared(&compared, seen.tensors);
  QCOMPARE(events.size(), std::size_t{1});
  QVERIFY(said(events[0], sites).starts_with("The backward of layer0 (linear) loses 30 %"));
  const auto faults = detector.report().faults;
  QCOMPARE(faults.size(), std::size_t{3});
  QCOMPARE(faults[2].observed_steps, faults[2].seen);  // measured once, on purpose
}

void SilentFaultDetection::aComparisonThatFindsNothingIsNotRepeatedAtOnce() {
  const auto sites = test::someSites(1);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  std::vector<int> asked;
  for (int i = 0; i < 1000; ++i) {
    const SeenStep seen = suspicious(i);
    QVERIFY(detector.step(seen.record, seen.tensors, observed()).empty());
    if (!detector.wants_comparison()) continue;
    asked.push_back(i);
    const wire::Float32Comparison nothing;
    QVERIFY(detector.compared(&nothing, seen.tensors).empty());
  }
  QVERIFY((asked == std::vector{2, 11, 47}));
  QVERIFY(detector.report().faults.empty());
}

void SilentFaultDetection::withoutAComparisonTheBoundStands() {
  const auto sites = test::someSites(1);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  std::vector<wire::Event> events;
  for (int i = 0; i < 10; ++i) {
    const SeenStep seen = suspicious(i);
    for (const auto& event : detector.step(seen.record, seen.tensors, observed())) events.push_back(event);
    if (detector.wants_comparison())
      QVERIFY(detector.compared(nullptr, seen.tensors, {}, "the model refuses it").empty());
  }
  QCOMPARE(events.size(), std::size_t{1});
  const wire::SilentReport report = detector.report();
  const wire::SilentGap bounds{.reason = Reason::kBounds, .why = "the model refuses it"};
  QVERIFY(report.hidden == std::vector{bounds});
  const auto& faults = report.faults;
  QCOMPARE(faults.size(), std::size_t{1});
  QVERIFY(faults[0].bound);
  QCOMPARE(faults[0].amount, 0x1p-3);
}

void SilentFaultDetection::whatIsDeadWaitsForAWordBesideFloat32() {
  const auto sites = test::someSites(2);
  const auto run = [&](bool alive, bool compares) {
    SilentFaultDetector detector(sites);
    detector.begin(0, 0);
    std::vector<wire::Event> events;
    const auto add = [&](std::vector<wire::Event> more) { events.insert(events.end(), more.begin(), more.end()); };
    int comparisons = 0;
    for (int i = 0; i < 12; ++i) {
      const SeenStep seen = withADeadCall(i, formats::kBFloat16);
      add(detector.step(seen.record, seen.tensors, observed()));
      if (!detector.wants_comparison()) continue;
      ++comparisons;
      wire::Float32Comparison compared;
      compared.sites = {Compared{.site = 1, .forward = alive ? 1.0 : 0.0, .added = alive ? 1.0 : 0.0}};
      add(detector.compared(compares ? &compared : nullptr, seen.tensors, {}, compares ? "" : "the model refuses it"));
    }
    const wire::SilentReport report = detector.report();
    return std::tuple(comparisons, events.size(), report.faults.at(0).facts.alive_in_float32, report.hidden);
  };
  const std::vector<wire::SilentGap> nothing;
  QVERIFY(run(true, true) == std::tuple(1, std::size_t{1}, true, nothing));
  QVERIFY(run(false, true) == std::tuple(1, std::size_t{1}, false, nothing));
  const std::vector<wire::SilentGap> not_known{
      {.reason = Reason::kDeadSites, .count = 1, .why = "the model refuses it"}};
  QVERIFY(run(true, false) == std::tuple(1, std::size_t{1}, false, not_known));
}

void SilentFaultDetection::deadInFloat32ThereIsNothingToCompare() {
  const auto sites = test::someSites(2);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  std::size_t events = 0;
  for (int i = 0; i < 12; ++i) {
    const SeenStep seen = withADeadCall(i, formats::kFloat32);
    events += detector.step(seen.record, seen.tensors, observed()).size();
    QVERIFY(!detector.wants_comparison());
  }
  QCOMPARE(events, std::size_t{1});
}

void SilentFaultDetection::theNewestUpdatesAreInTheReport() {
  const auto sites = test::someSites(1);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  for (int i = 0; i < 2; ++i) {
    SeenStep seen(i);
    seen.add(0, Kind::kOutput, {1});
    Evidence evidence = observed();
    silent::UpdateSeen update{"fc.weight", formats::kBFloat16, 90, std::uint64_t(3 * i), 0.01 * i, 0.002, 1};
    update.elements = 100;
    evidence.updates.push_back(update);
    detector.step(seen.record, seen.tensors, evidence);
  }
  const SeenStep bare(2);
  detector.step(bare.record, bare.tensors, {});  // not observed: the newest remains
  const auto updates = detector.report().updates;
  QCOMPARE(updates.size(), std::size_t{1});
  QVERIFY((updates[0] == wire::ParameterUpdate{"fc.weight", formats::kBFloat16, 1, 100, 90, 3, 0.01, 0.002}));
  QVERIFY(detector.report().faults.empty());
  detector.begin(1, 3);
  QVERIFY(detector.report().updates.empty());
}

void SilentFaultDetection::aRunThatWatchesNoOpCallSaysSo() {
  const auto sites = test::someSites(1);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  const SeenStep nothing(0);
  detector.step(nothing.record, nothing.tensors, observed());
  QCOMPARE(detector.report().hidden.size(), std::size_t{1});
  QVERIFY(detector.report().hidden[0].reason == Reason::kNoOpCalls);
  SeenStep something(1);
  something.add(0, Kind::kOutput, {1});
  detector.step(something.record, something.tensors, observed());
  QVERIFY(detector.report().hidden.empty());
}

void SilentFaultDetection::tooFewObservedStepsProveNothing() {
  const auto sites = test::someSites(1);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  for (int i = 0; i < 64; ++i) {
    SeenStep seen(i);
    seen.add(0, Kind::kOutput, {1});
    detector.step(seen.record, seen.tensors, i % 32 == 0 ? observed() : Evidence());
  }
  const wire::SilentReport few = detector.report();
  QCOMPARE(few.steps(), std::int64_t{64});
  QCOMPARE(few.observed_steps, std::int64_t{2});
  QVERIFY(wire::verdict_of(few) == wire::SilentVerdict::kNotKnownYet);
  const wire::MoreObservedSteps more = wire::more_observed_steps(few, 32);
  QCOMPARE(more.steps, std::int64_t{65});  // to step 128
  QCOMPARE(more.every, std::int64_t{12});
  QCOMPARE(wire::more_observed_steps(few, 12).every, std::int64_t{0});  // no smaller one is needed
  for (int i = 64; i < 129; ++i) {
    const SeenStep seen(i);
    detector.step(seen.record, seen.tensors, i % 32 == 0 ? observed() : Evidence());
  }
  QCOMPARE(detector.report().observed_steps, wire::SilentReport::kFewestObservedSteps);
  QVERIFY(wire::verdict_of(detector.report()) == wire::SilentVerdict::kNone);
}

void SilentFaultDetection::aSymptomInTooFewStepsIsNamed() {
  const auto sites = test::someSites(3);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  const auto is_suspicion = [](const wire::SilentGap& gap) { return gap.reason == Reason::kSuspected && gap.fault; };
  for (int i = 0; i < 3; ++i) {
    const auto hidden = detector.report().hidden;
    QCOMPARE(std::count_if(hidden.begin(), hidden.end(), is_suspicion), i == 0 ? 0 : 2);
    const SeenStep seen = lossy(i);
    detector.step(seen.record, seen.tensors, observed());
  }
  QCOMPARE(detector.report().faults.size(), std::size_t{2});
  const auto hidden = detector.report().hidden;
  QVERIFY(std::none_of(hidden.begin(), hidden.end(), is_suspicion));
}

void SilentFaultDetection::aFailedMeasurementIsReportedOnceAndDoesNotCount() {
  const auto sites = test::someSites(1);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  for (int i = 0; i < 40; ++i) {
    SeenStep seen(i);
    seen.add(0, Kind::kOutput, {1});
    Evidence evidence = observed();
    if (i < 4) {
      evidence.updates.push_back({"w", formats::kBFloat16, 100, 90, 0.8, 0.001, 1});
    } else {
      evidence.unmeasured.push_back({wire::SilentFault::Kind::kUpdateLost, -1, "whether updates count", "no memory"});
    }
    detector.step(seen.record, seen.tensors, evidence);
  }
  const wire::SilentReport report = detector.report();
  QCOMPARE(report.hidden.size(), std::size_t{1});
  const wire::SilentGap gap{.reason = Reason::kUnmeasured, .what = "whether updates count", .why = "no memory"};
  QVERIFY(report.hidden[0] == gap);
  // Steps in which updates were not measured are no sign that they are well.
  QCOMPARE(report.faults.size(), std::size_t{1});
  QCOMPARE(report.faults[0].observed_steps, std::int64_t{4});
  detector.begin(1, 40);
  QVERIFY(detector.report().hidden.empty());
}

void SilentFaultDetection::whatIsNeverMeasuredLeavesTheAnswerOpen_data() {
  QTest::addColumn<int>("failed");
  QTest::addColumn<int>("steps");
  QTest::addColumn<int>("observed");
  QTest::addColumn<bool>("reported");
  QTest::addColumn<wire::SilentVerdict>("verdict");
  using enum wire::SilentVerdict;
  QTest::newRow("always") << 50 << 50 << 0 << true << kNotKnownYet;
  QTest::newRow("all but four times") << 46 << 50 << 4 << true << kNotKnownYet;
  QTest::newRow("all but five times") << 45 << 50 << 5 << false << kNone;
  QTest::newRow("once") << 1 << 50 << 49 << false << kNone;
}

void SilentFaultDetection::whatIsNeverMeasuredLeavesTheAnswerOpen() {
  QFETCH(int, failed);
  QFETCH(int, steps);
  QFETCH(int, observed);
  QFETCH(bool, reported);
  QFETCH(wire::SilentVerdict, verdict);
  const auto sites = test::someSites(1);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  for (int i = 0; i < steps; ++i) {
    SeenStep seen(i);
    seen.add(0, Kind::kOutput, {1});
    Evidence evidence = ::observed();
    if (i < failed) {
      evidence.unmeasured.push_back({wire::SilentFault::Kind::kUpdateLost, -1, "whether updates count", "no memory"});
    }
    detector.step(seen.record, seen.tensors, evidence);
  }
  const wire::SilentReport report = detector.report();
  QCOMPARE(report.observed_steps, std::int64_t{observed});
  QCOMPARE(wire::verdict_of(report), verdict);
  QCOMPARE(report.hidden.size(), std::size_t{reported ? 1U : 0U});
}

void SilentFaultDetection::sentencesAboutWhatIsNotKnownAreFew() {
  const auto sites = test::someSites(40);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  SeenStep seen(0);
  for (int site = 0; site < 40; ++site) seen.add(site, Kind::kInputGradient, {0x1p-26f});
  Evidence evidence = observed();
  for (int site = 0; site < 40; ++site) {
    evidence.unmeasured.push_back({wire::SilentFault::Kind::kLostSum, site, "what the sum loses", "no memory"});
  }
  detector.step(seen.record, seen.tensors, evidence);
  QCOMPARE(detector.report().hidden.size(), std::size_t{22});
}

void SilentFaultDetection::aSumOfMoreSitesThanAreKeptSaysSo() {
  const auto sites = test::someSites(2);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  SeenStep seen(0);
  seen.add(0, Kind::kOutput, {1});
  Evidence evidence = observed();
  silent::SumSeen& sum = evidence.sums.emplace_back();
  sum.site = 1;
  sum.sites = {0, 1};
  detector.step(seen.record, seen.tensors, evidence);
  QVERIFY(detector.report().hidden.empty());
  sum.cut = true;
  detector.step(SeenStep(1).record, seen.tensors, evidence);
  QCOMPARE(detector.report().hidden.size(), std::size_t{1});
  QVERIFY((detector.report().hidden[0] == wire::SilentGap{.reason = Reason::kCutSum, .site = 1, .count = 2}));
}

void SilentFaultDetection::theWorstStepIsNamedBesideAMean() {
  const auto sites = test::someSites(1);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  for (int i = 0; i < 4; ++i) {
    SeenStep seen(i);
    seen.add(0, Kind::kOutput, {1});
    Evidence evidence = observed();
    evidence.updates.push_back({"w", formats::kBFloat16, 100, 90, i == 2 ? 0.8 : 0.4, 0.001, 1});
    detector.step(seen.record, seen.tensors, evidence);
  }
  const wire::SilentFault fault = detector.report().faults.at(0);
  QVERIFY(std::abs(fault.amount - 0.5) < 1e-9);
  QCOMPARE(fault.worst_step.value_or(-1), std::int64_t{2});
  QCOMPARE(fault.facts.share, 0.8);
}

void SilentFaultDetection::anEditedPolicyIsJudgedAnew() {
  const auto sites = test::someSites(3);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  for (int i = 0; i < 5; ++i) {
    const SeenStep seen = lossy(i);
    detector.step(seen.record, seen.tensors, observed());
  }
  detector.begin(1, 5);
  QVERIFY(detector.report().faults.empty());
  QCOMPARE(detector.report().policy_revision, 1);
}

void SilentFaultDetection::aRunThatGoesBackForgetsItsLosses() {
  const auto sites = test::someSites(1);
  SilentFaultDetector detector(sites);
  detector.begin(0, 0);
  const auto step = [&](std::int64_t number, double loss) {
    SeenStep seen(number);
    seen.record.loss = loss;
    return detector.step(seen.record, seen.tensors, Evidence());
  };
  for (int i = 0; i < 60; ++i) step(i, 1 + 0.01 * (i % 2));
  detector.begin(0, 0);  // back to the start, where the loss was high
  QVERIFY(step(0, 9).empty());
  for (int i = 1; i < 60; ++i) step(i, 1 + 0.01 * (i % 2));
  detector.begin(1, 60);  // two edits, and on
  detector.begin(2, 60);
  QCOMPARE(step(60, 9).size(), std::size_t{1});
}

BINADE_SUITE(SilentFaultDetection);
#include "tst_silent_fault_detector.moc"
