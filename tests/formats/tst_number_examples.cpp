// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/format.h"
#include "tests/support/suite.h"

#include <bit>
#include <cmath>
#include <vector>

using namespace binade;
using formats::kFloat16;
using formats::kFloat32;

namespace {
float half(double value) {
  return formats::round(static_cast<float>(value), kFloat16);
}
}  // namespace

// The numeric examples that mixed precision is taught with, to the last bit.
class NumberExamples : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void float32HasEightAndTwentyThreeBits();
  void float16EndsAt65504();
  void tfloat32HasFloat32sRangeAndFloat16sPrecision();
  void aSumOf4096SixteensDependsOnItsAccumulator();
  void squareAndExponentialLeaveFloat16();
  void aSmallUpdateIsLostInFloat16();
  void theRatioLimitOfFloat16();
  void theRatioLimitOfFloat32();
  void gradientsShrinkToZeroAtTheEighthLayer();
  void scalingByAPowerOfTwoIsExactInsideTheWindow();
  void smallGradientsWithAndWithoutScale();
  void theEdgeOfOverflowAtScale65536();
};

void NumberExamples::float32HasEightAndTwentyThreeBits() {
  // 1.5 is sign 0, exponent 0 (field 127), mantissa 100...
  QCOMPARE(formats::encode(1.5f, kFloat32), 127u << 23 | 1u << 22);
  QCOMPARE(formats::encode(-0x1.000002p-126f, kFloat32), 1u << 31 | 1u << 23 | 1u);
  QCOMPARE(kFloat32.exponent_bits + kFloat32.mantissa_bits + 1, 32);
  QCOMPARE(kFloat32.bias(), 127);
}

void NumberExamples::float16EndsAt65504() {
  QVERIFY(formats::decode(0x7bff, kFloat16) == 65504.0f);
  QVERIFY(half(65519.996) == 65504.0f);
  QVERIFY(std::isinf(half(65520)));
}

void NumberExamples::tfloat32HasFloat32sRangeAndFloat16sPrecision() {
  const auto tf32 = [](float value) { return formats::round(value, formats::kTFloat32); };
  QVERIFY(tf32(1 + 0x1p-12f) == 1.0f);
  QVERIFY(tf32(1 + 0x1p-10f) == 1 + 0x1p-10f);
  QVERIFY(std::isfinite(tf32(1e38f)) && std::fabs(tf32(1e38f) / 1e38f - 1) < 0x1p-11f);
  QVERIFY(std::isinf(half(1e38)));
}

void NumberExamples::aSumOf4096SixteensDependsOnItsAccumulator() {
  float one = 0;  // float16 at every addition: stuck from the 2049th on, where 16 is half a step
  float wide = 0;
  int stuck = 0;
  for (int i = 1; i <= 4096; ++i) {
    const float next = half(one + 16.0f);
    if (next == one && stuck == 0) stuck = i;
    one = next;
    wide += 16.0f;
  }
  QVERIFY(one == 32768.0f);
  QCOMPARE(stuck, 2049);
  QVERIFY(wide == 65536.0f);
  QVERIFY(std::isinf(half(wide)));  // accumulated in float32, stored as a half
  std::vector<float> tree(4096, 16.0f);
  while (tree.size() > 1) {
    for (std::size_t i = 0; i < tree.size() / 2; ++i) tree[i] = half(tree[2 * i] + tree[2 * i + 1]);
    tree.resize(tree.size() / 2);
    if (tree.size() == 2) QVERIFY(tree[0] == 32768.0f);
  }
  QVERIFY(std::isinf(tree[0]));
  QVERIFY(half(4094 * 16.0) == 65504.0f && std::isinf(half(4095 * 16.0)));
}

void NumberExamples::squareAndExponentialLeaveFloat16() {
  QVERIFY(std::isinf(half(300.0 * 300.0)));
  QVERIFY(std::isinf(half(std::exp(11.1))));
  QVERIFY(std::isfinite(half(std::exp(11.0))));
}

void NumberExamples::aSmallUpdateIsLostInFloat16() {
  QCOMPARE(formats::encode(half(1.0f) + half(0.0001), kFloat16), 0x3c00u);
  QVERIFY(1.0f + 0.0001f == 1.000100017f);
  QVERIFY(half(0.0001) == 0.0001000165939f);
  float narrow = 1.0f;
  float wide = 1.0f;
  for (int i = 0; i < 1000; ++i) {
    narrow = half(narrow + 0.0001f);
    wide += 0.0001f;
  }
  QVERIFY(narrow == 1.0f);
  QVERIFY2(std::fabs(wide - 1.1000166f) < 1e-7f, QByteArray::number(static_cast<double>(wide), 'g', 10));
  QVERIFY(half(1.0f + 0.001f) == 1.0009765625f);  // ten times larger is not lost
}

void NumberExamples::theRatioLimitOfFloat16() {
  const float next = formats::decode(formats::encode(0x1p-11f, kFloat16) + 1, kFloat16);
  QVERIFY(half(1.0f + 0x1p-11f) == 1.0f);
  QVERIFY(half(1.0f + next) == 1.0009765625f);
  QVERIFY(half(1.0009765625f + 0x1p-11f) == 1.001953125f);  // an odd significand keeps the tie
  QVERIFY(half(1.0f - 0x1p-12f) == 1.0f);                   // below 1 the steps are half as wide
  QVERIFY(half(1.0f - 0x1p-11f) == 1.0f - 0x1p-11f);
}

void NumberExamples::theRatioLimitOfFloat32() {
  const auto single = [](double value) { return static_cast<float>(value); };
  QVERIFY(single(1.0 + 0x1p-24) == 1.0f);
  QVERIFY(single(1.0 + static_cast<double>(std::nextafter(0x1p-24f, 1.0f))) == 1.0f + 0x1p-23f);
}

void NumberExamples::gradientsShrinkToZeroAtTheEighthLayer() {
  float gradient = 1.0f;
  float wide = 1.0f;
  int layer = 0;
  while (gradient != 0) {
    gradient = half(gradient * 0.1f);
    wide *= 0.1f;
    ++layer;
  }
  QCOMPARE(layer, 8);
  QVERIFY(wide > 0.9e-8f && wide < 1.1e-8f);
}

void NumberExamples::scalingByAPowerOfTwoIsExactInsideTheWindow() {
  for (const float gradient : {1e-3f, 3.3e-4f, 0.7f, 0.0123f}) {
    for (const float scale : {2.0f, 16.0f, 1024.0f, 65536.0f / 2}) {
      QVERIFY(half(gradient * scale) / scale == half(gradient));
    }
  }
}

void NumberExamples::smallGradientsWithAndWithoutScale() {
  QVERIFY(half(1e-5) == 0x1.5p-17f);           // subnormal, not zero: 168 steps of 2^-24, 0.14 % off
  QVERIFY(1e-5 < kFloat16.smallest_normal());  // and zero only where subnormals are flushed
  QVERIFY(half(1e-8) == 0.0f);
  QVERIFY(half(1e-5 * 65536) == 0.6552734375f);
  QVERIFY(std::fabs(half(1e-5 * 65536) / 65536.0 - 9.998679e-06) < 1e-12);
  QVERIFY(std::fabs(half(1e-8 * 65536) / 65536.0 - 9.997166e-09) < 1e-15);  // float32 holds what float16 could not
}

void NumberExamples::theEdgeOfOverflowAtScale65536() {
  QVERIFY(std::isinf(half(1.0 * 65536)));
  QVERIFY(half(0.9995 * 65536) == 65504.0f);
  QVERIFY(std::isinf(half(0.999755859375 * 65536)));
}

BINADE_SUITE(NumberExamples);
#include "tst_number_examples.moc"
