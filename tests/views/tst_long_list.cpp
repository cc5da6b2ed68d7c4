// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "views/values/long_list.h"
#include "views/values/series.h"

#include <QTest>

#include <cmath>
#include <random>

namespace {

using namespace binade;
using views::LongList;

struct Sample {
  std::int64_t step = 0;
  double value = 0;
  bool marked = false;
  friend bool operator==(const Sample&, const Sample&) = default;
};

Sample sample(std::size_t index) {
  const auto n = static_cast<std::int64_t>(index);
  return {n, std::sin(static_cast<double>(index)), index % 7 == 0};
}

class LongLists : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyValueComesBackBitForBit() {
    constexpr std::size_t kMany = 300'000;
    LongList<Sample> list;
    for (std::size_t i = 0; i < kMany; ++i) list.push_back(sample(i));
    QCOMPARE(list.size(), kMany);
    QVERIFY(list.front() == sample(0) && list.back() == sample(kMany - 1));
    for (std::size_t i = 0; i < kMany; ++i) {
      if (!(list[i] == sample(i))) QFAIL(qPrintable(QString::number(i)));
    }
    std::mt19937 random(3);
    for (int i = 0; i < 20'000; ++i) {
      const std::size_t at = random() % kMany;
      if (!(list[at] == sample(at))) QFAIL(qPrintable(QString::number(at)));
    }
    std::size_t next = 0;
    for (const Sample& each : list) {
      if (!(each == sample(next++))) QFAIL("iterating");
    }
    QCOMPARE(next, kMany);
  }

  void memoryIsBounded() {
    LongList<Sample> list;
    std::size_t most = 0;
    for (std::size_t i = 0; i < 1'000'000; ++i) {
      list.push_back(sample(i));
      if (i == 100'000) most = list.bytes();
    }
    QVERIFY2(list.bytes() < 150'000 && list.bytes() < most + 20'000, qPrintable(QString::number(list.bytes())));
  }

  void itIsCutAnywhere_data() {
    QTest::addColumn<int>("size");
    const int chunk = static_cast<int>(LongList<Sample>::kChunk);
    for (const int size : {0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 3 * chunk + 7, 9 * chunk, 10 * chunk - 1}) {
      QTest::newRow(qPrintable(QString::number(size))) << size;
    }
  }
  void itIsCutAnywhere() {
    QFETCH(int, size);
    const auto kept = static_cast<std::size_t>(size);
    const std::size_t all = 10 * LongList<Sample>::kChunk;
    LongList<Sample> list;
    for (std::size_t i = 0; i < all; ++i) list.push_back(sample(i));
    QVERIFY(list[kept / 2] == sample(kept / 2));
    list.truncate(kept);
    QCOMPARE(list.size(), kept);
    // Other values take the places of those that are gone.
    for (std::size_t i = kept; i < all; ++i) list.push_back(sample(i + 5));
    for (std::size_t i = 0; i < all; ++i) {
      if (!(list[i] == sample(i < kept ? i : i + 5))) QFAIL(qPrintable(QString::number(i)));
    }
  }

  void twoListsDoNotMix() {
    LongList<double> first;
    LongList<double> second;
    for (int i = 0; i < 100'000; ++i) {
      first.push_back(i);
      second.push_back(-i);
    }
    first = LongList<double>();  // its slots are free for others
    LongList<double> third;
    for (int i = 0; i < 100'000; ++i) third.push_back(2 * i);
    for (int i = 0; i < 100'000; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (second[at] != -i || third[at] != 2 * i) QFAIL(qPrintable(QString::number(i)));
    }
    LongList<double> moved = std::move(second);
    QCOMPARE(moved.size(), std::size_t{100'000});
    QCOMPARE(moved[17], -17.0);
  }

  void aSeriesOfAMillionStepsIsExactInBoundedMemory() {
    views::Series series;
    std::size_t at_start = 0;
    const auto value = [](std::int64_t step) {
      return step % 99'991 == 0 ? std::nan("") : std::sin(static_cast<double>(step) * 1e-3);
    };
    for (std::int64_t step = 0; step < 1'000'000; ++step) {
      series.append(step, value(step));
      if (step == 100'000) at_start = series.bytes();
    }
    QVERIFY2(series.bytes() < at_start + 200'000, qPrintable(QString::number(series.bytes())));
    std::mt19937 random(11);
    for (int i = 0; i < 300; ++i) {
      const auto first = static_cast<std::int64_t>(random() % 1'000'000);
      const auto end = std::min<std::int64_t>(1'000'000, first + static_cast<std::int64_t>(random() % 3000));
      views::SeriesRecord expected;
      for (std::int64_t step = first; step < end; ++step) expected.add(value(step));
      const views::SeriesRecord found = series.query(first, end);
      QCOMPARE(found.count, expected.count);
      QCOMPARE(found.nonFinite, expected.nonFinite);
      QCOMPARE(found.min, expected.min);
      QCOMPARE(found.max, expected.max);
    }
  }
};

BINADE_SUITE(LongLists);

}  // namespace

#include "tst_long_list.moc"
