// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/hadamard.h"
#include "tests/scaled/recorded.h"
#include "tests/support/suite.h"

#include <bit>
#include <cmath>

using namespace binade;
using scaled::Hadamard;

// The random Hadamard transform against its matrix.
class HadamardTransform : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void isTheMatrixProduct();
  void inverseReturnsTheValues();
  void columnsAreTransformedAsRows();
  void keepsProducts();
  void spreadsAnOutlier();
  void signsDependOnTheSeed();
};

void HadamardTransform::isTheMatrixProduct() {
  const Hadamard hadamard(4);
  std::vector<float> values = test::randomValues(8, 20, 16, 3);
  const std::vector<float> original = values;
  hadamard.forward_rows(values.data(), 20);
  for (std::size_t row = 0; row < 20; ++row) {
    for (unsigned j = 0; j < 16; ++j) {
      double sum = 0;
      double magnitudes = 0;
      for (unsigned i = 0; i < 16; ++i) {
        // Sylvester's matrix: the sign of entry (i, j) is the parity of the common bits.
        const double entry = std::popcount(i & j) % 2 == 0 ? 0.25 : -0.25;
        sum += entry * hadamard.signs()[i] * original[row * 16 + i];
        magnitudes += std::fabs(original[row * 16 + i]);
      }
      QVERIFY(std::fabs(values[row * 16 + j] - sum) <= 1e-6 * magnitudes);
    }
  }
}

void HadamardTransform::inverseReturnsTheValues() {
  const Hadamard hadamard(9);
  std::vector<float> values = test::randomValues(2, 1, 16, 1);
  const std::vector<float> original = values;
  hadamard.forward_rows(values.data(), 1);
  QVERIFY(values != original);
  hadamard.inverse(values.data());
  for (std::size_t i = 0; i < 16; ++i) QVERIFY(std::fabs(values[i] - original[i]) < 1e-5F);
}

void HadamardTransform::columnsAreTransformedAsRows() {
  const Hadamard hadamard(5);
  constexpr std::size_t kColumns = 37;
  constexpr std::size_t kStride = 40;
  std::vector<float> rows = test::randomValues(6, kColumns, 16, 3);
  std::vector<float> columns(16 * kStride, 7.0F);
  for (std::size_t c = 0; c < kColumns; ++c) {
    for (std::size_t i = 0; i < 16; ++i) columns[i * kStride + c] = rows[c * 16 + i];
  }
  hadamard.forward_rows(rows.data(), kColumns);
  hadamard.forward_columns(columns.data(), kStride, kColumns);
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t c = 0; c < kColumns; ++c) QCOMPARE(columns[i * kStride + c], rows[c * 16 + i]);
    for (std::size_t c = kColumns; c < kStride; ++c) QCOMPARE(columns[i * kStride + c], 7.0F);
  }
}

void HadamardTransform::keepsProducts() {
  const Hadamard hadamard(12);
  std::vector<float> a = test::randomValues(1, 1, 16, 1);
  std::vector<float> b = test::randomValues(2, 1, 16, 1);
  const auto product = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < 16; ++i) sum += double{a[i]} * b[i];
    return sum;
  };
  const double before = product();
  hadamard.forward_rows(a.data(), 1);
  hadamard.forward_rows(b.data(), 1);
  QVERIFY(std::fabs(product() - before) < 1e-5);
}

void HadamardTransform::spreadsAnOutlier() {
  std::vector<float> values(16, 0.0F);
  values[3] = 100;
  Hadamard(1).forward_rows(values.data(), 1);
  for (const float value : values) QCOMPARE(std::fabs(value), 25.0F);
}

void HadamardTransform::signsDependOnTheSeed() {
  int different = 0;
  int negative = 0;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    QVERIFY(Hadamard(seed).signs() == Hadamard(seed).signs());
    if (Hadamard(seed).signs() != Hadamard(seed + 1).signs()) ++different;
    const Hadamard transform(seed);
    for (const float sign : transform.signs()) {
      QVERIFY(std::fabs(sign) == 1);
      if (sign < 0) ++negative;
    }
  }
  QVERIFY(different >= 63);
  QVERIFY(std::abs(negative - 512) < 80);  // 5 standard deviations
}

BINADE_SUITE(HadamardTransform);
#include "tst_hadamard.moc"
