// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/format.h"
#include "tests/scaled/recorded.h"
#include "tests/support/suite.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace binade;
using scaled::BlockStats;

// Statistics of quantized tensors.
class BlockStatistics : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void countWhatQuantizationDid();
  void countOutliersAndDeadBlocks();
  void scalesThatFloat32CannotHoldAreLeftOut();
  void partsAddUp();
  void roundingIsBiasedWithoutDraws();
  void staleScales();
};

namespace {

std::uint64_t blocksIn(const BlockStats& stats) {
  return std::accumulate(stats.scales.begin(), stats.scales.end(), std::uint64_t{0});
}

}  // namespace

void BlockStatistics::countWhatQuantizationDid() {
  std::vector<float> values(96, 0.0F);
  values[0] = 7;     // scaled by 1: beyond 6, the largest
  values[1] = 0.2F;  // becomes 0
  values[2] = -4;    // an element
  values[3] = 2.2F;  // becomes 2
  values[33] = std::numeric_limits<float>::quiet_NaN();
  const BlockStats stats = test::quantized(test::formatOf("mxfp4"), values, 3).stats;
  QCOMPARE(stats.values, std::uint64_t{96});
  QCOMPARE(stats.non_finite, std::uint64_t{1});
  QCOMPARE(stats.non_zero, std::uint64_t{4});
  QCOMPARE(stats.to_zero, std::uint64_t{1});
  QCOMPARE(stats.saturated, std::uint64_t{1});
  QCOMPARE(stats.blocks, std::uint64_t{3});
  QCOMPARE(stats.zero_blocks, std::uint64_t{1});
  QCOMPARE(stats.dead_blocks, std::uint64_t{0});
  QCOMPARE(stats.largest, 7.0F);
  QCOMPARE(blocksIn(stats), std::uint64_t{1});
  QCOMPARE(stats.scales[static_cast<std::size_t>(0 - BlockStats::kFirstBinade)], 1u);
  const double noise = 1 + double{0.2F} * double{0.2F} + (2 - double{2.2F}) * (2 - double{2.2F});
  QVERIFY(std::fabs(stats.noise - noise) < 1e-12);
  const double signal = 49 + double{0.2F} * double{0.2F} + 16 + double{2.2F} * double{2.2F};
  QVERIFY(std::fabs(stats.snr_db() - 10 * std::log10(signal / noise)) < 1e-9);
}

void BlockStatistics::countOutliersAndDeadBlocks() {
  // In nvfp4 a block is dead whose values are too small for the smallest scale beside the tensor's largest value.
  std::vector<float> values(64, 1.0F);
  values[0] = 10'000;
  for (std::size_t i = 16; i < 32; ++i) values[i] = 1e-4F;
  const BlockStats stats = test::quantized(test::formatOf("nvfp4"), values, 1).stats;
  QCOMPARE(stats.blocks, std::uint64_t{4});
  QCOMPARE(stats.outlier_blocks, std::uint64_t{1});
  QCOMPARE(stats.dead_blocks, std::uint64_t{1});
  // A single value among zeros rules nothing.
  std::vector<float> single(32, 0.0F);
  single[4] = 3;
  QCOMPARE(test::quantized(test::formatOf("mxfp4"), single, 1).stats.outlier_blocks, std::uint64_t{0});
}

void BlockStatistics::scalesThatFloat32CannotHoldAreLeftOut() {
  // The largest value of the tensor is a float32 subnormal: the scale of the second block is 0 in float32, and the
  // multiplier of the first is too small.
  std::vector<float> values(32, 0.0F);
  for (std::size_t i = 0; i < 16; ++i) values[i] = 1e-41F;
  for (std::size_t i = 16; i < 32; ++i) values[i] = std::numeric_limits<float>::denorm_min();
  const BlockStats stats = test::quantized(test::formatOf("nvfp4"), values, 1).stats;
  QCOMPARE(stats.blocks, std::uint64_t{2});
  QCOMPARE(stats.dead_blocks, std::uint64_t{2});
  QCOMPARE(stats.to_zero, std::uint64_t{32});
  QCOMPARE(stats.outlier_blocks, std::uint64_t{0});
  QCOMPARE(blocksIn(stats), std::uint64_t{1});
}

void BlockStatistics::partsAddUp() {
  const std::vector<float> values = test::randomValues(4, 64, 96, 10);
  for (const char* name : {"mxfp8", "mxfp4+rceil", "fp8_block", "fp8_delayed"}) {
    const scaled::ScaledFormat format = test::formatOf(name);
    const BlockStats all = test::quantized(format, values, 64).stats;
    BlockStats sum;
    const scaled::InputView view{.data = values.data(), .rows = 64, .columns = 96, .row_stride = 96};
    std::vector<float> out(values.size());
    for (std::int64_t row = 0; row < 64; row += 16) {
      BlockStats part;
      scaled::Quantizer{format}(view, {.data = out.data(), .row_stride = 96}, {row, row + 16}, {}, {nullptr, &part});
      sum.add(part);
    }
    QVERIFY(std::fabs(sum.signal - all.signal) <= 1e-12 * all.signal);
    QVERIFY(std::fabs(sum.noise - all.noise) <= 1e-12 * all.noise);
    sum.signal = all.signal;
    sum.noise = all.noise;
    QVERIFY(std::fabs(sum.error - all.error) <= 1e-6 * std::sqrt(all.noise * static_cast<double>(all.values)));
    sum.error = all.error;
    QVERIFY(sum == all);
  }
}

void BlockStatistics::roundingIsBiasedWithoutDraws() {
  // Values that all round down: the error sums up to nearest, and cancels stochastically.
  std::vector<float> values(32 * 1000, 2.2F);
  for (std::size_t i = 0; i < values.size(); i += 32) values[i] = 4;
  const BlockStats nearest = test::quantized(test::formatOf("mxfp4"), values, 1000).stats;
  const BlockStats stochastic =
      test::quantized(test::formatOf("mxfp4+stochastic"), values, 1000, scaled::RandomBits(1, 1)).stats;
  QVERIFY(std::fabs(nearest.error + 31'000 * 0.2) < 1);
  QVERIFY(std::fabs(stochastic.error) < 5 * std::sqrt(stochastic.noise));
  QVERIFY(stochastic.noise > nearest.noise);
}

void BlockStatistics::staleScales() {
  BlockStats stats;
  QVERIFY(std::isnan(scaled::stale_doublings(stats, scaled::Element::kE4M3, 1)));
  stats.largest = 1792;
  QCOMPARE(scaled::stale_doublings(stats, scaled::Element::kE4M3, 1), 2.0);
  QCOMPARE(scaled::stale_doublings(stats, scaled::Element::kE4M3, 0.125F), -1.0);
}

BINADE_SUITE(BlockStatistics);
#include "tst_block_stats.moc"
