// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "views/values/series.h"

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
        QVERIFY(found.last == expected.last || (std::isnan(found.last) && std::isnan(expected.last)));
      }
    }
  }

  void aQueryReadsFewRecordsHoweverLongTheRun() {
    Series series;
    constexpr std::int64_t kMany = 1'000'000;
    for (std::int64_t i = 0; i < kMany; ++i) series.append(i, static_cast<double>(i));
    series.query(1, kMany - 1);
    // At most 2 x 15 single samples and 2 x 3 records of each of the eight levels.
    QVERIFY2(series.lastQueryCost() <= 2 * 15 + 2 * 3 * 8, qPrintable(QString::number(series.lastQueryCost())));
    QCOMPARE(series.query(1, kMany - 1).max, static_cast<double>(kMany - 2));
  }

  void aTruncatedSeriesEqualsOneThatNeverWasLonger_data() {
    QTest::addColumn<int>("kept");
    for (const int n : {0, 1, 2, 15, 16, 17, 64, 900, 4096, 19'999, 20'000}) QTest::addRow("%d samples", n) << n;
  }
  void aTruncatedSeriesEqualsOneThatNeverWasLonger() {
    QFETCH(const int, kept);
    const auto step = [](std::int64_t i) { return 7 + i + (i >= 800 ? 30 : 0) + (i >= 901 ? i : 0); };
    const auto value = [](std::int64_t i) { return i % 777 == 5 ? std::nan("") : std::sin(static_cast<double>(i)); };
    Series series;
    Series other;
    for (std::int64_t i = 0; i < 20'000; ++i) series.append(step(i), value(i));
    series.truncate(static_cast<std::size_t>(kept));
    for (std::int64_t i = 0; i < kept; ++i) other.append(step(i), value(i));
    const auto compare = [&] {
      QCOMPARE(series.size(), other.size());
      QCOMPARE(series.lastStep(), other.lastStep());
      QCOMPARE(series.all().count, other.all().count);
      QCOMPARE(series.all().nonFinite, other.all().nonFinite);
      QCOMPARE(series.all().min, other.all().min);
      QCOMPARE(series.all().max, other.all().max);
      for (std::int64_t first = 0; first < 3 * 20'000; first += 617) {
        const SeriesRecord found = series.query(first, first + 5000);
        const SeriesRecord expected = other.query(first, first + 5000);
        QCOMPARE(found.count, expected.count);
        QCOMPARE(found.min, expected.min);
        QCOMPARE(found.max, expected.max);
      }
    };
    compare();
    // It continues with other values.
    for (std::int64_t i = kept; i < kept + 3000; ++i) {
      series.append(100'000 + i, static_cast<double>(i));
      other.append(100'000 + i, static_cast<double>(i));
    }
    compare();
  }

  void aSingleNaNStaysVisibleAtEveryLevel() {
    Series series;
    for (std::int64_t i = 0; i < 40'000; ++i) {
      series.append(i, i == 12'345 ? std::numeric_limits<double>::quiet_NaN() : 1);
    }
    for (std::int64_t width = 1; width < 40'000; width *= 4) {
      const std::int64_t first = 12'345 / width * width;
      QCOMPARE(series.query(first, first + width).nonFinite, std::uint32_t{1});
    }
    QCOMPARE(series.query(0, 12'345).nonFinite, std::uint32_t{0});
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
