// SPDX-License-Identifier: Apache-2.0
#include "app/model/histogram_track.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <vector>

namespace {

using binade::app::HistogramTrack;
using binade::formats::kFirstBinade;
using binade::formats::TensorStats;

TensorStats statsAt(int binade, std::uint32_t count) {
  TensorStats stats;
  stats.count = count;
  stats.largest = static_cast<float>(binade);
  stats.sum_of_squares = count;
  stats.binades[static_cast<std::size_t>(binade - kFirstBinade)] = count;
  return stats;
}

class HistogramTracks : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyObservationIsKeptExactlyWhileThereIsRoom() {
    HistogramTrack track(16);
    for (int step = 0; step < 16; ++step) QVERIFY(!track.append(step, 8, statsAt(-10 + step, 100)));
    QCOMPARE(track.size(), 16);
    QCOMPARE(track.observationsPerColumn(), 1);
    for (int step = 0; step < 16; ++step) {
      QCOMPARE(track.indexOf(step), step);
      QVERIFY(track.statsOf(step) == statsAt(-10 + step, 100));
    }
  }

  void stepsThatAreDroppedLeaveTheOthersAsTheyWere() {
    HistogramTrack track(16);
    for (int step = 0; step < 10; ++step) track.append(step, 8, statsAt(-10 + step, 100));
    track.dropFrom(6);
    QCOMPARE(track.size(), 6);
    QCOMPARE(track.latestStep(), 5);
    for (int step = 0; step < 6; ++step) QVERIFY(track.statsOf(step) == statsAt(-10 + step, 100));
    QVERIFY(!track.append(6, 8, statsAt(3, 100)));
    QVERIFY(track.statsOf(6) == statsAt(3, 100));
    track.dropFrom(0);
    QVERIFY(track.empty());
  }

  void aLongRunStaysWithinItsColumnsAndLosesNoCount() {
    HistogramTrack track(16);
    std::uint64_t fed = 0;
    for (int step = 0; step < 1000; ++step) {
      track.append(step, 8, statsAt(step % 7 - 20, 10));
      fed += 10;
    }
    QVERIFY(track.size() <= 16);
    QCOMPARE(track.observationsPerColumn(), 64);
    std::uint64_t kept = 0;
    std::uint64_t counted = 0;
    std::int64_t expected_step = 0;
    for (int i = 0; i < track.size(); ++i) {
      const HistogramTrack::Column column = track.column(i);
      QCOMPARE(column.first_step, expected_step);  // nothing between the columns is lost
      expected_step = column.last_step + 1;
      kept += column.count;
      counted = std::accumulate(column.binades.begin(), column.binades.end(), counted);
    }
    QCOMPARE(expected_step, 1000);
    QCOMPARE(kept, fed);
    QCOMPARE(counted, fed);
  }

  void memoryDoesNotGrowWithTheRun() {
    HistogramTrack track(64);
    for (int step = 0; step < 1000; ++step) track.append(step, 1, statsAt(step % 30 - 15, 5));
    const std::size_t after_thousand = track.bytes();
    for (int step = 1000; step < 50000; ++step) track.append(step, 1, statsAt(step % 30 - 15, 5));
    QVERIFY2(track.bytes() <= 2 * after_thousand, "a run fifty times as long takes more than twice the memory");
  }

  void theLatestObservationIsWhole() {
    HistogramTrack track(4);
    TensorStats stats = statsAt(3, 7);
    stats.positive_infinity = 2;
    for (int step = 0; step < 9; ++step) track.append(step, 1, statsAt(0, 1));
    track.append(9, 32, stats);
    QVERIFY(track.latest() == stats);
    QCOMPARE(track.latestStep(), 9);
    QCOMPARE(track.latestScale(), 32.0);
  }

  void aStepBetweenColumnsFindsTheOneBefore() {
    HistogramTrack track;
    track.append(10, 1, statsAt(0, 1));
    track.append(20, 1, statsAt(1, 1));
    QCOMPARE(track.indexOf(9), -1);
    QCOMPARE(track.indexOf(10), 0);
    QCOMPARE(track.indexOf(15), 0);
    QCOMPARE(track.indexOf(99), 1);
  }

  void tensorsOfZerosMergeWithOthers() {
    HistogramTrack track(2);
    TensorStats zeros;
    zeros.count = zeros.zero = 5;
    for (int step = 0; step < 8; ++step) track.append(step, 1, step % 2 == 0 ? zeros : statsAt(-3, 4));
    std::uint64_t counted = 0;
    std::uint64_t zero = 0;
    for (int i = 0; i < track.size(); ++i) {
      const auto column = track.column(i);
      counted = std::accumulate(column.binades.begin(), column.binades.end(), counted);
      zero += column.zero;
    }
    QCOMPARE(counted, std::uint64_t{16});
    QCOMPARE(zero, std::uint64_t{20});
  }
};

BINADE_SUITE(HistogramTracks);

}  // namespace

#include "tst_histogram_track.moc"
