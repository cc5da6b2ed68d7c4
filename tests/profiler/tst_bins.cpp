// SPDX-License-Identifier: Apache-2.0
#include "profiler/bins.h"
#include "tests/support/suite.h"

#include <cmath>

using namespace binade::profiler;

namespace binade::test {

/// Samples fold into slices for the chart.
class Bins : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aBinIsTheMeanByTime();
  void aSampleOverAnEdgeCountsOnBothSides();
  void aGapIsAGapAndNoZero();
  void whatIsNotMeasuredStaysNotMeasured();
};

namespace {

Sample sample(std::uint64_t start, std::uint64_t end, float tensor) {
  Sample made;
  made.start = start;
  made.end = end;
  made.values[Channel::kTensor] = tensor;
  return made;
}

}  // namespace

void Bins::aBinIsTheMeanByTime() {
  BinFolder folder(100);
  std::vector<Bin> bins;
  folder.add(sample(1000, 1025, 80), bins);
  folder.add(sample(1025, 1100, 0), bins);
  QVERIFY(bins.empty());
  folder.finish(bins);
  QCOMPARE(bins.size(), std::size_t{1});
  QCOMPARE(bins[0].start, std::uint64_t{1000});
  QCOMPARE(bins[0].values[Channel::kTensor], 20.0F);
  QCOMPARE(bins[0].covered, 1.0);
}

void Bins::aSampleOverAnEdgeCountsOnBothSides() {
  BinFolder folder(100);
  std::vector<Bin> bins;
  folder.add(sample(90, 310, 50), bins);
  folder.finish(bins);
  QCOMPARE(bins.size(), std::size_t{4});
  QCOMPARE(bins[0].covered, 0.1);
  QCOMPARE(bins[2].start, std::uint64_t{200});
  for (const Bin& bin : bins) QCOMPARE(bin.values[Channel::kTensor], 50.0F);
}

void Bins::aGapIsAGapAndNoZero() {
  BinFolder folder(100);
  std::vector<Bin> bins;
  folder.add(sample(0, 50, 10), bins);
  folder.add(sample(1000, 1050, 10), bins);
  folder.finish(bins);
  QCOMPARE(bins.size(), std::size_t{2});
  QCOMPARE(bins[1].start, std::uint64_t{1000});
  QCOMPARE(bins[1].covered, 0.5);
  QCOMPARE(bins[1].values[Channel::kTensor], 10.0F);
}

void Bins::whatIsNotMeasuredStaysNotMeasured() {
  BinFolder folder(100);
  std::vector<Bin> bins;
  folder.add(sample(0, 100, 10), bins);
  folder.finish(bins);
  QVERIFY(std::isnan(bins[0].values[Channel::kHmma]));
  QVERIFY(std::isnan(bins[0].values[Channel::kClock]));
}

BINADE_SUITE(Bins);

}  // namespace binade::test

#include "tst_bins.moc"
