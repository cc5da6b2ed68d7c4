// SPDX-License-Identifier: Apache-2.0
// A run as it was at an earlier step is the run that had come that far.
#include "app/model/site_history.h"
#include "app/present/diagnose_answers.h"
#include "app/present/shown_words.h"
#include "app/present/site_figures.h"
#include "app/present/site_format.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <optional>
#include <vector>

namespace {

using namespace binade;
using app::RunModel;

constexpr int kShownEditAt = 60;
constexpr int kShownSteps = 95;  // the scans of each are kept

// Feeds `steps` steps, with an edit of fc2 and times of op calls every 20 steps.
void feedWithEdit(RunModel& run, int steps) {
  test::FakeRun fake;
  run.begin(fake.started(), RunModel::Source::kLive);
  run.setState({wire::RunState::kRunning, 0});
  for (int i = 0; i < steps; ++i) {
    if (i == kShownEditAt) {
      policy::Policy edited = test::FakeRun::config().policy;
      policy::SiteRule rule;
      rule.match = "fc2/aten::linear#0";
      rule.format = formats::kBFloat16;
      edited.sites = {rule};
      run.addPolicy(fake.setPolicy(edited, 1));
    }
    run.addSteps({fake.next()});
    if (fake.event() != nullptr) run.addEvent(*fake.event());
    if (i % 20 == 19) run.addProfile(test::cpuProfile(i - 19, i));
  }
}

bool sameNumber(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

class ShownSteps : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aRunAtAStepIsTheRunThatHadComeThatFar_data() {
    QTest::addColumn<int>("step");
    for (const int step :
         {0, 1, 7, 11, 30, kShownEditAt - 1, kShownEditAt, kShownEditAt + 1, 80, kShownSteps - 2, kShownSteps - 1})
      QTest::addRow("step %d", step) << step;
  }
  void aRunAtAStepIsTheRunThatHadComeThatFar() {
    QFETCH(const int, step);
    RunModel whole;
    feedWithEdit(whole, kShownSteps);
    RunModel then;
    feedWithEdit(then, step + 1);
    whole.showStep(step);
    QCOMPARE(whole.shownSteps(), then.steps().size());
    QCOMPARE(whole.shownPoint().next_scale, then.steps().back().next_scale);
    QCOMPARE(whole.shownPolicy().revision, then.policies().back().revision);
    QCOMPARE(whole.observedUnderPolicy(), then.observedUnderPolicy());
    for (const wire::SiteInfo& site : whole.sites()) {
      const app::SiteFigures shown = app::figuresOf(whole, site.id);
      const app::SiteFigures wanted = app::figuresOf(then, site.id);
      QVERIFY2(sameNumber(shown.doublings, wanted.doublings), site.key.name().c_str());
      QVERIFY2(sameNumber(shown.forward, wanted.forward), site.key.name().c_str());
      QVERIFY2(sameNumber(shown.backward, wanted.backward), site.key.name().c_str());
      QVERIFY2(sameNumber(shown.safe_scale, wanted.safe_scale), site.key.name().c_str());
      QCOMPARE(shown.overflows.own, wanted.overflows.own);
      QCOMPARE(shown.overflows.cast, wanted.overflows.cast);
      QCOMPARE(shown.overflows.earlier, wanted.overflows.earlier);
      QCOMPARE(shown.observed_step, wanted.observed_step);
      QCOMPARE(shown.unseen_since, wanted.unseen_since);
      QCOMPARE(app::siteFormat(whole, site.id).name, app::siteFormat(then, site.id).name);
      QCOMPARE(whole.changedAt(site.id), then.changedAt(site.id));
      QVERIFY(*whole.decision(site.id) == *then.decision(site.id));
    }
    QVERIFY(app::scaleAnswer(whole) == app::scaleAnswer(then));
    QVERIFY(app::lossAnswer(whole) == app::lossAnswer(then));
    QVERIFY(app::nonFiniteAnswer(whole) == app::nonFiniteAnswer(then));
    // Times are those of the newest profile by then.
    QCOMPARE(whole.shownProfile().last_step, then.profile().latest().last_step);
  }

  void theNewestStepIsShownAgain() {
    RunModel run;
    feedWithEdit(run, kShownSteps);
    const app::SiteFigures newest = app::figuresOf(run, test::kFc2);
    run.showStep(5);
    QVERIFY(run.shownStep() == std::optional<std::int64_t>(5));
    QVERIFY(!sameNumber(app::figuresOf(run, test::kFc2).doublings, newest.doublings));
    QVERIFY(run.newestDecision(test::kFc2)->format == formats::kBFloat16);
    QVERIFY(run.decision(test::kFc2)->format == formats::kFloat16);
    run.showStep(std::nullopt);
    QVERIFY(!run.shownStep());
    QVERIFY(sameNumber(app::figuresOf(run, test::kFc2).doublings, newest.doublings));
  }

  void aStepBetweenTwoRecordedOnesIsTheEarlierOne() {
    RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    wire::StepRecord record = fake.next();
    run.addSteps({record});
    record = fake.next();
    record.step = 10;
    run.addSteps({record});
    run.showStep(7);
    QVERIFY(run.shownStep() == std::optional<std::int64_t>(0));
    run.showStep(-3);  // before the run there is nothing to show
    QVERIFY(!run.shownStep());
  }

  void aChoiceIsOneFrame() {
    RunModel run;
    feedWithEdit(run, 20);
    QSignalSpy frames(&run, &RunModel::frame);
    QSignalSpy changes(&run, &RunModel::shownStepChanged);
    QVERIFY(frames.wait() || frames.count() > 0);
    frames.clear();
    run.showStep(4);
    run.showStep(4);
    QCOMPARE(changes.count(), 1);
    QCOMPARE(frames.count(), 1);
    run.showStep(std::nullopt);
    run.showStep(std::nullopt);
    QCOMPARE(changes.count(), 2);
    QCOMPARE(frames.count(), 2);
  }

  void aLiveRunGoesOnBehindAnEarlierStep() {
    RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    for (int i = 0; i < 20; ++i) run.addSteps({fake.next()});
    run.showStep(8);
    const app::SiteFigures shown = app::figuresOf(run, test::kConv1);
    for (int i = 0; i < 100; ++i) run.addSteps({fake.next()});
    QCOMPARE(run.steps().size(), std::size_t{120});
    QVERIFY(run.shownStep() == std::optional<std::int64_t>(8));
    QVERIFY(sameNumber(app::figuresOf(run, test::kConv1).doublings, shown.doublings));
    QCOMPARE(app::shownText(run, 8), QStringLiteral("step 8"));
    QCOMPARE(app::shownText(run, 6), QStringLiteral("step 8, observed at 6"));
    QCOMPARE(app::laterText(run, 90), QStringLiteral("of step 90, after the shown one"));
    QVERIFY(app::laterText(run, 8).isEmpty());
    // Another version of the run has other steps.
    run.rewind(4);
    QVERIFY(!run.shownStep());
  }

  void oldScansAreKeptCoarser() {
    app::TensorTrack track{{}, app::HistogramTrack(16), {}};
    formats::TensorStats stats;
    stats.scan = true;
    constexpr int kMany = 10'000;
    for (int step = 0; step < kMany; ++step) {
      stats.largest = static_cast<float>(step + 1);
      stats.overflow = 1;
      track.addScan(step, 1, stats);
    }
    QVERIFY(track.scans.size() <= app::TensorTrack::kMostScans);
    QVERIFY(track.older_scans.size() <= app::TensorTrack::kMostOlderScans);
    std::uint64_t overflow = 0;
    std::int64_t next = 0;
    for (const app::ScanPoint& scan : track.older_scans) {
      QCOMPARE(scan.first_step, next);  // none is missing
      QCOMPARE(scan.largest, static_cast<float>(scan.step + 1));
      next = scan.step + 1;
      overflow += scan.overflow;
    }
    QCOMPARE(track.scans.front().step, next);
    QCOMPARE(overflow, static_cast<std::uint64_t>(kMany) - track.scans.size());
    const app::ScanPoint* at = track.scanAt(1234);
    QVERIFY(at != nullptr && at->first_step <= 1234 && at->step >= 1234);
    track.dropFrom(1234);
    QVERIFY(track.scans.empty());
    QVERIFY(track.older_scans.back().step < 1234);
    track.addScan(1234, 1, stats);
    QVERIFY(track.scanAt(1234)->first_step == 1234);
  }
};

}  // namespace

BINADE_SUITE(ShownSteps);
#include "tst_shown_steps.moc"
