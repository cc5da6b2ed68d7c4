// SPDX-License-Identifier: Apache-2.0
// How often the verdict is right over a thousand drawn Tries: rounding moves the losses of `after` and of `noise`
// independently and equally far.
#include "engine/trial/judge.h"
#include "engine/trial/sample_interval.h"
#include "tests/support/suite.h"
#include "tests/trial/arms.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

using namespace binade;
using test::changed;
using test::drawn;
using wire::TrialVerdict;

namespace {

constexpr std::uint64_t kDraws = 1000;

/// A Try whose rounding noise has the size `size`, and whose policy raises the loss by `harm` from its middle on.
wire::Trial draw(std::uint64_t number, std::size_t steps, std::size_t seeds, double correlation, double size,
                 double harm) {
  wire::Trial trial;
  trial.steps = static_cast<std::int64_t>(steps);
  const std::vector<double> before = test::learning(steps);
  for (std::size_t i = 0; i < seeds; ++i) {
    const std::uint64_t stream = 1000 * number + 10 * i;
    const std::vector<double> moved = drawn(stream + 1, steps, size, correlation);
    const std::vector<double> rounded = drawn(stream + 2, steps, size, correlation);
    wire::TrialSeed& seed = trial.seeds.emplace_back();
    seed.seed = static_cast<std::int64_t>(i);
    seed.before = test::armOf(before);
    seed.after =
        test::armOf(changed(before, [&](std::size_t step) { return moved[step] + (step >= steps / 2 ? harm : 0); }));
    seed.noise = test::armOf(changed(before, [&](std::size_t step) { return rounded[step]; }));
  }
  return trial;
}

/// Number of draws by verdict.
std::array<int, 6> verdicts(std::size_t steps, std::size_t seeds, double correlation, double size, double harm) {
  std::array<int, 6> counts{};
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    wire::Trial trial = draw(i, steps, seeds, correlation, size, harm);
    trial::judge(trial);
    ++counts[static_cast<std::size_t>(trial.verdict)];
  }
  return counts;
}

int count(const std::array<int, 6>& counts, TrialVerdict verdict) {
  return counts[static_cast<std::size_t>(verdict)];
}

}  // namespace

namespace binade::test {

class JudgeRates : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void harmlessChangesAreRarelyCalledWorse_data();
  void harmlessChangesAreRarelyCalledWorse();
  void harmIsFound_data();
  void harmIsFound();
  void theIntervalHoldsTheTrueMean_data();
  void theIntervalHoldsTheTrueMean();
};

void JudgeRates::harmlessChangesAreRarelyCalledWorse_data() {
  QTest::addColumn<std::size_t>("steps");
  QTest::addColumn<std::size_t>("seeds");
  QTest::addColumn<double>("correlation");
  const auto row = [](const char* name, std::size_t steps, std::size_t seeds, double correlation) {
    QTest::newRow(name) << steps << seeds << correlation;
  };
  row("independent steps", 100, 1, 0);
  row("steps that depend on each other", 100, 1, 0.5);
  row("a slow drift", 100, 1, 0.9);
  row("a short Try", 8, 1, 0);
  row("three steps", 3, 1, 0);
  row("a long Try", 1000, 1, 0.9);
  row("two seeds", 100, 2, 0.9);
  row("five seeds", 100, 5, 0.9);
}

void JudgeRates::harmlessChangesAreRarelyCalledWorse() {
  QFETCH(std::size_t, steps);
  QFETCH(std::size_t, seeds);
  QFETCH(double, correlation);
  const auto counts = verdicts(steps, seeds, correlation, 0.05, 0);
  QVERIFY2(count(counts, TrialVerdict::kWorse) <= 25, qPrintable(QString::number(count(counts, TrialVerdict::kWorse))));
  QVERIFY(count(counts, TrialVerdict::kBetter) <= 25);
  QCOMPARE(count(counts, TrialVerdict::kDiverged), 0);
  // Of three steps, chance moves the mean out of the band more often, but then the interval is wide.
  QVERIFY(count(counts, TrialVerdict::kUnknown) <= (steps < 8 ? 80 : 10));
}

void JudgeRates::harmIsFound_data() {
  QTest::addColumn<std::size_t>("seeds");
  QTest::addColumn<double>("correlation");
  QTest::addColumn<double>("size");
  QTest::newRow("hardly any noise") << std::size_t{1} << 0.0 << 1e-6;
  QTest::newRow("noise of a quarter") << std::size_t{1} << 0.0 << 0.05;
  QTest::newRow("dependent steps") << std::size_t{1} << 0.5 << 0.03;
  QTest::newRow("a slow drift") << std::size_t{1} << 0.9 << 0.02;
  QTest::newRow("two seeds") << std::size_t{2} << 0.5 << 0.03;
  QTest::newRow("five seeds") << std::size_t{5} << 0.9 << 0.03;
}

void JudgeRates::harmIsFound() {
  QFETCH(std::size_t, seeds);
  QFETCH(double, correlation);
  QFETCH(double, size);
  const auto counts = verdicts(100, seeds, correlation, size, 0.2);
  QVERIFY2(count(counts, TrialVerdict::kWorse) >= 950,
           qPrintable(QString::number(count(counts, TrialVerdict::kWorse))));
}

void JudgeRates::theIntervalHoldsTheTrueMean_data() {
  QTest::addColumn<std::size_t>("samples");
  for (const std::size_t samples : {2, 3, 10, 40}) QTest::newRow(qPrintable(QString::number(samples))) << samples;
}

void JudgeRates::theIntervalHoldsTheTrueMean() {
  QFETCH(std::size_t, samples);
  int inside = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const auto interval = trial::interval_of(drawn(i + 7, samples, 1, 0));
    if (interval.low <= 0 && 0 <= interval.high) ++inside;
  }
  QVERIFY2(std::abs(inside / 4000.0 - 0.95) < 0.015, qPrintable(QString::number(inside)));
}

BINADE_SUITE(JudgeRates);

}  // namespace binade::test

#include "tst_judge_rates.moc"
