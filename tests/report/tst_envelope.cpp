// SPDX-License-Identifier: Apache-2.0
#include "engine/report/envelope.h"
#include "tests/support/suite.h"

#include <cmath>
#include <random>
#include <vector>

using namespace binade;
using report::Envelope;

namespace {

class Envelopes : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aShortSeriesKeepsEveryStep() {
    Envelope envelope(8);
    for (int step = 0; step < 8; ++step) envelope.add(100 + step, step * step);
    QCOMPARE(envelope.width(), std::int64_t{1});
    QCOMPARE(envelope.first(), std::int64_t{100});
    QCOMPARE(envelope.columns().size(), std::size_t{8});
    QCOMPARE(envelope.columns()[7].lowest, 49.0);
    QCOMPARE(envelope.columns()[7].highest, 49.0);
  }

  void everyValueOfALongSeriesLiesInItsColumn() {
    constexpr int kSteps = 100'000;
    Envelope envelope(480);
    std::mt19937 random(7);
    std::lognormal_distribution<double> draw(0, 4);
    std::vector<double> values;
    std::int64_t not_finite = 0;
    for (int step = 0; step < kSteps; ++step) {
      double value = draw(random);
      if (step % 977 == 5) value = step % 2 == 0 ? NAN : -INFINITY;
      not_finite += std::isfinite(value) ? 0 : 1;
      values.push_back(value);
      envelope.add(step, value);
    }
    QVERIFY(envelope.columns().size() <= 480);
    QVERIFY(envelope.columns().size() > 240);
    std::int64_t finite = 0;
    std::int64_t counted = 0;
    for (const Envelope::Column& column : envelope.columns()) {
      finite += column.finite;
      counted += column.not_finite;
    }
    QCOMPARE(finite, kSteps - not_finite);
    QCOMPARE(counted, not_finite);
    // Each column's extremes are those of its own steps.
    for (std::size_t i = 0; i < envelope.columns().size(); ++i) {
      double lowest = INFINITY;
      double highest = -INFINITY;
      const auto begin = i * static_cast<std::size_t>(envelope.width());
      for (std::size_t step = begin; step < std::min(values.size(), begin + std::size_t(envelope.width())); ++step) {
        if (!std::isfinite(values[step])) continue;
        lowest = std::min(lowest, values[step]);
        highest = std::max(highest, values[step]);
      }
      QCOMPARE(envelope.columns()[i].lowest, lowest);
      QCOMPARE(envelope.columns()[i].highest, highest);
    }
  }

  void aCutRemovesTheStepsFromThereOn() {
    Envelope envelope(100);
    for (int step = 10; step < 40; ++step) envelope.add(step, 1);
    envelope.cut(25);
    QCOMPARE(envelope.columns().size(), std::size_t{15});
    for (int step = 25; step < 30; ++step) envelope.add(step, 2);
    QCOMPARE(envelope.columns().size(), std::size_t{20});
    QCOMPARE(envelope.columns()[14].highest, 1.0);
    QCOMPARE(envelope.columns()[15].lowest, 2.0);
    envelope.cut(3);
    QVERIFY(envelope.empty());
    envelope.add(3, 5);
    QCOMPARE(envelope.first(), std::int64_t{3});
  }

  void stepsThatAreMissingLeaveEmptyColumns() {
    Envelope envelope(100);
    envelope.add(0, 1);
    envelope.add(5, 2);
    QCOMPARE(envelope.columns().size(), std::size_t{6});
    QVERIFY(!envelope.columns()[3].has_values());
  }

  void aGivenRangeHasTheColumnsOfThatRange() {
    Envelope envelope = Envelope::spanning(1000, 1999, 160);
    QCOMPARE(envelope.width(), std::int64_t{8});
    envelope.add(1999, 3);
    QCOMPARE(envelope.columns().size(), std::size_t{125});
    envelope.add(999, 3);  // before the range
    QVERIFY(!envelope.columns()[0].has_values());
  }

  void stepNumbersBeyondAnyRunDoNotTakeMemory() {
    Envelope envelope(64);
    envelope.add(0, 1);
    envelope.add(std::int64_t{1} << 52, 2);
    QVERIFY(envelope.columns().size() <= 64);
    QCOMPARE(envelope.columns().back().highest, 2.0);
  }
};
BINADE_SUITE(Envelopes);

}  // namespace

#include "tst_envelope.moc"
