// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/float16.h"
#include "tests/formats/by_definition.h"
#include "tests/support/suite.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace binade;
using formats::kFloat16;

// Float16 against its definition: exhaustive where it can be.
class Float16 : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyMidpointAndItsNeighboursRoundToEven();
  void aMillionRandomPatterns();
  void everyHalfRoundTrips();
  void theFastPathEqualsTheGeneralOne();
  void nanStaysNanAndBecomesQuiet();
  void valuesOfTheTalk_data();
  void valuesOfTheTalk();

 private:
  static QByteArray fastDisagreement(float value);
};

/// The fast path and the general one against the definition.
QByteArray Float16::fastDisagreement(float value) {
  const std::string general = test::disagreement(value, kFloat16);
  if (!general.empty()) return QByteArray::fromStdString(general);
  const double expected = test::roundedByDefinition(value, kFloat16);
  const std::uint16_t bits = formats::float16_bits(value);
  if (!test::same(test::valueByDefinition(bits, kFloat16), expected) ||
      !test::same(formats::float16_value(bits), expected)) {
    return QByteArray("fast path at ") + QByteArray::number(static_cast<double>(value), 'g', 12);
  }
  return {};
}

void Float16::everyMidpointAndItsNeighboursRoundToEven() {
  int midpoints = 0;
  for (std::uint32_t bits = 0; bits < 0x7c00u; ++bits) {
    // The half after the largest is where 65536 would stand.
    const double low = test::valueByDefinition(bits, kFloat16);
    const double high = bits == 0x7bffu ? 65536.0 : test::valueByDefinition(bits + 1, kFloat16);
    const auto midpoint = static_cast<float>((low + high) / 2);
    QCOMPARE(static_cast<double>(midpoint), (low + high) / 2);  // a float32 has room for it
    const double even = bits % 2 == 0 ? low : bits == 0x7bffu ? HUGE_VAL : high;
    QVERIFY2(test::same(formats::round(midpoint, kFloat16), even), QByteArray::number(bits, 16));
    for (const float sign : {1.0f, -1.0f}) {
      for (const float towards : {0.0f, midpoint, std::numeric_limits<float>::infinity()}) {
        const QByteArray wrong = fastDisagreement(sign * std::nextafter(midpoint, towards));
        QVERIFY2(wrong.isEmpty(), wrong.constData());
      }
    }
    ++midpoints;
  }
  QCOMPARE(midpoints, 31744);
}

void Float16::aMillionRandomPatterns() {
  test::Patterns patterns(20200814);
  int inside = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    std::uint32_t bits = patterns.next();
    // Half of them anywhere, half with an exponent that float16 has: 2^-26 .. 2^16.
    if (i % 2 == 1) bits = (bits & 0x807fffffu) | ((101u + (bits >> 23) % 43u) << 23);
    const auto value = std::bit_cast<float>(bits);
    const double magnitude = std::fabs(static_cast<double>(value));
    if (magnitude > 0x1p-25 && magnitude < 65520) ++inside;
    const QByteArray wrong = fastDisagreement(value);
    QVERIFY2(wrong.isEmpty(), wrong.constData());
  }
  QVERIFY2(inside > 450'000, QByteArray::number(inside));
}

void Float16::everyHalfRoundTrips() {
  for (std::uint32_t bits = 0; bits <= 0xffffu; ++bits) {
    const float value = formats::float16_value(static_cast<std::uint16_t>(bits));
    QVERIFY2(test::same(value, test::valueByDefinition(bits, kFloat16)), QByteArray::number(bits, 16));
    const std::uint32_t quiet = std::isnan(value) ? bits | 0x200u : bits;
    QCOMPARE(static_cast<std::uint32_t>(formats::float16_bits(value)), quiet);
    QCOMPARE(formats::encode(formats::decode(bits, kFloat16), kFloat16), quiet);
  }
}

void Float16::theFastPathEqualsTheGeneralOne() {
  // `encode` takes the fast path where overflow gives infinity; saturating takes the general one. In range they agree.
  test::Patterns patterns(7);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint32_t bits = (patterns.next() & 0x807fffffu) | ((101u + patterns.next() % 41u) << 23);
    const auto value = std::bit_cast<float>(bits);
    QCOMPARE(static_cast<std::uint32_t>(formats::float16_bits(value)),
             formats::encode(value, kFloat16, formats::Overflow::kSaturate));
  }
  QCOMPARE(formats::encode(1e30f, kFloat16, formats::Overflow::kSaturate), 0x7bffu);
}

void Float16::nanStaysNanAndBecomesQuiet() {
  for (const std::uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xff800001u, 0x7fffffffu, 0x7fa00000u}) {
    const auto nan = std::bit_cast<float>(bits);
    const std::uint16_t half = formats::float16_bits(nan);
    QVERIFY((half & 0x7e00u) == 0x7e00u);
    QCOMPARE(half >> 15, static_cast<int>(bits >> 31));
    QVERIFY(std::isnan(formats::float16_value(half)));
    QVERIFY(std::isnan(formats::round(nan, kFloat16, formats::Overflow::kSaturate)));
  }
}

void Float16::valuesOfTheTalk_data() {
  QTest::addColumn<double>("value");
  QTest::addColumn<uint>("bits");
  QTest::newRow("largest") << 65504.0 << 0x7bffu;
  QTest::newRow("just below the limit") << 65519.996 << 0x7bffu;
  QTest::newRow("the limit") << 65520.0 << 0x7c00u;
  QTest::newRow("smallest normal") << 0x1p-14 << 0x0400u;
  QTest::newRow("largest subnormal") << 0x1p-14 - 0x1p-24 << 0x03ffu;
  QTest::newRow("smallest subnormal") << 0x1p-24 << 0x0001u;
  QTest::newRow("tie to zero") << 0x1p-25 << 0x0000u;
  QTest::newRow("just above that tie") << 0x1.000002p-25 << 0x0001u;
  QTest::newRow("three halves of the smallest tie to even") << 0x1.8p-24 << 0x0002u;
  QTest::newRow("1 + 0.0001 is lost") << 1.0001 << 0x3c00u;
  QTest::newRow("1 + 0.001 is not") << 1.001 << 0x3c01u;
  QTest::newRow("1 + 2^-11 ties to 1") << 1 + 0x1p-11 << 0x3c00u;
  QTest::newRow("from an odd half the same step counts") << 1.0009765625 + 0x1p-11 << 0x3c02u;
  QTest::newRow("1 - 2^-12 ties to 1") << 1 - 0x1p-12 << 0x3c00u;
  QTest::newRow("1 - 2^-11 is a half") << 1 - 0x1p-11 << 0x3bffu;
  QTest::newRow("1e-5 is subnormal, not zero") << 1e-5 << 0x00a8u;
  QTest::newRow("1e-7") << 1e-7 << 0x0002u;
  QTest::newRow("1e-8 underflows") << 1e-8 << 0x0000u;
  QTest::newRow("1e-8 scaled by 65536 does not") << 1e-8 * 65536 << 0x115eu;
  QTest::newRow("300 squared") << 90000.0 << 0x7c00u;
  QTest::newRow("4096 times 16 overflows when stored") << 65536.0 << 0x7c00u;
}

void Float16::valuesOfTheTalk() {
  QFETCH(double, value);
  QFETCH(uint, bits);
  QCOMPARE(formats::encode(static_cast<float>(value), kFloat16), bits);
  QCOMPARE(formats::encode(static_cast<float>(-value), kFloat16), bits | 0x8000u);
}

BINADE_SUITE(Float16);
#include "tst_float16.moc"
