// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/draws.h"
#include "tests/lessons/computed.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace binade::test {

// What lesson 11 teaches about values that share a scale, from the computation that draws its figure and, beside it,
// from the definition of the formats.
class TaughtBlocks : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void neighboursBelowAQuarterOfTheScaleBecomeZero();
  void anOutlierHarmsItsOwnBlockOnly();
  void aLongerRangeHoldsTheNeighbours();
  void theTransformHelpsModerateOutliersInFourBits();
  void theTransformIsNoCureForLargeOutliers();
  void thePictureHasEveryValue();
};

namespace {

std::vector<double> neighbours_of(int seed) {
  lessons::Draws draws(static_cast<std::uint64_t>(seed));
  std::vector<double> values;
  for (int i = 0; i < 31; ++i) values.push_back(static_cast<double>(static_cast<float>(draws.normal())));
  return values;
}

lessons::FigureData block(const std::string& outlier, const std::string& seed = "1") {
  return computed("outlier_block", {{"outlier", outlier}, {"seed", seed}});
}

}  // namespace

/// By definition: the scale is 2^(floor(log2 a) - 2), and E2M1 rounds up to a quarter to 0, ties to even.
void TaughtBlocks::neighboursBelowAQuarterOfTheScaleBecomeZero() {
  for (const int seed : {1, 2, 3, 400}) {
    const std::vector<double> values = neighbours_of(seed);
    for (const double outlier : {1.0, 5.5, 16.0, 100.0, 4096.0}) {
      double largest = outlier;
      for (const double value : values) largest = std::max(largest, std::fabs(value));
      const double scale = std::exp2(std::floor(std::log2(largest)) - 2);
      const auto zeros =
          std::count_if(values.begin(), values.end(), [scale](double value) { return std::fabs(value) <= scale / 4; });
      const auto figure = block(QByteArray::number(outlier).toStdString(), std::to_string(seed));
      QCOMPARE(fact(figure, "mxfp4_scale"), scale);
      QCOMPARE(fact(figure, "mxfp4_far_scale"), scale);
      QCOMPARE(fact(figure, "mxfp4_zero"), static_cast<double>(zeros));
    }
  }
}

void TaughtBlocks::anOutlierHarmsItsOwnBlockOnly() {
  double before = 0;
  for (const char* outlier : {"16", "64", "1024", "16384"}) {
    const auto figure = block(outlier);
    QCOMPARE(fact(figure, "mxfp4_far_zero") == 16, std::string(outlier) != "16");
    QCOMPARE(fact(figure, "nvfp4_far_zero"), 1.0);
    QVERIFY(fact(figure, "nvfp4_scale") > before);
    QVERIFY(std::fabs(fact(figure, "nvfp4_far_scale") / (fact(figure, "largest_neighbour") / 6) - 1) < 1.0 / 16);
    before = fact(figure, "nvfp4_scale");
  }
}

void TaughtBlocks::aLongerRangeHoldsTheNeighbours() {
  QCOMPARE(fact(block("16"), "mxfp8_zero"), 0.0);
  QCOMPARE(fact(block("1024"), "mxfp8_zero"), 0.0);
  QVERIFY(fact(block("1048576"), "mxfp8_zero") > 20);
  QVERIFY(fact(block("16"), "mxfp8_error") < 100.0 / 16);  // E4M3 rounds by at most 1 in 16
}

void TaughtBlocks::theTransformHelpsModerateOutliersInFourBits() {
  const auto figure = block("16");
  QVERIFY(fact(figure, "mxfp4_hadamard_error") < 0.6 * fact(figure, "mxfp4_error"));
  QVERIFY(fact(figure, "mxfp4_hadamard_zero") < fact(figure, "mxfp4_zero"));
  QVERIFY(fact(figure, "mxfp4_hadamard_snr") > fact(figure, "mxfp4_snr"));
  QVERIFY(fact(figure, "mxfp8_hadamard_error") > fact(figure, "mxfp8_error"));
}

void TaughtBlocks::theTransformIsNoCureForLargeOutliers() {
  const auto figure = block("64");
  QCOMPARE(fact(figure, "mxfp4_zero"), 31.0);
  QVERIFY(std::fabs(fact(figure, "mxfp4_error") - 100) < 1e-9);
  QVERIFY(fact(figure, "nvfp4_hadamard_error") > fact(figure, "nvfp4_error"));
  QVERIFY(fact(figure, "mxfp4_snr") > fact(block("16"), "mxfp4_snr"));  // the outlier is most of the signal
}

void TaughtBlocks::thePictureHasEveryValue() {
  const auto figure = block("16");
  QCOMPARE(figure.panels.size(), std::size_t{3});
  for (const lessons::Panel& panel : figure.panels) {
    QCOMPARE(panel.series.size(), std::size_t{2});
    for (const lessons::Series& series : panel.series) QCOMPARE(series.points.size(), std::size_t{33});
    QCOMPARE(panel.series[1].points[0].y, 16.0);
  }
  const auto& held = figure.panels[1].series[0].points;
  QCOMPARE(std::count_if(held.begin(), held.end() - 1, [](const lessons::Point& point) { return point.y == 0; }), 21);
}

BINADE_SUITE(TaughtBlocks);

}  // namespace binade::test

#include "tst_taught_blocks.moc"
