// SPDX-License-Identifier: Apache-2.0
#include "tests/formats/by_definition.h"
#include "tests/scaled/recorded.h"
#include "tests/support/suite.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace binade;

// NVFP4 against torchao, and what torchao does not have: 16 x 16 blocks.
class Nvfp4 : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void randomMatricesAreAsRecorded();
  void squareBlocksAreTheSameForBothProducts();
  void zerosStayZero();
  void zerosStayZeroInTinyTensors();
  void infinityAndNanSpreadOverTheTensor();
};

void Nvfp4::randomMatricesAreAsRecorded() {
  constexpr std::int64_t kSize = 64;
  const scaled::ScaledFormat format = test::formatOf("nvfp4");
  int matrices = 0;
  for (const QList<QByteArray>& row : test::recordedRows("nvfp4.csv")) {
    const std::uint32_t first = row[0].toUInt();
    const QList<QByteArray> scales = row[2].split(';');
    test::ShortHash hash;
    for (std::uint32_t i = first; i < first + static_cast<std::uint32_t>(scales.size()); ++i, ++matrices) {
      const std::vector<float> values = test::randomValues(1000 + i, kSize, kSize, i % 4 != 0 ? 6 : 20);
      const scaled::InputView view{.data = values.data(), .rows = kSize, .columns = kSize, .row_stride = kSize};
      const float largest = scaled::Quantizer(format).largest(view, {0, kSize});
      QCOMPARE(std::bit_cast<std::uint32_t>(scaled::tensor_scale(format, largest).restore),
               scales[static_cast<qsizetype>(i - first)].toUInt(nullptr, 16));
      const test::Quantized ours = test::quantized(format, values, kSize);
      hash.add(ours.codes.scale_codes.data(), ours.codes.scale_codes.size());
      hash.add(ours.codes.elements.data(), ours.codes.elements.size());
      hash.add(ours.values.data(), ours.values.size());
    }
    QVERIFY2(hash.finish() == row[1], row[0]);
  }
  QCOMPARE(matrices, 400);
}

void Nvfp4::squareBlocksAreTheSameForBothProducts() {
  constexpr std::int64_t kSize = 48;
  const scaled::ScaledFormat format = test::formatOf("nvfp4_16x16");
  const std::vector<float> values = test::randomValues(3, kSize, kSize, 4);
  const test::Quantized rows = test::quantized(format, values, kSize);
  // The transposed view: the forward product contracts one dimension, the product for the input's gradient the other.
  std::vector<float> columns(values.size());
  const scaled::InputView view{
      .data = values.data(), .rows = kSize, .columns = kSize, .row_stride = 1, .column_stride = kSize};
  scaled::Quantizer(format).whole(view, {.data = columns.data(), .row_stride = 1, .column_stride = kSize});
  QCOMPARE(columns, rows.values);
  QCOMPARE(rows.codes.scales.size(), std::size_t{9});
  // Each block has the scale of its own largest magnitude.
  float largest = 0;
  for (std::size_t r = 16; r < 32; ++r) {
    for (std::size_t c = 32; c < 48; ++c) largest = std::max(largest, std::fabs(values[r * kSize + c]));
  }
  const float all = scaled::Quantizer(format).largest(view, {0, kSize});
  QCOMPARE(rows.codes.scales[5], scaled::block_scale(format, largest, scaled::tensor_scale(format, all)).restore);
}

void Nvfp4::zerosStayZero() {
  // torchao divides 0 by 0 here and returns NaN; a device, whose library takes the scale 1, returns zeros.
  const std::vector<float> zeros(64, 0.0F);
  const test::Quantized ours = test::quantized(test::formatOf("nvfp4"), zeros, 2);
  QCOMPARE(ours.values, zeros);
  QCOMPARE(ours.stats.zero_blocks, std::uint64_t{4});
}

void Nvfp4::zerosStayZeroInTinyTensors() {
  // The reciprocal of the scale of a block of zeros exceeds float32 here.
  for (const float tiny : {1e-33F, 1e-34F, 1e-38F, 1e-41F}) {
    std::vector<float> values(64, 0.0F);
    values[3] = tiny;
    const test::Quantized ours = test::quantized(test::formatOf("nvfp4"), values, 2);
    for (std::size_t i = 0; i < values.size(); ++i)
      QVERIFY(i == 3 ? std::isfinite(ours.values[i]) : ours.values[i] == 0);
  }
}

void Nvfp4::infinityAndNanSpreadOverTheTensor() {
  // The scale of the tensor is infinite or NaN, as in torchao.
  for (const float odd : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> values(64, 1.0F);
    values[40] = odd;
    const test::Quantized ours = test::quantized(test::formatOf("nvfp4"), values, 2);
    for (const float value : ours.values) QVERIFY(std::isnan(value));
    QCOMPARE(ours.stats.non_finite, std::uint64_t{1});
  }
}

BINADE_SUITE(Nvfp4);
#include "tst_nvfp4.moc"
