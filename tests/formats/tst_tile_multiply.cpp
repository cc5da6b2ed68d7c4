// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/tile_multiply.h"
#include "tests/support/suite.h"

#include <cmath>

using namespace binade::formats;

namespace binade::test {

/// What a tensor core computes at a time, step by step.
class TileMultiply : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void dIsATimesBPlusC();
  void everyStepCanBeFollowed();
  void operandsAreFloat16AndSumsFloat32();
  void sumsInFloat16LoseWhatFloat32Keeps();
};

namespace {

Tile filled(float value) {
  Tile tile;
  tile.fill(value);
  return tile;
}

}  // namespace

void TileMultiply::dIsATimesBPlusC() {
  Tile a{}, b{}, c{};
  for (std::size_t i = 0; i < 16; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(i % 5) - 2;
    c[i] = 0.5F * static_cast<float>(i);
  }
  const TileProduct product = multiply_tiles(a, b, c);
  for (std::size_t row = 0; row < 4; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      float expected = c[4 * row + column];
      for (std::size_t k = 0; k < 4; ++k) expected += a[4 * row + k] * b[4 * k + column];
      QCOMPARE(product.d[4 * row + column], expected);  // small integers: every sum is exact
    }
  }
}

void TileMultiply::everyStepCanBeFollowed() {
  const TileProduct product = multiply_tiles(filled(2), filled(3), filled(1));
  QCOMPARE(product.steps.size(), std::size_t{64});
  QCOMPARE(product.steps[0].sum, 7.0F);
  QCOMPARE(product.steps[3].sum, 25.0F);
  QCOMPARE(product.steps[4].column, 1);
  QCOMPARE(product.steps[63].row, 3);
  QCOMPARE(product.d[15], product.steps[63].sum);
}

void TileMultiply::operandsAreFloat16AndSumsFloat32() {
  // 2049 is no float16; 300 x 300 is beyond float16 and no trouble for float32.
  QCOMPARE(multiply_tiles(filled(2049), filled(1), filled(0)).steps[0].a, 2048.0F);
  QCOMPARE(multiply_tiles(filled(300), filled(300), filled(0)).d[0], 360000.0F);
  QVERIFY(std::isinf(multiply_tiles(filled(300), filled(300), filled(0), kFloat16, kFloat16).d[0]));
}

void TileMultiply::sumsInFloat16LoseWhatFloat32Keeps() {
  const float big = 2048;  // float16 counts in twos from here on
  QCOMPARE(multiply_tiles(filled(1), filled(1), filled(big)).d[0], 2052.0F);
  QCOMPARE(multiply_tiles(filled(1), filled(1), filled(big), kFloat16, kFloat16).d[0], 2048.0F);
}

BINADE_SUITE(TileMultiply);

}  // namespace binade::test

#include "tst_tile_multiply.moc"
