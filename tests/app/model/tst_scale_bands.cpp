// SPDX-License-Identifier: Apache-2.0
// The safe scale band: from the run's gradients to the pixels behind the loss-scale line.
#include "app/docks/scale_dock.h"
#include "app/docks/scale_edit.h"
#include "app/model/band_track.h"
#include "app/model/run_model.h"
#include "engine/formats/tensor_stats.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"
#include "views/plot/step_axis.h"
#include "views/theme.h"

#include <QTest>

#include <cmath>
#include <vector>

namespace {

using namespace binade;

// Gradients of these magnitudes, each as often.
formats::TensorStats statsOf(const std::vector<float>& values, const formats::Format& format) {
  return formats::measure(values, format);
}

class ScaleBands : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theBandNamesWhoSetsEachEdge() {
    // At scale 1: one gradient reaches 1, the other is 2^-20 throughout.
    const auto large = statsOf({1.0F, 0.5F}, formats::kFloat16);
    const auto small = statsOf(std::vector<float>(8, std::exp2(-20.0F)), formats::kFloat16);
    app::BandTrack track;
    track.add(5, {{7, {&large, formats::kFloat16, 0}}, {9, {&small, formats::kFloat16, 0}}});
    QCOMPARE(static_cast<int>(track.points().size()), 1);
    const app::BandPoint& point = track.points().front();
    QCOMPARE(point.highest.value_or(99), 15);  // 2^15 fits, 2^16 does not
    QCOMPARE(point.highest_tensor, 7);
    QVERIFY(point.lowest.has_value());
    QVERIFY(*point.lowest >= -5 && *point.lowest <= -3);  // 2^-20 * 2^-4 is float16's smallest
    QCOMPARE(point.lowest_tensor, 9);
    QVERIFY(!point.empty());
  }

  void gradientsThatContradictEachOtherLeaveNoBand() {
    const auto large = statsOf({std::exp2(40.0F)}, formats::kFloat16);
    const auto small = statsOf(std::vector<float>(8, std::exp2(-40.0F)), formats::kFloat16);
    app::BandTrack track;
    track.add(0, {{1, {&large, formats::kFloat16, 0}}, {2, {&small, formats::kFloat16, 0}}});
    QVERIFY(track.points().front().empty());
  }

  void gradientsThatTellNothingSetNoBand() {
    const auto zeros = statsOf(std::vector<float>(8, 0.0F), formats::kFloat16);
    const auto nans = statsOf(std::vector<float>(8, std::nanf("")), formats::kFloat16);
    const auto some = statsOf({1.0F}, formats::kFloat16);
    app::BandTrack track;
    track.add(0, {{1, {&zeros, formats::kFloat16, 0}}, {2, {&nans, formats::kFloat16, 0}}});
    QVERIFY(track.points().empty());  // not a band in which every scale is safe
    track.add(1, {{1, {&zeros, formats::kFloat16, 0}}, {3, {&some, formats::kFloat16, 0}}});
    QCOMPARE(static_cast<int>(track.points().size()), 1);
    QCOMPARE(track.points().front().silent, 1);
    QVERIFY(track.points().front().bound);
    QCOMPARE(track.points().front().highest_tensor, 3);
  }

  void aLongRunKeepsABoundedNumberOfPoints() {
    const auto stats = statsOf({1.0F}, formats::kFloat16);
    app::BandTrack track;
    for (int step = 0; step < 20000; ++step) track.add(step, {{1, {&stats, formats::kFloat16, 0}}});
    QVERIFY(track.points().size() < app::BandTrack::kMostPoints);
    QVERIFY(track.points().size() >= app::BandTrack::kMostPoints / 2);
    QCOMPARE(track.points().front().step, std::int64_t(0));
    QVERIFY(track.points().back().step > 19900);
    QVERIFY(track.at(10000) != nullptr);
    QVERIFY(track.at(-1) == nullptr);
  }

  void theRunsBandBoundsTheScaleThatWorked() {
    app::RunModel run;
    test::feedRun(run, 120);
    QVERIFY(!run.band().points().empty());
    int checked = 0;
    for (const app::StepPoint& step : run.steps()) {
      const app::BandPoint* point = run.band().at(step.step);
      if (point == nullptr || point->step != step.step || !point->highest) continue;
      // What a step that was skipped shows tells of no band; of the others each lay below its band's edge.
      QVERIFY(step.stepped);
      QVERIFY(std::log2(step.scale) <= *point->highest);
      ++checked;
    }
    QVERIFY(checked > 50);
  }

  void aRewindForgetsTheBandBehindIt() {
    app::RunModel run;
    test::feedRun(run, 40);
    run.rewind(10);
    QVERIFY(run.band().points().back().step < 10);
  }

  void theCrosshairSaysWhoSetsTheEdges() {
    app::RunModel run;
    views::StepAxis axis;
    app::ScaleDock dock(&run, &axis);
    test::feedRun(run, 60);
    const QString words = dock.plot()->valuesAt(50);
    QVERIFY2(words.contains(QStringLiteral("safe ")), qPrintable(words));
    QVERIFY2(words.contains(QStringLiteral("first overflow above")), qPrintable(words));
    QVERIFY2(words.contains(QStringLiteral("fc2/aten::linear#0")), qPrintable(words));
  }

  void aRunWithoutAScalerHasNoScaleAndNoBand() {
    app::RunModel run;
    views::StepAxis axis;
    app::ScaleDock dock(&run, &axis);
    test::FakeRun fake;
    wire::RunStarted started = fake.started();
    started.config.scaler.enabled = false;
    run.begin(started, app::RunModel::Source::kLive);
    for (int i = 0; i < 40; ++i) run.addSteps({fake.next()});
    QVERIFY(!run.band().points().empty());
    QVERIFY(dock.plot()->series().empty());
    QCOMPARE(dock.plot()->accessibleDescription(),
             QStringLiteral("This run has no loss scaler. Its loss is not multiplied before backward, so there is no "
                            "scale to show."));
    QVERIFY(dock.editor()->text().isEmpty() && !dock.editor()->isEnabled());
    // Another run in the same window may have one.
    test::feedRun(run, 40);
    QVERIFY(!dock.plot()->series().empty());
    QVERIFY(!dock.editor()->text().isEmpty());
  }

  // It was measured before rounding there, and its event says the same.
  void ofAReplayedStepTheCrosshairSaysTheReplaysBand() {
    app::RunModel run;
    views::StepAxis axis;
    app::ScaleDock dock(&run, &axis);
    test::feedRun(run, 60);
    wire::Diagnosis found = test::benignOverflow(131072);
    found.band = wire::ScaleBand{-3, 16};
    run.addEvent(test::diagnosed(50, wire::Event::Kind::kGradientOverflow, 131072, found));
    QVERIFY2(dock.plot()->valuesAt(50).contains(QStringLiteral("safe 2⁻³ … 2¹⁶ (replay)")),
             qPrintable(dock.plot()->valuesAt(50)));
    QVERIFY(!dock.plot()->valuesAt(49).contains(QStringLiteral("replay")));
  }

  void anEmptyBandIsDrawnAsSuch() {
    views::StepAxis axis;
    views::ScalePlot plot(&axis);
    plot.resize(600, 300);
    for (int step = 0; step < 100; ++step) {
      plot.append(step, 65536);
      plot.appendBand(step, 18, 14);  // below 2^18 values are lost, above 2^14 they overflow
    }
    const QImage image = plot.toImage();
    const views::Colors& c = views::colors();
    const QPoint inside = QPointF(plot.stepToX(50), plot.valueToY(15)).toPoint();
    const QPoint above = QPointF(plot.stepToX(50), plot.valueToY(18.8)).toPoint();
    int crimson = 0;
    int ground = 0;
    for (int dx = -8; dx <= 8; ++dx) {
      const QColor pixel = image.pixelColor(inside + QPoint(dx, 0));
      ground += pixel == c.crimsonGround ? 1 : 0;
      crimson += pixel != c.crimsonGround && pixel.red() > pixel.green() + 20 ? 1 : 0;
      QVERIFY(image.pixelColor(above + QPoint(dx, 0)) != c.crimsonGround);
    }
    QVERIFY(ground > 3);
    QVERIFY(crimson > 1);
    plot.clear();
    for (int step = 0; step < 100; ++step) {
      plot.append(step, 65536);
      plot.appendBand(step, 14, 18);
    }
    QCOMPARE(plot.toImage().pixelColor(QPointF(plot.stepToX(50), plot.valueToY(15)).toPoint()), c.band);
  }
};

BINADE_SUITE(ScaleBands);

}  // namespace

#include "tst_scale_bands.moc"
