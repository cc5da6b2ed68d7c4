// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/number.h"
#include "engine/numbers/parse_number.h"
#include "tests/numbers/pattern_value.h"
#include "tests/support/suite.h"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace binade::test {

using numbers::Kind;
using numbers::Number;

// All patterns of the small formats, against the definition of the formats.
class EveryPattern : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void convertsExactlyBothWays_data();
  void convertsExactlyBothWays();
  void itsTextsAreReadBack_data() { convertsExactlyBothWays_data(); }
  void itsTextsAreReadBack();
  void hasOneKind_data();
  void hasOneKind();
  void liesInItsBinade();
  void hasTheFieldsOfItsText();
  void exactDecimalHasAllDigits_data();
  void exactDecimalHasAllDigits();
  void elementsWithoutNanSaturate();
};

namespace {

formats::Format formatNamed(const QString& name) {
  const auto format = numbers::parse_format(name.toStdString());
  return format.value_or(formats::Format{});
}

std::uint32_t patternsOf(const formats::Format& format) {
  return 1u << numbers::width(format);
}

bool sameDouble(double a, double b) {
  return a == b && std::signbit(a) == std::signbit(b);
}

}  // namespace

void EveryPattern::convertsExactlyBothWays_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<uint>("patterns");
  QTest::newRow("float16") << "float16" << 65536u;
  QTest::newRow("bfloat16") << "bfloat16" << 65536u;
  QTest::newRow("float8_e4m3fn") << "float8_e4m3fn" << 256u;
  QTest::newRow("float8_e5m2") << "float8_e5m2" << 256u;
  QTest::newRow("e4m3") << "e4m3" << 256u;
  QTest::newRow("e2m1") << "e2m1" << 16u;
  QTest::newRow("float4_e2m1fn") << "float4_e2m1fn" << 16u;
  QTest::newRow("float6_e2m3fn") << "float6_e2m3fn" << 64u;
  QTest::newRow("float6_e3m2fn") << "float6_e3m2fn" << 64u;
  QTest::newRow("e8m1") << "e8m1" << 1024u;
  QTest::newRow("e2m12") << "e2m12" << 32768u;
}

void EveryPattern::convertsExactlyBothWays() {
  QFETCH(QString, name);
  QFETCH(uint, patterns);
  const formats::Format format = formatNamed(name);
  QCOMPARE(patternsOf(format), patterns);
  for (std::uint32_t bits = 0; bits < patterns; ++bits) {
    const double expected = patternValue(bits, format);
    const double value = numbers::value({format, bits});
    const numbers::Rounded rounded = numbers::round_to({expected}, format);
    if (std::isnan(expected)) {
      QVERIFY2(std::isnan(value), QByteArray::number(bits, 16));
      QCOMPARE(numbers::kind(rounded.number), Kind::kNan);
      continue;
    }
    QVERIFY2(sameDouble(value, expected), QByteArray::number(bits, 16));
    QVERIFY2(rounded.number.bits == bits && rounded.exact && !rounded.tie, QByteArray::number(bits, 16));
    QCOMPARE(rounded.below, rounded.number);
    QCOMPARE(rounded.above, rounded.number);
  }
}

void EveryPattern::itsTextsAreReadBack() {
  QFETCH(QString, name);
  QFETCH(uint, patterns);
  const formats::Format format = formatNamed(name);
  for (std::uint32_t bits = 0; bits < patterns; ++bits) {
    const Number number{format, bits};
    const auto digits = numbers::parse_bits(numbers::bit_text(number), format);
    const auto hexadecimal = numbers::parse_bits(numbers::hex_text(number), format);
    QVERIFY2(std::get<Number>(digits) == number, numbers::bit_text(number).c_str());
    QVERIFY2(std::get<Number>(hexadecimal) == number, numbers::hex_text(number).c_str());
    if (numbers::kind(number) == Kind::kNan) continue;
    const std::string decimal = numbers::exact_decimal(numbers::value(number));
    const auto real = std::get<numbers::Real>(numbers::parse_real(decimal));
    QVERIFY2(real.exact && numbers::round_to(real, format).number == number, decimal.c_str());
  }
}

void EveryPattern::hasOneKind_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QList<int>>("counts");  // zeros, subnormals, normal numbers, infinities, NaNs
  QTest::newRow("float16") << "float16" << QList<int>{2, 2046, 61440, 2, 2046};
  QTest::newRow("bfloat16") << "bfloat16" << QList<int>{2, 254, 65024, 2, 254};
  QTest::newRow("float8_e4m3fn") << "float8_e4m3fn" << QList<int>{2, 14, 238, 0, 2};
  QTest::newRow("float8_e5m2") << "float8_e5m2" << QList<int>{2, 6, 240, 2, 6};
  QTest::newRow("e4m3") << "e4m3" << QList<int>{2, 14, 224, 2, 14};
}

void EveryPattern::hasOneKind() {
  QFETCH(QString, name);
  QFETCH(QList<int>, counts);
  const formats::Format format = formatNamed(name);
  QList<int> found(5, 0);
  for (std::uint32_t bits = 0; bits < patternsOf(format); ++bits) {
    ++found[static_cast<int>(numbers::kind({format, bits}))];
  }
  QCOMPARE(found, counts);
}

void EveryPattern::liesInItsBinade() {
  for (const formats::Format& format : {formats::kFloat16, formats::kBFloat16, formats::kFloat8E4M3fn, kE4M3}) {
    for (std::uint32_t bits = 0; bits < patternsOf(format); ++bits) {
      const double value = std::fabs(patternValue(bits, format));
      if (value == 0 || !std::isfinite(value)) continue;
      const int binade = numbers::binade({format, bits});
      QVERIFY(std::ldexp(1.0, binade) <= value && value < std::ldexp(1.0, binade + 1));
    }
  }
}

void EveryPattern::hasTheFieldsOfItsText() {
  const Number one{formats::kFloat16, 0x3c00};
  QCOMPARE(numbers::bit_text(one), std::string("0 01111 0000000000"));
  QCOMPARE(numbers::hex_text(one), std::string("0x3c00"));
  QCOMPARE(numbers::exponent_field(one), 15);
  QCOMPARE(numbers::fraction_field(one), 0u);
  const Number tensor{formats::kTFloat32, 0x7ffff};
  QCOMPARE(numbers::width(formats::kTFloat32), 19);
  QCOMPARE(numbers::bit_text(tensor), std::string("1 11111111 1111111111"));
  QCOMPARE(numbers::hex_text(tensor), std::string("0x7ffff"));
  QVERIFY(numbers::is_negative(tensor));
  QCOMPARE(numbers::exponent_field(tensor), 255);
  QCOMPARE(numbers::fraction_field(tensor), 1023u);
  const Number lowest{formats::kFloat32, 0xff7fffff};
  QVERIFY(numbers::value(lowest) == -0x1.fffffep127);
  QCOMPARE(numbers::exponent_field(lowest), 254);
  QCOMPARE(numbers::hex_text({formats::Format{2, 1}, 0x6}), std::string("0x6"));
}

void EveryPattern::exactDecimalHasAllDigits_data() {
  QTest::addColumn<double>("value");
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("largest subnormal of float16") << 0x3ffp-24 << QByteArray("0.000060975551605224609375");
  QTest::newRow("smallest of float16") << 0x1p-24 << QByteArray("0.000000059604644775390625");
  QTest::newRow("0.1 in float32") << double{0.1F} << QByteArray("0.100000001490116119384765625");
  QTest::newRow("0.1") << 0.1 << QByteArray("0.1000000000000000055511151231257827021181583404541015625");
  QTest::newRow("65504") << 65504.0 << QByteArray("65504");
  QTest::newRow("trailing zeros before the point") << -1200.0 << QByteArray("-1200");
  QTest::newRow("2^127") << 0x1p127 << QByteArray("170141183460469231731687303715884105728");
  QTest::newRow("0") << 0.0 << QByteArray("0");
  QTest::newRow("-0") << -0.0 << QByteArray("-0");
  QTest::newRow("inf") << HUGE_VAL << QByteArray("inf");
  QTest::newRow("-inf") << -HUGE_VAL << QByteArray("-inf");
  QTest::newRow("nan") << -std::nan("") << QByteArray("nan");
}

void EveryPattern::exactDecimalHasAllDigits() {
  QFETCH(double, value);
  QFETCH(QByteArray, text);
  QCOMPARE(QByteArray::fromStdString(numbers::exact_decimal(value)), text);
}

/// OCP Microscaling: 4- and 6-bit elements have neither infinity nor NaN.
void EveryPattern::elementsWithoutNanSaturate() {
  const std::vector<std::pair<formats::Format, double>> elements{
      {formats::kFloat4E2M1fn, 6}, {formats::kFloat6E2M3fn, 7.5}, {formats::kFloat6E3M2fn, 28}};
  for (const auto& [format, largest] : elements) {
    QCOMPARE(format.largest(), largest);
    QCOMPARE(finiteValues(format).back(), largest);
    QVERIFY(!formats::parse(formats::name(format)));  // no op call computes in it
    QVERIFY(numbers::parse_format(formats::name(format)) == format);
    for (const double beyond : {largest * 1.01, largest * 2, std::numeric_limits<double>::infinity()}) {
      for (const double sign : {1.0, -1.0}) {
        const numbers::Rounded rounded = numbers::round_to({sign * beyond}, format);
        QCOMPARE(numbers::value(rounded.number), sign * largest);
        QVERIFY(!rounded.exact && !rounded.tie && rounded.below == rounded.number && rounded.above == rounded.number);
        QCOMPARE(formats::round(static_cast<float>(sign * beyond), format), static_cast<float>(sign * largest));
      }
    }
    const numbers::Rounded exact = numbers::round_to({largest}, format);
    QVERIFY(exact.exact && numbers::next(exact.number) == exact.number);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(sameDouble(numbers::value(numbers::round_to({nan}, format).number), -0.0));
    QCOMPARE(formats::encode(static_cast<float>(nan), format), 1u << (numbers::width(format) - 1));
  }
  // 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives.
  QVERIFY((finiteValues(formats::kFloat4E2M1fn) ==
           std::vector<double>{-6, -4, -3, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3, 4, 6}));
  const numbers::Rounded tie = numbers::round_to({2.5}, formats::kFloat4E2M1fn);
  QVERIFY(tie.tie && numbers::value(tie.number) == 2 && numbers::value(tie.above) == 3);
}

BINADE_SUITE(EveryPattern);

}  // namespace binade::test

#include "tst_every_pattern.moc"
