// SPDX-License-Identifier: Apache-2.0
// The verdict on constructed trainings.
#include "engine/trial/judge.h"
#include "tests/support/suite.h"
#include "tests/trial/arms.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace binade;
using test::changed;
using test::drawn;
using test::learning;
using test::trialOf;
using wire::TrialVerdict;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Case {
  std::string name;
  wire::Trial trial;
  TrialVerdict verdict;
  std::optional<std::int64_t> worse_from;
};

/// What one unit in the last place makes of the losses while nothing amplifies it.
std::vector<double> rounded(const std::vector<double>& losses) {
  return changed(losses, [](std::size_t step) { return step % 2 == 0 ? 1e-7 : -1e-7; });
}

wire::Trial tried(const std::function<double(std::size_t step)>& by, std::size_t steps = 100) {
  const std::vector<double> before = learning(steps);
  return trialOf(before, changed(before, by), rounded(before));
}

wire::Trial with(wire::Trial trial, const std::function<void(wire::TrialSeed&)>& change) {
  change(trial.seeds.front());
  return trial;
}

std::function<double(std::size_t)> from(std::size_t first, double by) {
  return [=](std::size_t step) { return step >= first ? by : 0.0; };
}

/// Differences as of a format with fewer bits, around 0.
std::function<double(std::size_t)> wavering(double size) {
  return [values = drawn(5, 100, size, 0)](std::size_t step) { return values[step]; };
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&all](std::string name, wire::Trial trial, TrialVerdict verdict,
                          std::optional<std::int64_t> from_step = {}) {
    all.push_back({std::move(name), std::move(trial), verdict, from_step});
  };
  add("equal to the bit", tried(from(0, 0)), TrialVerdict::kInsideNoise);
  add("a lower format, without harm", tried(wavering(3e-3)), TrialVerdict::kInsideNoise);
  add("a constant difference too small to matter", tried(from(0, 5e-4)), TrialVerdict::kInsideNoise);
  add("higher throughout", tried(from(0, 0.05)), TrialVerdict::kWorse, 1000);
  add("lower throughout", tried(from(0, -0.05)), TrialVerdict::kBetter);
  add("higher, amid wavering",
      tried([values = drawn(6, 100, 0.02, 0.5)](std::size_t step) { return 0.05 + values[step]; }),
      TrialVerdict::kWorse, 1000);
  add("from step 70 on", tried(from(70, 0.2)), TrialVerdict::kWorse, 1070);
  add("growing slowly", tried([](std::size_t step) { return 2e-3 * static_cast<double>(step); }), TrialVerdict::kWorse,
      1000);
  add("lower at first, higher in the end", tried([](std::size_t step) { return step < 50 ? -0.1 : 0.1; }),
      TrialVerdict::kWorse, 1050);
  // The mean is outside the band, but one step decides it: more steps can tell.
  add("a single high loss", tried([](std::size_t step) { return step == 50 ? 1000.0 : 0; }), TrialVerdict::kUnknown);
  add("higher than before, but so is the noise",
      with(tried(from(0, 0.05)),
           [](wire::TrialSeed& seed) { seed.noise = test::armOf(changed(seed.before.losses, from(0, -0.04))); }),
      TrialVerdict::kInsideNoise);
  add("NaN from a step on", tried(from(40, kNaN)), TrialVerdict::kDiverged, 1040);
  add("one infinite loss", tried([](std::size_t step) { return step == 7 ? kInfinity : 0; }), TrialVerdict::kDiverged,
      1007);
  add("running away", tried(from(30, 1000)), TrialVerdict::kDiverged, 1030);
  add("a weight that is not finite",
      with(tried(from(0, 0)), [](wire::TrialSeed& seed) { seed.after.finite_weights = false; }),
      TrialVerdict::kDiverged, 1099);
  add("an evaluation that is not finite",
      with(tried(from(0, 0)),
           [](wire::TrialSeed& seed) {
             seed.before.evaluation = seed.noise.evaluation = 1.5;
             seed.after.evaluation = kNaN;
           }),
      TrialVerdict::kDiverged, 1099);
  add("every step skipped", with(tried(from(0, 0)), [](wire::TrialSeed& seed) { seed.after.skipped = 100; }),
      TrialVerdict::kDiverged, 1000);
  add("a scale that settles", with(tried(from(0, 0)), [](wire::TrialSeed& seed) { seed.after.skipped = 9; }),
      TrialVerdict::kInsideNoise);
  add("a scale that had no time to settle",
      with(tried(from(0, 0), 5),
           [](wire::TrialSeed& seed) {
             seed.after.skipped = 5;
             seed.after.scale = 2048;
           }),
      TrialVerdict::kUnknown);
  add("batches without a label",
      with(tried(from(0, 0)),
           [](wire::TrialSeed& seed) {
             for (wire::TrialArm* arm : {&seed.before, &seed.after, &seed.noise})
               arm->losses[10] = arm->losses[99] = kNaN;
           }),
      TrialVerdict::kInsideNoise);
  add("the policy before diverges too",
      with(tried(from(40, kNaN)),
           [](wire::TrialSeed& seed) { seed.before.losses = changed(seed.before.losses, from(60, kNaN)); }),
      TrialVerdict::kUnknown);
  add("rounding alone makes it diverge",
      with(tried(from(40, kNaN)),
           [](wire::TrialSeed& seed) { seed.noise.losses = changed(seed.noise.losses, from(60, kNaN)); }),
      TrialVerdict::kUnknown);
  add("the policy does not run",
      with(tried(from(0, 0)),
           [](wire::TrialSeed& seed) {
             seed.after = {};
             seed.noise = {};
             seed.after.failure = "aten::erfinv: not implemented for Half";
           }),
      TrialVerdict::kDoesNotRun);
  add("the policy before diverges, and the one tried does not run",
      with(tried(from(0, 0)),
           [](wire::TrialSeed& seed) {
             seed.before.losses = changed(seed.before.losses, from(60, kNaN));
             seed.after = seed.noise = {};
             seed.after.failure = "aten::erfinv: not implemented for Half";
           }),
      TrialVerdict::kDoesNotRun);
  add("the policy before does not run",
      with(tried(from(0, 0)), [](wire::TrialSeed& seed) { seed.before.failure = "aten::erfinv: not implemented"; }),
      TrialVerdict::kUnknown);
  add("two steps", tried(from(0, 0.5), 2), TrialVerdict::kUnknown);
  add("three steps", tried(from(0, 0.5), 3), TrialVerdict::kWorse, 1000);
  add("one equal step", tried(from(0, 0), 1), TrialVerdict::kInsideNoise);
  add("cancelled before the noise was known", with(tried(from(0, 0.5)), [](wire::TrialSeed& seed) { seed.noise = {}; }),
      TrialVerdict::kUnknown);
  add("cancelled in the noise", with(tried(from(0, 0.5)), [](wire::TrialSeed& seed) { seed.noise.losses.resize(30); }),
      TrialVerdict::kWorse, 1000);
  const auto vanishing = [](double twice) {
    return [=](std::size_t step) { return std::exp(-static_cast<double>(step) / 4) * twice; };
  };
  const std::vector<double> zeros(100, 0.0);
  const std::vector<double> fitted = changed(zeros, vanishing(1));
  add("a loss that vanishes, and twice as fast", trialOf(fitted, changed(fitted, from(60, 1e-8)), fitted),
      TrialVerdict::kInsideNoise);
  const std::vector<double> negative = changed(learning(100), from(0, -5));
  add("negative losses", trialOf(negative, changed(negative, from(0, 0.1)), rounded(negative)), TrialVerdict::kWorse,
      1000);
  add("losses of zero", trialOf(zeros, zeros, zeros), TrialVerdict::kInsideNoise);
  add("nothing was made", wire::Trial{}, TrialVerdict::kUnknown);
  return all;
}

}  // namespace

namespace binade::test {

class Judged : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theVerdictIsRight_data();
  void theVerdictIsRight();
  void equalLossesHaveNoDifference();
  void lossesWithoutAComparableStepHaveNoNoise();
  void theDifferenceIsThatOfPairedSteps();
  void theNoiseIsMeasuredAndTheFloorIsAThousandthOfTheLoss();
  void aMeanOutsideTheBandIsNotInsideTheNoise();
  void threeSeedsAreTheSamples();
  void whatEachSeedShowsCountsHoweverFarApart();
  void theMeanIsThatOfTheSteps();
  void aVerdictOnTheLastHalfKeepsItsDifference();
  void aSeedThatDivergesBeforeDoesNotCount();
  void evaluationAndSecondsAreCompared();
  void secondsOfACutTryAreNotCompared();
  void judgingAgainChangesNothing();
};

void Judged::theVerdictIsRight_data() {
  QTest::addColumn<std::size_t>("index");
  const std::vector<Case> all = cases();
  for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name.c_str()) << i;
}

void Judged::theVerdictIsRight() {
  QFETCH(std::size_t, index);
  Case each = cases()[index];
  trial::judge(each.trial);
  QCOMPARE(static_cast<int>(each.trial.verdict), static_cast<int>(each.verdict));
  QCOMPARE(each.trial.worse_from.value_or(-1), each.worse_from.value_or(-1));
}

void Judged::equalLossesHaveNoDifference() {
  wire::Trial equal = tried(from(0, 0));
  trial::judge(equal);
  QCOMPARE(equal.loss.mean, 0.0);
  QCOMPARE(equal.loss.low, 0.0);
  QCOMPARE(equal.loss.high, 0.0);
  QCOMPARE(equal.loss.before, equal.loss.after);
  QVERIFY(wire::band_of(equal.loss) > 0);
}

void Judged::lossesWithoutAComparableStepHaveNoNoise() {
  wire::Trial trial = tried(from(0, kInfinity));
  trial::judge(trial);
  QCOMPARE(static_cast<int>(trial.verdict), static_cast<int>(TrialVerdict::kDiverged));
  QVERIFY(std::isfinite(trial.loss.before));
  QCOMPARE(trial.loss.after, kInfinity);
  QCOMPARE(trial.loss.mean, kInfinity);
  QVERIFY(std::isnan(trial.loss.noise));
  wire::Trial cancelled = with(tried(from(0, 0.5)), [](wire::TrialSeed& seed) {
    seed.after.losses.resize(40);
    seed.noise = {};
  });
  trial::judge(cancelled);
  QVERIFY(std::abs(cancelled.loss.mean - 0.5) < 1e-9);  // of the 40 steps that both made
  QVERIFY(std::isnan(cancelled.loss.noise));
}

void Judged::theDifferenceIsThatOfPairedSteps() {
  wire::Trial trial = tried([](std::size_t step) { return step % 2 == 0 ? 0.06 : 0.04; });
  trial::judge(trial);
  QVERIFY(std::abs(trial.loss.mean - 0.05) < 1e-12);
  QVERIFY(std::abs(trial.loss.after - trial.loss.before - 0.05) < 1e-12);
  // The loss itself varies twenty times as much from batch to batch.
  QVERIFY(trial.loss.high - trial.loss.low < 0.01);
  QVERIFY(trial.loss.low <= trial.loss.mean && trial.loss.mean <= trial.loss.high);
}

// The noise is what was measured, and the floor is said beside it, so that nobody takes the floor for a measurement.
void Judged::theNoiseIsMeasuredAndTheFloorIsAThousandthOfTheLoss() {
  const std::vector<double> before = learning(100);
  wire::Trial trial = trialOf(before, changed(before, from(0, 5e-4)), changed(before, from(0, 1e-6)));
  trial::judge(trial);
  QCOMPARE(static_cast<int>(trial.verdict), static_cast<int>(TrialVerdict::kInsideNoise));
  QVERIFY(std::abs(trial.loss.noise - 2e-6) < 1e-12);
  QVERIFY(trial.loss.floor.has_value());
  QVERIFY(std::abs(*trial.loss.floor - 1e-3 * trial.loss.before) < 1e-9);
  QVERIFY(wire::floor_decides(trial.loss));
  // One high loss widens the interval beyond the floor; the mean decides, and it lies inside the noise.
  trial = trialOf(before, changed(before, [](std::size_t step) { return step == 50 ? 0.05 : 0.0; }),
                  changed(before, from(0, 3e-4)));
  trial::judge(trial);
  QCOMPARE(static_cast<int>(trial.verdict), static_cast<int>(TrialVerdict::kInsideNoise));
  QVERIFY(trial.loss.high > *trial.loss.floor);
  QVERIFY(!wire::floor_decides(trial.loss));
  trial = trialOf(before, changed(before, from(0, 0.05)), changed(before, from(0, 1e-6)));
  trial::judge(trial);
  QCOMPARE(static_cast<int>(trial.verdict), static_cast<int>(TrialVerdict::kWorse));
  QVERIFY(!wire::floor_decides(trial.loss));
}

// The figures beside the verdict are those of all steps, so a mean outside the band is not called inside the noise.
void Judged::aMeanOutsideTheBandIsNotInsideTheNoise() {
  wire::Trial trial = tried([](std::size_t step) { return step < 10 ? 0.5 : 0.0; });
  trial::judge(trial);
  QVERIFY(trial.loss.mean > wire::band_of(trial.loss));
  QVERIFY(trial.loss.low < wire::band_of(trial.loss));
  QCOMPARE(static_cast<int>(trial.verdict), static_cast<int>(TrialVerdict::kUnknown));
}

void Judged::threeSeedsAreTheSamples() {
  wire::Trial trial = tried(from(0, 0.1));
  for (const double by : {0.2, 0.3}) trial.seeds.push_back(tried(from(0, by)).seeds.front());
  trial::judge(trial);
  QVERIFY(std::abs(trial.loss.mean - 0.2) < 1e-12);
  // Student's t of 2 degrees of freedom, times the standard error of 0.1, 0.2 and 0.3.
  QVERIFY(std::abs(trial.loss.high - trial.loss.mean - 4.303 * 0.1 / std::sqrt(3.0)) < 1e-9);
}

void Judged::whatEachSeedShowsCountsHoweverFarApart() {
  wire::Trial trial = tried(from(0, 0.1));
  for (const double by : {0.2, 0.3}) trial.seeds.push_back(tried(from(0, by)).seeds.front());
  trial::judge(trial);
  QVERIFY(trial.loss.low < 0);  // three values give a wide interval
  QCOMPARE(static_cast<int>(trial.verdict), static_cast<int>(TrialVerdict::kWorse));
  QCOMPARE(trial.worse_from.value_or(-1), std::int64_t{1000});
  trial.seeds.back() = tried(from(0, -0.3)).seeds.front();
  trial::judge(trial);
  QCOMPARE(static_cast<int>(trial.verdict), static_cast<int>(TrialVerdict::kInsideNoise));
}

void Judged::theMeanIsThatOfTheSteps() {
  // Twelve steps make ten blocks, two of which have two steps.
  wire::Trial trial = tried([](std::size_t step) { return step < 3 ? 0.5 : 0.01 * static_cast<double>(step); }, 12);
  trial::judge(trial);
  QVERIFY(std::abs(trial.loss.mean - (trial.loss.after - trial.loss.before)) < 1e-12);
  QVERIFY(trial.loss.low < trial.loss.mean && trial.loss.mean < trial.loss.high);
}

void Judged::aVerdictOnTheLastHalfKeepsItsDifference() {
  wire::Trial trial = tried([](std::size_t step) { return step < 50 ? -0.1 : 0.1; });
  trial::judge(trial);
  QVERIFY(trial.late_loss);
  QVERIFY(std::abs(trial.late_loss->mean - 0.1) < 1e-9);
  QVERIFY(trial.late_loss->low > wire::band_of(*trial.late_loss));
  trial.seeds.front().after.losses.back() = kNaN;
  trial::judge(trial);
  QVERIFY2(!trial.late_loss, "a divergence does not rest on it");
  trial = tried(from(0, 0.05));
  trial::judge(trial);
  QVERIFY2(!trial.late_loss, "the difference of all steps shows it");
}

void Judged::aSeedThatDivergesBeforeDoesNotCount() {
  wire::Trial trial = tried(from(0, 0));
  trial.seeds.push_back(tried(from(40, kNaN)).seeds.front());
  trial.seeds.back().before.losses = changed(trial.seeds.back().before.losses, from(50, kNaN));
  trial::judge(trial);
  QCOMPARE(static_cast<int>(trial.verdict), static_cast<int>(TrialVerdict::kInsideNoise));
  trial.seeds.push_back(tried(from(20, kNaN)).seeds.front());
  trial::judge(trial);
  QCOMPARE(static_cast<int>(trial.verdict), static_cast<int>(TrialVerdict::kDiverged));
  QCOMPARE(trial.worse_from.value_or(-1), std::int64_t{1020});
}

void Judged::evaluationAndSecondsAreCompared() {
  wire::Trial trial = tried(from(0, 0));
  wire::TrialSeed& seed = trial.seeds.front();
  seed.before.evaluation = 2.0;
  seed.after.evaluation = 2.5;
  seed.noise.evaluation = 2.125;
  seed.before.seconds = 0.5;
  seed.after.seconds = 0.25;
  seed.noise.seconds = 0.625;
  trial::judge(trial);
  QVERIFY(trial.evaluation.has_value());
  QCOMPARE(trial.evaluation->mean, 0.5);
  QCOMPARE(trial.evaluation->low, 0.5);  // one value gives no interval
  QCOMPARE(trial.evaluation->noise, 0.25);
  QVERIFY(trial.seconds.has_value());
  QCOMPARE(trial.seconds->before, 0.5);
  QCOMPARE(trial.seconds->mean, -0.25);
  QCOMPARE(trial.seconds->noise, 0.25);
}

void Judged::secondsOfACutTryAreNotCompared() {
  wire::Trial trial = tried(from(0, 0));
  wire::TrialSeed& seed = trial.seeds.front();
  seed.before.seconds = seed.after.seconds = seed.noise.seconds = 0.5;
  seed.noise.losses.pop_back();
  trial::judge(trial);
  QVERIFY(!trial.seconds.has_value());
  QVERIFY(!trial.evaluation.has_value());
}

void Judged::judgingAgainChangesNothing() {
  for (Case& each : cases()) {
    trial::judge(each.trial);
    wire::Trial again = each.trial;
    trial::judge(again);
    QCOMPARE(static_cast<int>(again.verdict), static_cast<int>(each.trial.verdict));
    QCOMPARE(again.worse_from.value_or(-1), each.trial.worse_from.value_or(-1));
    QVERIFY(again.loss == each.trial.loss || (std::isnan(again.loss.noise) && std::isnan(each.trial.loss.noise)));
  }
}

BINADE_SUITE(Judged);

}  // namespace binade::test

#include "tst_judge.moc"
