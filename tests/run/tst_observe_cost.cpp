// SPDX-License-Identifier: Apache-2.0
#include "engine/run/observe_cost.h"
#include "engine/words/observe_cost_text.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <cmath>

using namespace binade;
using observe::Level;
using run::CostMeter;

namespace {

/// Steps in a row, as a training would do them; `level` says what a step wants, `seconds` what it takes.
template <class Level, class Seconds>
CostMeter metered(int steps, bool leaves_bare, Level level, Seconds seconds) {
  CostMeter meter;
  meter.begin(leaves_bare);
  for (int step = 0; step < steps; ++step) {
    const auto wanted = level(step);
    const auto at = meter.wants_bare() ? observe::Level::kOff : wanted;
    meter.stepped({.step = step, .level = at, .seconds = seconds(step, at), .timed = false, .ordinary = true});
  }
  return meter;
}

bool close(double a, double b) {
  return std::abs(a - b) < 1e-9;
}

}  // namespace

/// What observing costs is measured by the run itself, from neighbouring steps.
class Cost : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void sampledStepsAreSetBesideTheirNeighbours() {
    const CostMeter meter = metered(
        321, true, [](int step) { return step % 16 == 0 ? Level::kHistogram : Level::kOff; },
        [](int, Level at) { return at == Level::kOff ? 1.0 : 1.16; });
    const auto cost = meter.cost();
    QVERIFY(cost);
    QCOMPARE(cost->first_step, 0);
    QCOMPARE(cost->last_step, 320);
    QVERIFY(close(cost->observed, 1.0 / 16));
    QVERIFY(close(cost->step_ratio, 1.16));
    QVERIFY(close(cost->ratio, 1.01));
    QVERIFY(close(cost->low, 1.01) && close(cost->high, 1.01));
    QCOMPARE(cost->pairs, 19);  // the last observed step has no step after it
  }

  void aMachineThatGetsSlowerChangesNothing() {
    const CostMeter meter = metered(
        321, true, [](int step) { return step % 16 == 0 ? Level::kHistogram : Level::kOff; },
        [](int step, Level at) { return (1 + 0.01 * step) * (at == Level::kOff ? 1.0 : 1.16); });
    QVERIFY(close(meter.cost()->step_ratio, 1.16));
  }

  void whereEveryStepIsLookedAtOneIsLeftBare() {
    int bare = 0;
    const CostMeter meter = metered(
        400, true, [](int) { return Level::kFinite; },
        [&](int, Level at) {
          bare += at == Level::kOff;
          return at == Level::kOff ? 1.0 : 1.05;
        });
    QVERIFY2(bare > 400 / 32 && bare < 400 / 16, qPrintable(QString::number(bare)));
    QVERIFY(close(meter.cost()->step_ratio, 1.05));
    QVERIFY(meter.cost()->ratio < 1.05 && meter.cost()->ratio > 1.045);
  }

  void onRequestNoStepIsLeftBareAndNothingIsSaid() {
    const CostMeter meter = metered(
        400, false, [](int) { return Level::kFinite; }, [](int, Level) { return 1.0; });
    QVERIFY(!meter.wants_bare());
    QVERIFY(!meter.cost());
  }

  void levelsCountByHowOftenTheyAreMet() {
    const CostMeter meter = metered(
        4000, true, [](int step) { return step % 4 == 0 ? Level::kHistogram : Level::kFinite; },
        [](int, Level at) { return at == Level::kOff      ? 1.0
                                   : at == Level::kFinite ? 1.1
                                                          : 1.5; });
    const auto cost = meter.cost();
    QVERIFY(cost);
    QVERIFY2(std::abs(cost->ratio - 1.2) < 0.01, qPrintable(QString::number(cost->ratio)));
  }

  void whatIsNoOrdinaryStepIsComparedWithNothing() {
    CostMeter meter;
    meter.begin(true);
    for (int step = 0; step < 400; ++step) {
      const bool observed = step % 2 == 0;
      const bool timed = step % 5 == 0;
      const bool skipped = step % 7 == 0;
      meter.stepped({.step = step,
                     .level = observed ? Level::kHistogram : Level::kOff,
                     .seconds = (observed ? 1.25 : 1.0) + (timed ? 10 : 0) + (skipped ? 100 : 0),
                     .timed = timed,
                     .ordinary = !skipped});
    }
    QVERIFY(close(meter.cost()->step_ratio, 1.25));
  }

  void beforeThereAreEnoughPairsNothingIsSaid() {
    const auto level = [](int step) { return step % 2 == 0 ? Level::kHistogram : Level::kOff; };
    const auto seconds = [](int, Level) { return 1.0; };
    QVERIFY(!metered(6, true, level, seconds).cost());
    CostMeter known = metered(60, true, level, seconds);
    QVERIFY(known.cost());
    QVERIFY(known.due());
    QVERIFY(!known.due());  // it was told just now
    known.begin(true);
    QVERIFY(!known.cost());
  }

  void anIntervalThatSaysNothingIsTooShortToTell() {
    wire::ObserveCost cost;
    cost.pairs = 7;
    cost.observed = 0.5;
    cost.ratio = cost.step_ratio = 1.1;
    cost.low = 0.7;
    cost.high = 1.6;
    QVERIFY(!wire::is_known(cost));
    QVERIFY(words::observe_cost_text(cost).find("too few steps to measure (95 %: -30.0 to +60.0 %)") !=
            std::string::npos);
    QVERIFY(words::observe_cost_text(std::nullopt).find("too few steps to measure") != std::string::npos);
    cost.low = 1.05;  // wide, and beyond doubt
    QVERIFY(wire::is_known(cost));
    cost.low = 0.99;
    cost.high = 1.02;
    QVERIFY(wire::is_known(cost));
    QVERIFY(words::observe_cost_text(cost).starts_with("observing changed the time of training by +10.0 %"));
  }

  void aStepThatTakesMuchLongerWhenLookedAtIsNamed() {
    const auto textAt = [](double ratio) {
      const CostMeter meter = metered(
          321, true, [](int step) { return step % 16 == 0 ? Level::kHistogram : Level::kOff; },
          [=](int, Level at) { return at == Level::kOff ? 1.0 : ratio; });
      return words::observe_cost_text(meter.cost());
    };
    QVERIFY(textAt(3).find("an observed step takes 3.0 times as long as an unobserved one") != std::string::npos);
    QVERIFY(textAt(1.2).find("times as long") == std::string::npos);
  }

  void aRunTellsItsListenersWhatObservingCosts() {
    wire::RunConfig config = test::smallRun(60);
    config.scaler.init_scale = 1024;
    config.observe.every = 2;
    test::Listening heard;
    test::runToEnd(config, heard);
    QVERIFY(!heard.costs.empty());
    const wire::ObserveCost& cost = heard.costs.back();
    QCOMPARE(cost.last_step, 59);
    QVERIFY(cost.pairs >= 6);
    QVERIFY(std::abs(cost.observed - 0.5) < 0.05);
    QVERIFY(cost.low <= cost.ratio && cost.ratio <= cost.high);
    config.observe.level = "off";
    test::Listening unseen;
    test::runToEnd(config, unseen);
    QVERIFY(unseen.costs.empty());
  }

  void aRunThatIsLookedAtOnEveryStepLeavesSomeBareUnlessToldNotTo() {
    const auto bare = [](bool measured) {
      wire::RunConfig config = test::smallRun(40);
      config.scaler.init_scale = 1024;
      config.observe = {.level = "finite", .every = 1};
      config.observe.measure_cost = measured;
      test::Listening heard;
      test::runToEnd(config, heard);
      return std::count_if(heard.steps.begin(), heard.steps.end(),
                           [](const wire::StepRecord& step) { return step.observations.empty(); });
    };
    QCOMPARE(bare(true), 5);
    QCOMPARE(bare(false), 0);
  }
};

BINADE_SUITE(Cost);
#include "tst_observe_cost.moc"
