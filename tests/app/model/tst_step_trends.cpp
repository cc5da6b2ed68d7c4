// SPDX-License-Identifier: Apache-2.0
#include "app/model/run_model.h"
#include "tests/support/suite.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>

namespace {

using namespace binade;

// What the trends are, read off all steps from the first.
struct Recomputed {
  std::size_t first_taken = 0;
  app::BadSteps falls;
  std::optional<app::BadLoss> bad_loss;

  explicit Recomputed(const std::vector<app::StepPoint>& steps) {
    while (first_taken < steps.size() && !steps[first_taken].stepped) ++first_taken;
    std::vector<double> finite;
    for (const app::StepPoint& step : steps) {
      if (step.next_scale < step.scale) falls.add(step.step);
      if (!std::isfinite(step.loss)) {
        bad_loss = {step.step, step.loss, 0};
        continue;
      }
      constexpr std::size_t kUsual = 50;
      if (finite.size() >= kUsual) {
        double mean = 0;
        for (auto each = finite.end() - kUsual; each != finite.end(); ++each) mean += *each / kUsual;
        double squares = 0;
        for (auto each = finite.end() - kUsual; each != finite.end(); ++each)
          squares += (*each - mean) * (*each - mean);
        const double spread = std::sqrt(squares / kUsual);
        const double above = step.loss - mean;
        if (spread > 0 && above > 6 * spread && above > 0.2 * std::abs(mean)) {
          bad_loss = {step.step, step.loss, above / spread};
        }
      }
      finite.push_back(step.loss);
    }
  }
};

bool isSame(const std::optional<app::BadLoss>& a, const std::optional<app::BadLoss>& b) {
  if (a.has_value() != b.has_value()) return false;
  if (!a) return true;
  const bool same_loss = a->loss == b->loss || (std::isnan(a->loss) && std::isnan(b->loss));
  return a->step == b->step && same_loss && std::abs(a->spreads - b->spreads) <= 1e-9 * b->spreads;
}

}  // namespace

/// What is known of all steps at once is what reading them all again says, however the run goes.
class AllSteps : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void followARunThatGoesBack_data() {
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 0; seed < 6; ++seed) QTest::addRow("seed %u", seed) << seed;
  }
  void followARunThatGoesBack() {
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 0.05);
    const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
    app::RunModel run;
    run.begin({}, app::RunModel::Source::kLive);
    std::int64_t next = 0;
    double scale = 65536;
    int spikes = 0;
    int compared = 0;
    std::size_t longest = 0;
    const auto isKnown = [&] {
      const std::vector<app::StepPoint> steps(run.steps().begin(), run.steps().end());
      const Recomputed wanted(steps);
      ++compared;
      longest = std::max(longest, steps.size());
      if (wanted.bad_loss && wanted.bad_loss->spreads > 0) ++spikes;
      return run.trends().firstTaken() == wanted.first_taken && run.trends().scaleFalls() == wanted.falls &&
             isSame(run.trends().badLoss(), wanted.bad_loss);
    };
    for (int part = 0; part < 120; ++part) {
      std::vector<wire::StepRecord> records;
      for (std::int64_t count = 1 + below(400); count > 0; --count) {
        wire::StepRecord& record = records.emplace_back();
        record.step = next++;
        record.loss = 2 + noise(random);
        const std::int64_t what = below(300);
        if (what == 0) record.loss = std::numeric_limits<double>::quiet_NaN();
        if (what == 1) record.loss = std::numeric_limits<double>::infinity();
        if (what == 2) record.loss *= 3;
        record.scale = scale;
        record.stepped = what > 3 && (record.step > 20 || what > 250);
        if (!record.stepped) scale /= 2;
        if (what == 4 || scale < 1) scale = 65536;
        record.next_scale = scale;
      }
      run.addSteps(records);
      QVERIFY2(isKnown(), qPrintable(QStringLiteral("after %1 steps").arg(run.steps().size())));
      // A person rewinds; or steps come again, as a run file keeps them.
      const std::int64_t how = below(9);
      if (how > 1) continue;
      next = below(4) == 0 ? below(next) : std::max<std::int64_t>(0, next - 1 - below(900));
      if (how == 0) {
        run.rewind(next);
        QVERIFY2(isKnown(), qPrintable(QStringLiteral("back at step %1").arg(next)));
      }
    }
    run.rewind(0);
    QVERIFY(isKnown());
    QVERIFY(compared > 120 && spikes > 0);
    std::printf("%zu steps at most, compared %d times\n", longest, compared);
    std::fflush(stdout);
  }

  // Its square is far beyond what a sum over the usual losses resolves.
  void aHugeLossHidesNoLaterSpike_data() {
    QTest::addColumn<double>("huge");
    for (const double huge : {1e8, 1e38, 1e160, 1e307}) QTest::addRow("%g", huge) << huge;
  }
  void aHugeLossHidesNoLaterSpike() {
    QFETCH(double, huge);
    app::RunModel run;
    run.begin({}, app::RunModel::Source::kLive);
    std::vector<wire::StepRecord> records(300);
    for (std::size_t i = 0; i < records.size(); ++i) {
      records[i].step = static_cast<std::int64_t>(i);
      records[i].loss = i == 60 ? huge : i == 200 ? 9 : 1 + 0.01 * static_cast<double>(i % 7);
    }
    run.addSteps(records);
    QVERIFY(run.trends().badLoss().has_value());
    QCOMPARE(run.trends().badLoss()->step, std::int64_t{200});
  }

  void aRewindReadsNoMoreThanTheLastPart_data() {
    QTest::addColumn<int>("left");
    for (const int left : {0, 1, 4095, 4096, 4097, 8192, 9000}) QTest::addRow("%d left", left) << left;
  }
  void aRewindReadsNoMoreThanTheLastPart() {
    QFETCH(int, left);
    app::RunModel run;
    run.begin({}, app::RunModel::Source::kLive);
    std::vector<wire::StepRecord> records(9001);
    for (std::size_t i = 0; i < records.size(); ++i) {
      records[i].step = static_cast<std::int64_t>(i);
      records[i].loss = 1 + 0.01 * static_cast<double>(i % 7);
      records[i].next_scale = i % 100 == 0 ? 0.5 : 1;
    }
    run.addSteps(records);
    const std::int64_t before = run.trends().added();
    QCOMPARE(before, std::int64_t{9001});
    run.rewind(left);
    QVERIFY(run.trends().added() - before < static_cast<std::int64_t>(app::StepTrends::kKept));
    QCOMPARE(run.trends().scaleFalls().count(), std::int64_t{(left + 99) / 100});
  }
};

BINADE_SUITE(AllSteps);
#include "tst_step_trends.moc"
