// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "views/plot/series.h"

#include <cmath>
#include <limits>
#include <random>

namespace binade::views {

class SeriesPyramid : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void queriesEqualABruteForceScan_data() {
    QTest::addColumn<int>("samples");
    for (const int n : {0, 1, 63, 64, 65, 511, 512, 4096, 4097, 50'000}) {
      QTest::addRow("%d samples", n) << n;
    }
  }

  void queriesEqualABruteForceScan() {
    QFETCH(int, samples);
    std::mt19937 random(11);
    std::vector<std::int64_t> steps;
    std::vector<double> values;
    Series series;
    std::int64_t step = 5;
    for (int i = 0; i < samples; ++i) {
      double value = static_cast<double>(random() % 100'000) / 7.0 - 5000;
      if (random() % 50 == 0) value = std::numeric_limits<double>::quiet_NaN();
      if (random() % 70 == 0) value = -std::numeric_limits<double>::infinity();
      QVERIFY(series.append(step, value));
      steps.push_back(step);
      values.push_back(value);
      // Even stretches, then gaps.
      step += i % 1000 < 900 ? 1 : 1 + static_cast<std::int64_t>(random() % 9);
    }
    QCOMPARE(series.size(), values.size());
    for (int trial = 0; trial < 200; ++trial) {
      std::int64_t first = static_cast<std::int64_t>(random() % static_cast<unsigned>(step + 10)) - 3;
      std::int64_t end = static_cast<std::int64_t>(random() % static_cast<unsigned>(step + 10)) - 3;
      if (trial == 0) first = -100, end = step + 100;
      SeriesRecord expected;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (steps[i] >= first && steps[i] < end) expected.add(values[i]);
      }
      const SeriesRecord found = series.query(first, end);
      QCOMPARE(found.count, expected.count);
      QCOMPARE(found.nonFinite, expected.nonFinite);
      QCOMPARE(found.min, expected.min);
      QCOMPARE(found.max, expected.max);
      if (expected.count > 0) {
        QVERIFY(found.first == expected.first || (std::isnan(found.first) && std::isnan(expected.first)));
        QVERIFY(found.last == expected.last || (std::isnan(found.last) && std::isnan(expected.last)));
      }
    }
  }

  void aQueryReadsFewRecordsHoweverLongTheRun() {
    Series series;
    constexpr std::int64_t kMany = 1'000'000;
    for (std::int64_t i = 0; i < kMany; ++i) series.append(i, static_cast<double>(i));
    series.query(1, kMany - 1);
    // At most 2 x 63 single samples and 2 x 7 records of each of the five levels.
    QVERIFY2(series.lastQueryCost() <= 2 * 63 + 2 * 7 * 5, qPrintable(QString::number(series.lastQueryCost())));
    QCOMPARE(series.query(1, kMany - 1).max, static_cast<double>(kMany - 2));
  }

  void aSingleNaNStaysVisibleAtEveryLevel() {
    Series series;
    for (std::int64_t i = 0; i < 40'000; ++i) {
      series.append(i, i == 12'345 ? std::numeric_limits<double>::quiet_NaN() : 1);
    }
    for (std::int64_t width = 1; width < 40'000; width *= 4) {
      const std::int64_t first = 12'345 / width * width;
      QCOMPARE(series.query(first, first + width).nonFinite, std::uint64_t{1});
    }
    QCOMPARE(series.query(0, 12'345).nonFinite, std::uint64_t{0});
  }

  void stepsThatDoNotIncreaseAreRefused() {
    Series series;
    QVERIFY(series.append(10, 1));
    QVERIFY(!series.append(10, 2));
    QVERIFY(!series.append(9, 3));
    QCOMPARE(series.size(), std::size_t{1});
    QCOMPARE(series.lastValue(), 1.0);
  }

  void samplesAreFoundByStepAcrossGaps() {
    Series series;
    for (const std::int64_t step : {2, 4, 6, 100, 101, 102, 500}) series.append(step, static_cast<double>(step));
    QCOMPARE(series.lowerBound(3), std::size_t{1});
    QCOMPARE(series.lowerBound(7), std::size_t{3});
    QCOMPARE(series.lowerBound(101), std::size_t{4});
    QCOMPARE(series.lowerBound(103), std::size_t{6});
    QCOMPARE(series.lowerBound(501), std::size_t{7});
    QVERIFY(!series.at(1));
    QCOMPARE(series.stepAt(*series.at(99)), std::int64_t{6});
    QCOMPARE(series.stepAt(*series.at(499)), std::int64_t{102});
    QCOMPARE(series.valueAt(*series.at(500)), 500.0);
  }
};

BINADE_SUITE(SeriesPyramid);

}  // namespace binade::views

#include "tst_series.moc"
