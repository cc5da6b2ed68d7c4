// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/scale_rule.h"
#include "tests/lessons/computed.h"
#include "tests/support/suite.h"

namespace binade::test {

// The dynamic scaler of the lessons against PyTorch's rule.
class SimulatedScaler : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anOverflowHalvesTheScaleAndRestartsTheCount();
  void twoThousandCleanStepsDoubleTheScale();
  void growthStopsBeforeInfinity();
  void theFirstStepsSkip();
  void theScaleFallsBelowOne();
  void growthOverflowsAndBacksOff();
  void stepsGoOnWithTheLastMaximum();
  void anOverflowIsDrawnInItsZone();
};

void SimulatedScaler::anOverflowHalvesTheScaleAndRestartsTheCount() {
  lessons::DynamicScale state;
  for (int i = 0; i < 1999; ++i) state = lessons::after_step(state, false);
  QCOMPARE(state.scale, 65536.0);
  QCOMPARE(state.tracker, 1999);
  state = lessons::after_step(state, true);
  QCOMPARE(state.scale, 32768.0);
  QCOMPARE(state.tracker, 0);
  for (int i = 0; i < 1999; ++i) state = lessons::after_step(state, false);
  QCOMPARE(state.scale, 32768.0);
  state = lessons::after_step(state, false);
  QCOMPARE(state.scale, 65536.0);
}

void SimulatedScaler::twoThousandCleanStepsDoubleTheScale() {
  QCOMPARE(fact(computed("scaler", {{"maxima", "1e-3"}, {"steps", "1999"}}), "final"), 65536.0);
  const auto grown = computed("scaler", {{"maxima", "1e-3"}, {"steps", "2000"}});
  QCOMPARE(fact(grown, "final"), 131072.0);
  QCOMPARE(fact(grown, "growths"), 1.0);
  QCOMPARE(fact(grown, "tracker"), 0.0);
  // Eight doublings reach 2^24.
  QCOMPARE(fact(computed("scaler", {{"maxima", "1e-6"}, {"steps", "16000"}}), "final_exponent"), 24.0);
}

void SimulatedScaler::growthStopsBeforeInfinity() {
  const auto end = computed("scaler", {{"maxima", "0"}, {"steps", "10"}, {"interval", "1"}, {"scale", "2^126"}});
  QCOMPARE(fact(end, "final_exponent"), 127.0);
  QCOMPARE(fact(end, "growths"), 1.0);
}

void SimulatedScaler::theFirstStepsSkip() {
  // 4 x 65536, 4 x 32768 and 4 x 16384 = 65536 overflow; 4 x 8192 does not.
  const auto scaler = computed("scaler", {{"maxima", "10x4"}});
  QCOMPARE(fact(scaler, "skipped"), 3.0);
  QCOMPARE(fact(scaler, "first_clean"), 4.0);
  QCOMPARE(fact(scaler, "after_first"), 32768.0);
  QCOMPARE(fact(scaler, "final"), 8192.0);
  QCOMPARE(fact(scaler, "tracker"), 7.0);
}

void SimulatedScaler::theScaleFallsBelowOne() {
  const auto sixteen = computed("scaler", {{"maxima", "16xinf"}});
  QCOMPARE(fact(sixteen, "final"), 1.0);
  QCOMPARE(fact(sixteen, "below_1"), 0.0);
  const auto more = computed("scaler", {{"maxima", "20xinf"}});
  QCOMPARE(fact(more, "final"), 0.0625);
  QCOMPARE(fact(more, "below_1"), 18.0);
  QCOMPARE(fact(more, "first_clean"), 0.0);
}

void SimulatedScaler::growthOverflowsAndBacksOff() {
  // 1 x 32768 is held, 1 x 65536 is not: grows after three clean steps, skips one, and so on.
  const auto scaler = computed("scaler", {{"maxima", "8x1"}, {"scale", "32768"}, {"interval", "3"}});
  QCOMPARE(fact(scaler, "growths"), 2.0);
  QCOMPARE(fact(scaler, "skipped"), 2.0);
  QCOMPARE(fact(scaler, "highest"), 65536.0);
  QCOMPARE(fact(scaler, "lowest"), 32768.0);
}

void SimulatedScaler::stepsGoOnWithTheLastMaximum() {
  const auto scaler = computed("scaler", {{"maxima", "1 4"}, {"steps", "5"}, {"scale", "16384"}});
  QCOMPARE(fact(scaler, "steps"), 5.0);
  QCOMPARE(fact(scaler, "skipped"), 1.0);
}

void SimulatedScaler::anOverflowIsDrawnInItsZone() {
  const auto scaler = computed("scaler", {{"maxima", "4 inf 4 1e9 1"}, {"scale", "8192"}});
  const auto& panel = scaler.panels.at(1);
  QCOMPARE(panel.x.low, scaler.panels.at(0).x.low);
  QCOMPARE(panel.x.high, scaler.panels.at(0).x.high);
  const auto& points = panel.series.front().points;
  QCOMPARE(points.size(), std::size_t{5});
  for (const std::size_t overflow : {std::size_t{1}, std::size_t{3}}) {
    QVERIFY(points[overflow].y >= 65520 && points[overflow].y < panel.y.high);
  }
  QCOMPARE(points[2].y, 16384.0);  // 4 x 4096
}

BINADE_SUITE(SimulatedScaler);

}  // namespace binade::test

#include "tst_simulated_scaler.moc"
