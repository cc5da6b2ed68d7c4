// SPDX-License-Identifier: Apache-2.0
#include "tests/formats/by_definition.h"
#include "tests/formats/format_metatype.h"
#include "tests/support/suite.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace binade;
using formats::Format;
using formats::Overflow;

// Rounding to every other format, against its definition.
class Rounding : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void midpointsRoundToEven_data() { formatColumn(); }
  void midpointsRoundToEven();
  void randomPatterns_data() { formatColumn(); }
  void randomPatterns();
  void roundingTwiceChangesNothing_data() { formatColumn(); }
  void roundingTwiceChangesNothing();
  void everyPatternRoundTrips_data();
  void everyPatternRoundTrips();
  void everySmallFormatAtItsEdges();
  void float32IsTheIdentity();
  void infinityBeyondTheLimit();

 private:
  static void formatColumn();
  static QByteArray wrongAt(float value, const Format& format);
};

void Rounding::formatColumn() {
  QTest::addColumn<Format>("format");
  for (const char* name : {"tfloat32", "bfloat16", "float8_e4m3fn", "float8_e5m2", "e2m1", "e3m2", "e4m3", "e6m9",
                           "e8m1", "e8m22", "e5m23", "e7m16"}) {
    QTest::newRow(name) << *formats::parse(name);
  }
  QTest::newRow("e3m4fn") << Format{3, 4, true};
}

QByteArray Rounding::wrongAt(float value, const Format& format) {
  for (const Overflow overflow : {Overflow::kInfinity, Overflow::kSaturate}) {
    const std::string wrong = test::disagreement(value, format, overflow);
    if (!wrong.empty()) return QByteArray::fromStdString(wrong);
  }
  return {};
}

void Rounding::midpointsRoundToEven() {
  QFETCH(Format, format);
  const std::uint32_t patterns = 1u << (format.exponent_bits + format.mantissa_bits);
  // All of them in formats of up to 16 bits, a fixed sample of 40,000 in wider ones.
  const std::uint32_t stride = patterns > 0x8000u ? patterns / 40'000 | 1u : 1u;
  int midpoints = 0;
  for (std::uint32_t bits = 0; bits + 1 < patterns; bits += stride) {
    const double low = test::valueByDefinition(bits, format);
    const double high = test::valueByDefinition(bits + 1, format);
    if (!std::isfinite(low) || !std::isfinite(high)) continue;
    const double middle = (low + high) / 2;
    const auto midpoint = static_cast<float>(middle);
    if (static_cast<double>(midpoint) == middle) {
      const double even = bits % 2 == 0 ? low : high;
      QVERIFY2(test::same(formats::round(midpoint, format), even), QByteArray::number(bits, 16));
      ++midpoints;
    }
    for (const float sign : {1.0f, -1.0f}) {
      for (const float towards : {0.0f, midpoint, std::numeric_limits<float>::infinity()}) {
        const QByteArray wrong = wrongAt(sign * std::nextafter(midpoint, towards), format);
        QVERIFY2(wrong.isEmpty(), wrong.constData());
      }
    }
  }
  // float32 has no room between the normal values of a format with its own mantissa.
  QVERIFY(midpoints > 0 || format.mantissa_bits == 23);
}

void Rounding::randomPatterns() {
  QFETCH(Format, format);
  test::Patterns patterns(42);
  const auto first = static_cast<std::uint32_t>(std::max(0, format.subnormal_exponent() - 2 + 127));
  const auto fields = static_cast<std::uint32_t>(std::min(254, format.max_exponent() + 2 + 127)) - first + 1;
  for (int i = 0; i < 100'000; ++i) {
    std::uint32_t bits = patterns.next();
    if (i % 4 != 0) bits = (bits & 0x807fffffu) | ((first + patterns.next() % fields) << 23);
    const QByteArray wrong = wrongAt(std::bit_cast<float>(bits), format);
    QVERIFY2(wrong.isEmpty(), wrong.constData());
  }
}

void Rounding::roundingTwiceChangesNothing() {
  QFETCH(Format, format);
  test::Patterns patterns(3);
  for (int i = 0; i < 20'000; ++i) {
    const float once = formats::round(std::bit_cast<float>(patterns.next()), format);
    QVERIFY(test::same(formats::round(once, format), once));
  }
}

void Rounding::everyPatternRoundTrips_data() {
  QTest::addColumn<Format>("format");
  for (const char* name : {"bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "e4m3", "e2m1", "e8m7", "e6m9"}) {
    QTest::newRow(name) << *formats::parse(name);
  }
}

void Rounding::everyPatternRoundTrips() {
  QFETCH(Format, format);
  const std::uint32_t patterns = 1u << (1 + format.exponent_bits + format.mantissa_bits);
  const std::uint32_t quiet = format.finite_only ? 0u : 1u << (format.mantissa_bits - 1);
  int nans = 0;
  for (std::uint32_t bits = 0; bits < patterns; ++bits) {
    const float value = formats::decode(bits, format);
    QVERIFY2(test::same(value, test::valueByDefinition(bits, format)), QByteArray::number(bits, 16));
    const bool nan = std::isnan(value);
    nans += nan ? 1 : 0;
    QCOMPARE(formats::encode(value, format), nan ? bits | quiet : bits);
  }
  QCOMPARE(nans, format.finite_only ? 2 : 2 * ((1 << format.mantissa_bits) - 1));
}

void Rounding::everySmallFormatAtItsEdges() {
  for (int e = 2; e <= 8; ++e) {
    for (int m = 1; m <= 23; ++m) {
      const Format format{e, m};
      const double edges[] = {format.largest(),
                              format.overflow_limit(),
                              format.smallest_normal(),
                              format.smallest_subnormal(),
                              format.underflow_limit(),
                              3 * format.underflow_limit(),
                              1.0};
      for (const double edge : edges) {
        const auto value = static_cast<float>(edge);
        for (const float towards : {0.0f, value, std::numeric_limits<float>::infinity()}) {
          const QByteArray wrong = wrongAt(std::nextafter(value, towards), format);
          QVERIFY2(wrong.isEmpty(), wrong.constData());
        }
      }
    }
  }
}

void Rounding::float32IsTheIdentity() {
  test::Patterns patterns(1);
  for (int i = 0; i < 200'000; ++i) {
    // A quarter of them subnormal.
    const std::uint32_t bits = i % 4 == 0 ? patterns.next() & 0x807fffffu : patterns.next();
    const auto value = std::bit_cast<float>(bits);
    if (std::isnan(value)) continue;
    QCOMPARE(formats::encode(value, formats::kFloat32), bits);
    QCOMPARE(std::bit_cast<std::uint32_t>(formats::decode(bits, formats::kFloat32)), bits);
    QCOMPARE(std::bit_cast<std::uint32_t>(formats::round(value, formats::kFloat32)), bits);
  }
}

void Rounding::infinityBeyondTheLimit() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  QCOMPARE(formats::round(-kInfinity, formats::kFloat16), -kInfinity);
  QCOMPARE(formats::round(-kInfinity, formats::kFloat16, Overflow::kSaturate), -65504.0f);
  QVERIFY(std::isnan(formats::round(kInfinity, formats::kFloat8E4M3fn)));
  QCOMPARE(formats::round(kInfinity, formats::kFloat8E4M3fn, Overflow::kSaturate), 448.0f);
  QCOMPARE(formats::encode(464.0f, formats::kFloat8E4M3fn), 0x7eu);  // a tie, down to the even 448
  QCOMPARE(formats::encode(465.0f, formats::kFloat8E4M3fn), 0x7fu);
  QCOMPARE(formats::encode(-61440.0f, formats::kFloat8E5M2), 0xfcu);
}

BINADE_SUITE(Rounding);
#include "tst_rounding.moc"
