// SPDX-License-Identifier: Apache-2.0
#include "app/docks/scale_dock.h"
#include "app/docks/series_dock.h"
#include "app/model/run_model.h"
#include "app/model/site_history.h"
#include "app/present/site_figures.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <memory>

namespace {

using namespace binade;
using app::RunModel;

int siteNamed(const RunModel& run, const std::string& name) {
  for (const wire::SiteInfo& site : run.sites()) {
    if (site.key.name() == name) return site.id;
  }
  return -1;
}

policy::Policy conv1In(const formats::Format& format) {
  policy::Policy edited;
  edited.sites.push_back(
      {.match = "conv1/aten::conv2d#0", .call = {}, .format = format, .backward = {}, .overflow = {}, .why = {}});
  return edited;
}

class RunModels : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aRunHoldsItsStepsEventsAndTensors() {
    RunModel run;
    QVERIFY(run.isEmpty());
    QSignalSpy steps(&run, &RunModel::stepsAdded);
    test::feedRun(run, 100);
    QCOMPARE(run.steps().size(), std::size_t{100});
    QCOMPARE(steps.count(), 100);
    QVERIFY(run.isActive());
    QVERIFY(!run.events().empty());
    QVERIFY(run.hasObservations());
    QCOMPARE(run.indexOfStep(42), 42);
    QCOMPARE(run.indexOfStep(-1), -1);
    QCOMPARE(run.indexOfStep(5000), 99);
    QCOMPARE(app::overflowsAt(run, siteNamed(run, "fc2/aten::linear#0")).own, static_cast<int>(run.events().size()));
    QCOMPARE(app::overflowsAt(run, siteNamed(run, "conv1/aten::conv2d#0")).all(), 0);
  }

  void aMillionStepsTakeBoundedMemoryAndStayExact() {
    RunModel run;
    test::FakeRun fake;
    const app::ScaleDock scale(&run, new views::StepAxis(&run));
    const std::unique_ptr<app::SeriesDock> loss(app::makeLossDock(&run, new views::StepAxis(&run), nullptr));
    run.begin(fake.started(), RunModel::Source::kLive);
    const auto bytes = [&] {
      return run.steps().bytes() + scale.plot()->series().bytes() + loss->plot()->series(0).bytes();
    };
    const auto record = [](std::int64_t step) {
      wire::StepRecord record;
      record.step = step;
      record.loss = std::sin(static_cast<double>(step));
      record.scale = record.next_scale = 1024;
      record.seconds = 0.001;
      record.policy_revision = static_cast<int>(step % 3);
      return record;
    };
    std::size_t early = 0;
    for (std::int64_t step = 0; step < 1'000'000;) {
      std::vector<wire::StepRecord> batch;
      for (int i = 0; i < 5000; ++i) batch.push_back(record(step++));
      run.addSteps(batch);
      if (step == 100'000) early = bytes();
    }
    QCOMPARE(run.steps().size(), std::size_t{1'000'000});
    QVERIFY2(bytes() < early + 300'000, qPrintable(QStringLiteral("%1 bytes, then %2").arg(early).arg(bytes())));
    for (const std::int64_t step : {0, 1, 77'777, 500'000, 999'998, 999'999}) {
      QCOMPARE(run.indexOfStep(step), static_cast<int>(step));
      const app::StepPoint point = run.steps()[static_cast<std::size_t>(step)];
      QCOMPARE(point.step, step);
      QCOMPARE(point.loss, std::sin(static_cast<double>(step)));
      QCOMPARE(point.policy_revision, static_cast<int>(step % 3));
      QCOMPARE(loss->plot()->series(0).valueAt(static_cast<std::size_t>(step)), point.loss);
    }
    run.rewind(123'456);
    QCOMPARE(run.steps().size(), std::size_t{123'456});
    QCOMPARE(run.steps().back().loss, std::sin(123'455.0));
  }

  // The charts draw the run's own series: over a rewind, and in a dock that is made later, they show every step.
  void chartsShowEveryStepOfARunOverARewind() {
    RunModel run;
    const app::ScaleDock scale(&run, new views::StepAxis(&run));
    const std::unique_ptr<app::SeriesDock> loss(app::makeLossDock(&run, new views::StepAxis(&run), nullptr));
    const auto check = [&](const views::ScalePlot& scales, const views::LinePlot& losses) {
      QCOMPARE(losses.series(0).size(), run.steps().size());
      QCOMPARE(scales.series().size(), run.steps().size());
      std::int64_t skips = 0, back_offs = 0, growths = 0;
      for (std::size_t i = 0; i < run.steps().size(); ++i) {
        const app::StepPoint point = run.steps()[i];
        QCOMPARE(losses.series(0).stepAt(i), point.step);
        QVERIFY(losses.series(0).valueAt(i) == point.loss || !std::isfinite(point.loss));
        QCOMPARE(scales.series().valueAt(i), std::log2(point.scale));
        skips += point.stepped ? 0 : 1;
        back_offs += point.next_scale < point.scale ? 1 : 0;
        growths += point.next_scale > point.scale ? 1 : 0;
      }
      QVERIFY(skips > 0 && back_offs > 0);
      QCOMPARE(views::countMarks(losses.marks(), views::MarkKind::kSkipped), skips);
      QCOMPARE(views::countMarks(scales.marks(), views::MarkKind::kSkipped), skips);
      QCOMPARE(views::countMarks(scales.marks(), views::MarkKind::kBackOff), back_offs);
      QCOMPARE(views::countMarks(scales.marks(), views::MarkKind::kGrowth), growths);
      QCOMPARE(losses.stepAxis()->latest(), run.steps().back().step);
    };
    const auto checkAll = [&] {
      check(*scale.findChild<views::ScalePlot*>(), *loss->plot());
      const app::ScaleDock later_scale(&run, new views::StepAxis(&run));
      const std::unique_ptr<app::SeriesDock> later(app::makeLossDock(&run, new views::StepAxis(&run), nullptr));
      check(*later_scale.findChild<views::ScalePlot*>(), *later->plot());
    };
    test::feedRun(run, 100);
    checkAll();
    loss->plot()->stepAxis()->forgetData();  // as the window does before a run of other steps
    run.rewind(60);
    QCOMPARE(run.stepSeries().seconds.lastStep(), std::int64_t{59});
    checkAll();
  }

  void aStepThatComesAgainReplacesWhatCameAfter() {
    RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kFile);
    const wire::StepRecord first = fake.next();
    const wire::StepRecord second = fake.next();
    QSignalSpy reset(&run, &RunModel::reset);
    run.addSteps({first, second, fake.next()});
    QCOMPARE(reset.count(), 0);
    run.addSteps({second});
    QCOMPARE(run.steps().size(), std::size_t{2});
    QCOMPARE(run.steps().back().step, second.step);
    QCOMPARE(reset.count(), 1);
  }

  void rewindingForgetsWhatCameAfter() {
    RunModel run;
    test::feedRun(run, 100);
    run.addCheckpoint({"edit-40", 40, "edit", 0, "sample:cnn", 1});
    run.addCheckpoint({"edit-70", 70, "edit", 1, "sample:cnn", 1});
    QCOMPARE(run.checkpointAtEdit()->file, std::string("edit-70"));
    run.rewind(60);
    QCOMPARE(run.steps().size(), std::size_t{60});
    QCOMPARE(run.checkpointAtEdit()->file, std::string("edit-40"));
    for (const wire::Event& event : run.events()) QVERIFY(event.step < 60);
    QCOMPARE(app::overflowsAt(run, siteNamed(run, "fc2/aten::linear#0")).own, static_cast<int>(run.events().size()));
    QVERIFY(!run.tensors().empty());
    for (const auto& [id, track] : run.tensors()) QVERIFY(track.histograms.latestStep() < 60);
    QVERIFY(run.isActive());
  }

  void aStepWithoutHistogramsLeavesTheLastOneStanding() {
    RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    run.addSteps({fake.next()});
    wire::StepRecord checked = fake.next();
    for (wire::Observation& observation : checked.observations) {
      const std::uint64_t count = observation.stats.count;
      observation.stats = {};
      observation.stats.count = count;
    }
    run.addSteps({checked});
    QVERIFY(!run.tensors().empty());
    for (const auto& [id, track] : run.tensors()) {
      if (track.tensor.kind == wire::WatchedTensor::Kind::kOutput) continue;
      QCOMPARE(track.histograms.size(), 1);
      QCOMPARE(track.histograms.latestStep(), 0);
    }
    QCOMPARE(run.steps().size(), std::size_t{2});
  }

  void anEditGivesTheTensorANewIdAndTheOldOneIsKept() {
    RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    run.addSteps({fake.next()});
    const int site = siteNamed(run, "conv1/aten::conv2d#0");
    const std::vector<int> before = run.tensorsOf(site);
    run.addPolicy(fake.setPolicy(conv1In(formats::kBFloat16), 1));
    run.addSteps({fake.next()});
    const std::vector<int> after = run.tensorsOf(site);
    QCOMPARE(after.size(), before.size());
    QVERIFY(after != before);
    QVERIFY(run.tensor(before.front()) != nullptr);
    QVERIFY(run.tensor(after.front())->tensor.format == formats::kBFloat16);
    QCOMPARE(run.changedAt(site), std::optional<std::int64_t>(1));
    QVERIFY(!run.changedAt(siteNamed(run, "fc2/aten::linear#0")).has_value());
  }

  void afterTheUndoOfAnEditATensorGoesOnUnderItsFormerId() {
    RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    wire::StepRecord first = fake.next();
    run.addSteps({first});
    const int site = siteNamed(run, "conv1/aten::conv2d#0");
    const std::vector<int> before = run.tensorsOf(site);
    run.addPolicy(fake.setPolicy(conv1In(formats::kBFloat16), 1));
    run.addSteps({fake.next()});
    QVERIFY(run.tensorsOf(site) != before);
    run.addPolicy(fake.setPolicy({}, 2));
    first.new_tensors.clear();  // an engine declares a tensor in one format once
    first.step = 2;
    QSignalSpy added(&run, &RunModel::tensorsAdded);
    run.addSteps({first});
    QCOMPARE(run.tensorsOf(site), before);
    QCOMPARE(added.count(), 1);
    first.step = 3;
    run.addSteps({first});
    QCOMPARE(added.count(), 1);
  }

  void ofTwoFormatsInOneStepTheNewerStays() {
    RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    const wire::StepRecord first = fake.next();
    run.addSteps({first});
    const int site = siteNamed(run, "conv1/aten::conv2d#0");
    run.addPolicy(fake.setPolicy(conv1In(formats::kBFloat16), 1));
    wire::StepRecord both = fake.next();
    run.addSteps({both});
    const std::vector<int> after = run.tensorsOf(site);
    both.step = 2;
    both.new_tensors.clear();
    both.observations.insert(both.observations.begin(), first.observations.begin(), first.observations.end());
    run.addSteps({both});
    QCOMPARE(run.tensorsOf(site), after);
  }

  void anArgumentThatIsCastNoMoreIsForgotten() {
    RunModel run;
    test::FakeRun fake;
    wire::RunConfig config = test::FakeRun::config();
    config.observe.inputs = true;
    fake.restart(config);
    run.begin(fake.started(), RunModel::Source::kLive);
    const int site = siteNamed(run, "conv1/aten::conv2d#0");
    const auto play = [&] {
      wire::StepRecord record = fake.next();
      record.next_scale = 1024;  // far from what its gradient could overflow at
      for (const wire::WatchedTensor& tensor : record.new_tensors) {
        if (tensor.site != site || tensor.kind != wire::WatchedTensor::Kind::kInput) continue;
        for (wire::Observation& each : record.observations) {
          if (each.tensor != tensor.id) continue;
          each.stats.largest = 1e5F;
          each.stats.overflow = 3;
        }
      }
      run.addSteps({record});
    };
    play();
    QCOMPARE(app::figuresOf(run, site).sentence, QStringLiteral("Overflows in its format"));
    // The fix: until a step shows what it does, there are no figures of the op call.
    run.addPolicy(fake.setPolicy(conv1In(formats::kFloat32), 1));
    QVERIFY(std::isnan(app::figuresOf(run, site).doublings));
    play();
    QVERIFY(app::figuresOf(run, site).doublings > 1);
    QVERIFY(!app::figuresOf(run, site).attention);
  }

  void undoingAnEditTakesItsMarkAway() {
    RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    const int site = siteNamed(run, "conv1/aten::conv2d#0");
    run.addPolicy(fake.setPolicy(conv1In(formats::kFloat32), 1));
    QVERIFY(run.changedAt(site).has_value());
    run.addPolicy(fake.setPolicy({}, 2));
    QVERIFY(!run.changedAt(site).has_value());
  }

  void doublingsLeftSpeakOfThePresentScale() {
    RunModel run;
    test::feedRun(run, 60);
    const int site = siteNamed(run, "fc2/aten::linear#0");
    const app::SiteFigures figures = app::figuresOf(run, site);
    QVERIFY(figures.decisive_tensor >= 0);
    // By hand, over the newest 50 steps: gradients scale with the loss scale, so each is brought to the present one.
    const double scale_now = run.steps().back().next_scale;
    double expected = INFINITY;
    for (const int id : run.tensorsOf(site)) {
      const auto& track = *run.tensor(id);
      const bool gradient = track.tensor.kind != wire::WatchedTensor::Kind::kOutput;
      for (int i = 0; i < track.histograms.size(); ++i) {
        const auto column = track.histograms.column(i);
        if (column.last_step + 50 < run.steps().back().step) continue;
        const double left = std::log2(65520.0 / static_cast<double>(column.largest)) +
                            (gradient ? std::log2(column.scale / scale_now) : 0);
        expected = std::min(expected, left);
      }
      for (const app::ScanPoint& scan : track.scans) {
        if (scan.step + 50 < run.steps().back().step) continue;
        expected = std::min(expected, std::log2(65520.0 / static_cast<double>(scan.largest)));
      }
    }
    QCOMPARE(figures.doublings, expected);
    QVERIFY(figures.overflows.own > 0);
  }

  void aScannedOutputThatIsNearlyTooLargeIsTight() {
    RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    run.setState({wire::RunState::kRunning, 0});
    const int site = siteNamed(run, "conv1/aten::conv2d#0");
    const auto play = [&](float largest, std::uint64_t overflow) {
      wire::StepRecord record = fake.next();
      record.next_scale = 1024;  // far from what its gradient could overflow at
      for (wire::Observation& observation : record.observations) {
        if (!observation.stats.scan) continue;
        observation.stats.largest = largest;
        observation.stats.overflow = overflow;
      }
      run.addSteps({record});
    };
    play(100, 0);
    QVERIFY(app::figuresOf(run, site).doublings > 9);
    play(40000, 0);
    const app::SiteFigures tight = app::figuresOf(run, site);
    QCOMPARE(tight.doublings, std::log2(65520.0 / 40000));
    QCOMPARE(run.tensor(tight.decisive_tensor)->tensor.kind, wire::WatchedTensor::Kind::kOutput);
    QCOMPARE(tight.sentence, QStringLiteral("Tight: below one doubling"));
    play(80000, 3);
    QCOMPARE(app::figuresOf(run, site).sentence, QStringLiteral("Overflows in its format"));
    // It is of the newest steps that the figures speak, and no more than those are kept.
    for (int i = 0; i < 100; ++i) play(100, 0);
    QVERIFY(app::figuresOf(run, site).doublings > 9);
    QVERIFY(!run.tensors().empty());
    for (const auto& [id, track] : run.tensors()) QVERIFY(track.scans.size() <= app::TensorTrack::kMostScans);
  }

  void aCallWithoutAFiniteValueStandsFirstAndAMaskDoesNot() {
    RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    run.setState({wire::RunState::kRunning, 0});
    const int site = siteNamed(run, "conv1/aten::conv2d#0");
    const auto play = [&](std::uint64_t above, std::uint64_t below) {
      wire::StepRecord record = fake.next();
      formats::TensorStats stats;
      stats.scan = true;
      stats.count = 8;
      stats.positive_infinity = above;
      stats.negative_infinity = below;
      for (wire::Observation& observation : record.observations) {
        const auto named = std::find_if(record.new_tensors.begin(), record.new_tensors.end(),
                                        [&](const auto& tensor) { return tensor.id == observation.tensor; });
        const int of = named != record.new_tensors.end() ? named->site : run.tensor(observation.tensor)->tensor.site;
        if (observation.stats.scan && of == site) observation.stats = stats;
      }
      run.addSteps({record});
    };
    play(0, 8);  // a mask is asked to be -inf
    QVERIFY(!app::figuresOf(run, site).nothing_finite);
    play(8, 0);
    const app::SiteFigures figures = app::figuresOf(run, site);
    QVERIFY(figures.nothing_finite);
    QVERIFY(figures.attention);
    QCOMPARE(figures.doublings, -std::numeric_limits<double>::infinity());
    QVERIFY(figures.sentence.startsWith(QStringLiteral("No finite value")));
    QCOMPARE(run.tensor(figures.decisive_tensor)->tensor.kind, wire::WatchedTensor::Kind::kOutput);
  }

  void whatComesBeforeTheRunIsLeftOut() {
    RunModel run;
    test::FakeRun fake;
    run.addPolicy(fake.setPolicy({}, 1));
    run.addSteps({fake.next()});
    run.addEvent({});
    run.addEvaluation({});
    QVERIFY(run.isEmpty());
    QVERIFY(run.policies().empty());
    QVERIFY(run.steps().empty());
    QVERIFY(run.events().empty());
    QVERIFY(run.evaluations().empty());
  }

  void lostIsAShareOfTheNormNotOfTheElements() {
    formats::TensorStats stats;
    // A million tiny values and one large: nearly all elements are lost, and next to nothing of the norm.
    stats.count = 1000001;
    stats.binades[static_cast<std::size_t>(-30 - formats::kFirstBinade)] = 1000000;
    stats.binades[static_cast<std::size_t>(0 - formats::kFirstBinade)] = 1;
    stats.sum_of_squares = 1.5 * 1.5 + 1e6 * std::pow(1.5 * std::exp2(-30), 2);
    app::HistogramTrack track;
    track.append(0, 1, stats);
    const double lost = app::lostShare(track.column(0), formats::kFloat16);
    QVERIFY(lost > 0);
    QVERIFY(lost < 1e-5);
    QCOMPARE(app::lostShare(track.column(0), formats::kBFloat16), 0.0);
  }

  void whatIsLostIsCountedWhereTheEngineCountedIt() {
    RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    wire::StepRecord record = fake.next();
    const int fc2 = siteNamed(run, "fc2/aten::linear#0");
    const double estimated = [&] {
      RunModel other;
      other.begin(fake.started(), RunModel::Source::kLive);
      other.addSteps({record});
      return app::figuresOf(other, fc2).lost;
    }();
    for (wire::Observation& each : record.observations) {
      if (each.stats.scan) continue;
      // Exactly a quarter of the norm, in every format.
      formats::NamedCounts named;
      for (formats::FormatCounts& format : named) format = {1, 0, 0, each.stats.sum_of_squares / 16, 0, 0};
      each.stats.named = named;
    }
    run.addSteps({record});
    QVERIFY(estimated < 0.1);
    QVERIFY2(std::abs(app::figuresOf(run, fc2).lost - 0.25) < 1e-9,
             qPrintable(QString::number(app::figuresOf(run, fc2).lost)));
  }

  void aCallWithoutATensorIsKnownNeverToHaveRunOnceThereAreObservations() {
    RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    const int dropout = siteNamed(run, "dropout/aten::dropout#0");
    QVERIFY(app::figuresOf(run, dropout).executed);
    run.addSteps({fake.next()});
    QVERIFY(!app::figuresOf(run, dropout).executed);
    QVERIFY(app::figuresOf(run, siteNamed(run, "relu/aten::relu#0")).executed);
  }

  void theEndIsToldOnce() {
    RunModel run;
    test::feedRun(run, 3);
    QSignalSpy changed(&run, &RunModel::stateChanged);
    run.finish({wire::Outcome::kStopped, 3, {}, {}});
    run.finish({wire::Outcome::kFailed, 3, "late", {}});
    run.setState({wire::RunState::kRunning, 3});
    QCOMPARE(changed.count(), 1);
    QVERIFY(!run.isActive());
    QVERIFY(run.finished()->outcome == wire::Outcome::kStopped);
  }

  void aNewRunForgetsTheOldOne() {
    RunModel run;
    test::feedRun(run, 30);
    test::feedRun(run, 2);
    QCOMPARE(run.steps().size(), std::size_t{2});
    QVERIFY(run.events().size() <= 2);
    QCOMPARE(run.policies().size(), std::size_t{1});
  }
};

BINADE_SUITE(RunModels);

}  // namespace

#include "tst_run_model.moc"
