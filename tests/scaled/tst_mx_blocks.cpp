// SPDX-License-Identifier: Apache-2.0
#include "tests/formats/by_definition.h"
#include "tests/scaled/recorded.h"
#include "tests/support/suite.h"

#include <QMap>
#include <QSet>

#include <bit>
#include <cmath>

using namespace binade;

// MX blocks against torchao: all element formats in all scale modes.
class MxBlocks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void edgesAreAsRecorded();
  void randomBlocksAreAsRecorded();
  void exceptionsFollowTheDefinition();
};

namespace {

QByteArray hexOf(const std::vector<std::uint8_t>& bytes) {
  return QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())).toHex();
}

QMap<QByteArray, std::vector<float>> edgeBlocks() {
  QMap<QByteArray, std::vector<float>> blocks;
  for (const QList<QByteArray>& row : test::recordedRows("edge_blocks.csv")) blocks[row[0]] = test::floatsOf(row[1]);
  return blocks;
}

}  // namespace

void MxBlocks::edgesAreAsRecorded() {
  const QMap<QByteArray, std::vector<float>> blocks = edgeBlocks();
  int compared = 0;
  for (const QList<QByteArray>& row : test::recordedRows("edges.csv")) {
    const test::Quantized ours = test::quantized(test::formatOf(row[0]), blocks[row[1]], 1);
    const QByteArray where = row[0] + ' ' + row[1];
    QVERIFY2(ours.codes.scale_codes[0] == row[2].toUInt() || row[4] == "log2_in_float32", where);
    if (!row[4].isEmpty()) continue;
    QVERIFY2(hexOf(ours.codes.elements) == row[3], where + ' ' + hexOf(ours.codes.elements) + ' ' + row[3]);
    const std::vector<float> restored = test::floatsOf(row[5]);
    for (std::size_t i = 0; i < restored.size(); ++i) QVERIFY2(test::same(ours.values[i], restored[i]), where);
    ++compared;
  }
  QVERIFY2(compared > 500, QByteArray::number(compared));
}

void MxBlocks::randomBlocksAreAsRecorded() {
  constexpr std::size_t kBlocks = 100'000;
  constexpr std::size_t kPart = 2'000;
  const std::vector<float> values = test::randomValues(1, kBlocks, 32, 34);
  int compared = 0;
  for (const QList<QByteArray>& row : test::recordedRows("mx.csv")) {
    test::Quantized ours = test::quantized(test::formatOf(row[0]), values, kBlocks);
    const QList<QByteArray> left_out = row[1].isEmpty() ? QList<QByteArray>() : row[1].split(';');
    QVERIFY2(left_out.size() <= 5, row[0] + ' ' + row[1]);
    for (const QByteArray& each : left_out) {
      const std::size_t block = each.toUInt();
      ours.codes.scale_codes[block] = 0;
      std::fill_n(ours.codes.elements.begin() + static_cast<std::ptrdiff_t>(32 * block), 32, 0);
      std::fill_n(ours.values.begin() + static_cast<std::ptrdiff_t>(32 * block), 32, 0.0F);
    }
    const QList<QByteArray> hashes = row[2].split(';');
    QCOMPARE(hashes.size(), static_cast<qsizetype>(kBlocks / kPart));
    for (std::size_t part = 0; part < kBlocks / kPart; ++part) {
      test::ShortHash hash;
      hash.add(ours.codes.scale_codes.data() + part * kPart, kPart);
      hash.add(ours.codes.elements.data() + 32 * part * kPart, 32 * kPart);
      hash.add(ours.values.data() + 32 * part * kPart, 32 * kPart);
      QVERIFY2(hash.finish() == hashes[static_cast<qsizetype>(part)], row[0] + " part " + QByteArray::number(part));
    }
    ++compared;
  }
  QCOMPARE(compared, 20);
}

void MxBlocks::exceptionsFollowTheDefinition() {
  // Where torchao differs, a value is still the nearest element times the stored scale.
  const QMap<QByteArray, std::vector<float>> blocks = edgeBlocks();
  QSet<QByteArray> reasons;
  for (const QList<QByteArray>& row : test::recordedRows("edges.csv")) {
    if (row[4].isEmpty()) continue;
    reasons += row[4];
    const scaled::ScaledFormat format = test::formatOf(row[0]);
    const std::vector<float>& block = blocks[row[1]];
    const test::Quantized ours = test::quantized(format, block, 1);
    const double scale = std::ldexp(1.0, ours.codes.scale_codes[0] - 127);
    for (std::size_t i = 0; i < block.size(); ++i) {
      const QByteArray where = row[0] + ' ' + row[1] + ' ' + QByteArray::number(i);
      if (row[4] == "nan_block") {
        QVERIFY2(std::isnan(ours.values[i]), where);
      } else {
        const auto quotient = static_cast<float>(block[i] / scale);
        QVERIFY2(test::same(ours.values[i], scaled::round(quotient, format.element) * scale), where);
      }
    }
  }
  QCOMPARE(reasons, QSet<QByteArray>({"nan_block", "scale_below_2^-126", "log2_in_float32"}));
}

BINADE_SUITE(MxBlocks);
#include "tst_mx_blocks.moc"
