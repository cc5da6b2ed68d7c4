// SPDX-License-Identifier: Apache-2.0
#include "tests/scaled/recorded.h"
#include "tests/support/suite.h"

#include <cmath>
#include <limits>

using namespace binade;

// FP8 by tensor and by block, against Transformer Engine's definition in NumPy.
class Fp8 : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void randomMatricesAreAsRecorded();
  void scalesOfOddTensorsAreOne();
  void powersOfTwoNeverSaturate();
};

void Fp8::randomMatricesAreAsRecorded() {
  constexpr std::size_t kSize = 256;
  int formats = 0;
  for (const QList<QByteArray>& row : test::recordedRows("fp8.csv")) {
    test::ShortHash hash;
    for (std::uint64_t i = 0; i < 40; ++i) {
      const test::Quantized ours =
          test::quantized(test::formatOf(row[0]), test::randomValues(5000 + i, kSize, kSize, 12), std::int64_t{kSize});
      hash.add(ours.codes.elements.data(), ours.codes.elements.size());
      hash.add(ours.values.data(), ours.values.size());
    }
    QVERIFY2(hash.finish() == row[1], row[0]);
    ++formats;
  }
  QCOMPARE(formats, 8);
}

void Fp8::scalesOfOddTensorsAreOne() {
  const scaled::ScaledFormat format = test::formatOf("fp8_current");
  for (const float largest : {0.0F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    QCOMPARE(scaled::tensor_scale(format, largest), scaled::Scale{});
    QCOMPARE(scaled::block_scale(test::formatOf("fp8_block"), largest).multiply, 1.0F);
  }
  // 448 / 1e-40 is beyond float32.
  QCOMPARE(scaled::tensor_scale(format, 1e-40F).multiply, std::numeric_limits<float>::max());
}

void Fp8::powersOfTwoNeverSaturate() {
  const scaled::ScaledFormat format = test::formatOf("fp8_block+pow2");
  for (float largest = 1e-20F; largest < 1e20F; largest *= 1.37F) {
    const scaled::BlockScale scale = scaled::block_scale(format, largest);
    int exponent = 0;
    QCOMPARE(std::frexp(scale.multiply, &exponent), 0.5F);
    QVERIFY(largest * scale.multiply <= 448 && largest * scale.multiply > 223);
    QCOMPARE(scale.multiply * scale.restore, 1.0F);
  }
}

BINADE_SUITE(Fp8);
#include "tst_fp8.moc"
