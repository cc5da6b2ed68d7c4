// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/parse_number.h"
#include "tests/numbers/pattern_value.h"
#include "tests/support/suite.h"

#include <cfenv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace binade::test {

using numbers::NotANumber;
using numbers::Real;

// Numbers that a person typed.
class TypedNumbers : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void isADouble_data();
  void isADouble();
  void otherNumbersAreTheOddNeighbour_data();
  void otherNumbersAreTheOddNeighbour();
  void beyondADoubleIsHugeOrTiny();
  void theNearestDoubleIsTheCompilers();
  void roundsToFloat16_data();
  void roundsToFloat16();
  void overflowFollowsTheFormat();
  void aDigitAtPlace400DecidesATie_data();
  void aDigitAtPlace400DecidesATie();
  void sumsAndProductsAreExact();
  void theRoundingModeIsKept();
  void wrongTextSaysWhy_data();
  void wrongTextSaysWhy();
};

namespace {

constexpr double kLargestDouble = std::numeric_limits<double>::max();
constexpr double kSmallestDouble = std::numeric_limits<double>::denorm_min();

Real typed(const std::string& text) {
  return std::get<Real>(numbers::parse_real(text));
}

/// Digits of an integer of up to 128 bits.
std::string digitsOf(unsigned __int128 integer) {
  std::string digits;
  for (; integer != 0; integer /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(integer % 10)));
  return digits.empty() ? "0" : digits;
}

}  // namespace

void TypedNumbers::isADouble_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<double>("value");
  QTest::newRow("integer") << "65520" << 65520.0;
  QTest::newRow("sign") << "+12" << 12.0;
  QTest::newRow("no digit before the point") << "-.5" << -0.5;
  QTest::newRow("no digit behind the point") << "5." << 5.0;
  QTest::newRow("exponent") << "25E-2" << 0.25;
  QTest::newRow("leading zeros") << "000.50" << 0.5;
  QTest::newRow("spaces") << " \t 1.5 \n" << 1.5;
  QTest::newRow("hexadecimal") << "0x1.8p-3" << 0.1875;
  QTest::newRow("capitals") << "-0X.CP+4" << -12.0;
  QTest::newRow("hexadecimal integer") << "0x3c00p0" << 15360.0;
  QTest::newRow("smallest double") << "0x1p-1074" << kSmallestDouble;
  QTest::newRow("largest double") << "0x1.fffffffffffffp1023" << kLargestDouble;
  QTest::newRow("power of 2") << "2^-24" << 0x1p-24;
  QTest::newRow("negative power") << "-2^+4" << -16.0;
  QTest::newRow("power of 10") << "10^3" << 1000.0;
  QTest::newRow("product") << "3*2^10" << 3072.0;
  QTest::newRow("three factors") << "300 * 300 * 0.5" << 45000.0;
  QTest::newRow("sum") << "1+2^-12" << 1 + 0x1p-12;
  QTest::newRow("difference") << "2^16 - 2^5" << 65504.0;
  QTest::newRow("negative result") << "-1 - 3*2 + 0x1p2" << -3.0;
  QTest::newRow("smaller minus larger") << "0.5 - 1e3" << -999.5;
  QTest::newRow("beyond a double in between") << "1e400*1e-400" << 1.0;
  QTest::newRow("groups") << "1_048'576.25" << 1048576.25;
  QTest::newRow("signs of the window") << "−2×3" << -6.0;
  QTest::newRow("0") << "0" << 0.0;
  QTest::newRow("-0") << "-0.0" << -0.0;
  QTest::newRow("cancelled") << "0.1 - 0.1" << 0.0;
  QTest::newRow("inf") << "inf" << HUGE_VAL;
  QTest::newRow("-Infinity") << " -Infinity" << -HUGE_VAL;
  QTest::newRow("∞") << "+∞" << HUGE_VAL;
}

void TypedNumbers::isADouble() {
  QFETCH(QString, text);
  QFETCH(double, value);
  const Real real = typed(text.toStdString());
  QVERIFY2(real.nearest == value, QByteArray::number(real.nearest, 'g', 17));
  QCOMPARE(std::signbit(real.nearest), std::signbit(value));
  QVERIFY(real.exact);
}

void TypedNumbers::otherNumbersAreTheOddNeighbour_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<double>("odd");
  QTest::newRow("0.1") << "0.1" << 0x1.9999999999999p-4;  // the nearest is 0x1.999999999999ap-4
  QTest::newRow("-0.1") << "-0.1" << -0x1.9999999999999p-4;
  QTest::newRow("0.2 as 1e-1 times 2") << "1e-1*2" << 0x1.9999999999999p-3;
  QTest::newRow("just above 1") << "1.00000000000000000000001" << 0x1.0000000000001p0;
  QTest::newRow("just below 1") << "0.99999999999999999999999" << 0x1.fffffffffffffp-1;
  QTest::newRow("54 bits") << "0x1.00000000000008p0" << 0x1.0000000000001p0;
  QTest::newRow("a sum of 73 bits") << "1 + 2^-72" << 0x1.0000000000001p0;
  QTest::newRow("a difference of 72 bits") << "1 - 2^-72" << 0x1.fffffffffffffp-1;
  QTest::newRow("two that round") << "0.1 + 0.2" << 0x1.3333333333333p-2;
  QTest::newRow("a subnormal double") << "0x1.8p-1074" << kSmallestDouble;
}

void TypedNumbers::otherNumbersAreTheOddNeighbour() {
  QFETCH(QString, text);
  QFETCH(double, odd);
  const Real real = typed(text.toStdString());
  QVERIFY2(real.nearest == odd, QByteArray::number(real.nearest, 'g', 17));
  QVERIFY(!real.exact);
}

void TypedNumbers::beyondADoubleIsHugeOrTiny() {
  for (const char* text : {"1e99999", "1e99999999999999999999", "2^1024", "0x1p99999", "1.8e308", "1e2000 - 1"}) {
    QVERIFY2(typed(text).nearest == kLargestDouble && !typed(text).exact, text);
    QVERIFY2(typed(std::string("-") + text).nearest == -kLargestDouble, text);
  }
  for (const char* text : {"1e-99999", "1e-99999999999999999999", "2^-1075", "10^-400", "2^-1000*2^-1000"}) {
    QVERIFY2(typed(text).nearest == kSmallestDouble && !typed(text).exact, text);
    QVERIFY2(typed(std::string("-") + text).nearest == -kSmallestDouble, text);
  }
  QVERIFY(std::isnan(typed("nan").nearest));
}

void TypedNumbers::theNearestDoubleIsTheCompilers() {
  const auto nearest = [](const char* text) { return std::get<double>(numbers::parse_double(text)); };
  QVERIFY(nearest("0.1") == 0.1);
  QVERIFY(nearest("-1e-8") == -1e-8);
  QVERIFY(nearest("0.1 + 0.2") == 0.3);
  QVERIFY(nearest("1e-1*2") == 0.2);
  QVERIFY(nearest("0x1.00000000000008p0") == 1);  // the tie goes to the even one
  QVERIFY(nearest("1e400") == kLargestDouble);
  QVERIFY(nearest("-2^1024") == -kLargestDouble);
  QVERIFY(nearest("1e-400") == 0);
  QVERIFY(std::isinf(nearest("-inf")));
  QVERIFY(std::isnan(nearest("nan")));
  QVERIFY(std::holds_alternative<NotANumber>(numbers::parse_double("1e")));
  QVERIFY(typed("2^-2000*2^-2000").nearest == kSmallestDouble);  // the most that exponents of a product add up to
}

void TypedNumbers::roundsToFloat16_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<uint>("bits");
  QTest::addColumn<bool>("tie");
  QTest::newRow("rounds down") << "65519.996" << 0x7bffu << false;
  QTest::newRow("the limit overflows") << "65520" << 0x7c00u << true;
  QTest::newRow("just below the limit") << "65519.99999999999999999999999999" << 0x7bffu << false;
  QTest::newRow("the limit, negative") << "-65520" << 0xfc00u << true;
  QTest::newRow("huge") << "1e99999" << 0x7c00u << false;
  QTest::newRow("tiny") << "-1e-99999" << 0x8000u << false;
  QTest::newRow("smallest") << "2^-24" << 0x0001u << false;
  QTest::newRow("half of it") << "2^-25" << 0x0000u << true;
  QTest::newRow("a bit more than half") << "2^-25 + 2^-100" << 0x0001u << false;
  QTest::newRow("eps of Adam") << "1e-8" << 0x0000u << false;
  QTest::newRow("half an ulp above 1") << "1+2^-11" << 0x3c00u << true;
  QTest::newRow("half an ulp above the next") << "1+3*2^-11" << 0x3c02u << true;
  QTest::newRow("a lost update") << "1 + 0.0001" << 0x3c00u << false;
  QTest::newRow("subnormal becomes normal") << "2^-14 - 2^-25" << 0x0400u << true;
  QTest::newRow("nan") << "nan" << 0x7e00u << false;
}

void TypedNumbers::roundsToFloat16() {
  QFETCH(QString, text);
  QFETCH(uint, bits);
  QFETCH(bool, tie);
  const numbers::Rounded rounded = numbers::round_to(typed(text.toStdString()), formats::kFloat16);
  QCOMPARE(rounded.number.bits, bits);
  QCOMPARE(rounded.tie, tie);
}

void TypedNumbers::overflowFollowsTheFormat() {
  using formats::Overflow;
  const formats::Format& fn = formats::kFloat8E4M3fn;
  const auto rounded = [](const char* text, const formats::Format& format, Overflow overflow = Overflow::kInfinity) {
    return numbers::round_to(typed(text), format, overflow);
  };
  QCOMPARE(rounded("464", fn).number.bits, 0x7eu);  // the tie with 480, whose pattern is NaN
  QVERIFY(rounded("464", fn).tie);
  QCOMPARE(rounded("464 + 1e-30", fn).number.bits, 0x7fu);
  QCOMPARE(rounded("-1e99999", fn).number.bits, 0xffu);
  QCOMPARE(rounded("inf", fn).number.bits, 0x7fu);
  QVERIFY(!rounded("inf", fn).exact);
  QCOMPARE(rounded("500", fn, Overflow::kSaturate).number.bits, 0x7eu);
  QCOMPARE(rounded("-inf", fn, Overflow::kSaturate).number.bits, 0xfeu);
  QCOMPARE(rounded("nan", fn, Overflow::kSaturate).number.bits, 0x7fu);
  QVERIFY(numbers::value(rounded("500", fn).below) == 448);
  QVERIFY(std::isnan(numbers::value(rounded("500", fn).above)));
  QVERIFY(rounded("500", fn, Overflow::kSaturate).error == -52);
  QVERIFY(std::isnan(rounded("500", fn).error));
  QVERIFY(std::isnan(rounded("1e99999", fn, Overflow::kSaturate).error));

  QCOMPARE(rounded("248", kE4M3).number.bits, 0x78u);  // the tie above 240 is infinity
  QCOMPARE(rounded("247.9", kE4M3).number.bits, 0x77u);
  QCOMPARE(rounded("inf", kE4M3, Overflow::kSaturate).number.bits, 0x77u);
  QCOMPARE(rounded("-inf", kE4M3).number.bits, 0xf8u);
  QVERIFY(rounded("-inf", kE4M3).exact);
  QVERIFY(std::isinf(numbers::value(rounded("-500", kE4M3).below)));
  QVERIFY(numbers::value(rounded("-500", kE4M3).above) == -240);
}

void TypedNumbers::aDigitAtPlace400DecidesATie_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<uint>("even");  // the tie lies half an ulp above it
  const std::pair<const char*, uint> ones[] = {{"float16", 0x3c00u},
                                               {"bfloat16", 0x3f80u},
                                               {"float32", 0x3f800000u},
                                               {"tfloat32", 0x1fc00u},
                                               {"float8_e4m3fn", 0x38u}};
  for (const auto& [name, one] : ones) QTest::addRow("%s at 1", name) << name << one;
  for (const auto& [name, one] : ones) QTest::addRow("%s at the smallest", name) << name << 0u;
  QTest::newRow("float16 at a subnormal") << "float16" << 0x00feu;
  QTest::newRow("float32 at the largest but one") << "float32" << 0x7f7ffffeu;
}

void TypedNumbers::aDigitAtPlace400DecidesATie() {
  QFETCH(QString, name);
  QFETCH(uint, even);
  const formats::Format format = formats::parse(name.toStdString()).value();
  const double tie = (patternValue(even, format) + patternValue(even + 1, format)) / 2;
  std::string digits = numbers::exact_decimal(tie);
  if (digits.find('.') == std::string::npos) digits += '.';
  digits.append(digits.find('.') + 400 - digits.size(), '0');  // 399 places
  const auto bitsOf = [&](const std::string& text) { return numbers::round_to(typed(text), format).number.bits; };
  QCOMPARE(bitsOf(digits), even);
  QCOMPARE(bitsOf(digits + '1'), even + 1);
  QCOMPARE(bitsOf(digits + " - 1e-400"), even);
  QCOMPARE(bitsOf(digits + " + 10^-400"), even + 1);
  const std::uint32_t sign = 1u << (numbers::width(format) - 1);
  QCOMPARE(bitsOf('-' + digits + '1'), sign | (even + 1));

  // Above the odd neighbour the tie itself rounds up, and a number just below it rounds down.
  const double next = (patternValue(even + 1, format) + patternValue(even + 2, format)) / 2;
  if (!std::isfinite(next)) return;
  QCOMPARE(bitsOf(numbers::exact_decimal(next)), even + 2);
  QCOMPARE(bitsOf(numbers::exact_decimal(next) + " - 1e-400"), even + 1);
}

void TypedNumbers::sumsAndProductsAreExact() {
  RandomBits random(128);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t a = random.next() >> (1 + random.next() % 60);
    const std::uint64_t b = random.next() >> (1 + random.next() % 60);
    const auto product = static_cast<unsigned __int128>(a) * b;
    const std::uint64_t difference = random.next() >> 12;
    const std::string text = digitsOf(a) + "*" + digitsOf(b) + "e-7*1e7 - " + digitsOf(product + difference);
    const Real real = typed(text);
    QVERIFY2(real.exact && real.nearest == -static_cast<double>(difference), text.c_str());
  }
}

void TypedNumbers::theRoundingModeIsKept() {
  for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const Real literal = typed("0.1");
    const Real sum = typed("1+2^-72");
    const int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    QCOMPARE(after, mode);
    QVERIFY(literal.nearest == 0x1.9999999999999p-4);
    QVERIFY(sum.nearest == 0x1.0000000000001p0);
  }
}

void TypedNumbers::wrongTextSaysWhy_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("message");
  const auto ends = [](const char* text, const char* where) {
    QTest::newRow(text) << text << QStringLiteral("\"%1\" ends where %2.").arg(text, where);
  };
  const auto has = [](const char* text, const char* found, const char* where) {
    QTest::newRow(text) << text << QStringLiteral("\"%1\" has \"%2\" where %3.").arg(text, found, where);
  };
  QTest::newRow("empty") << ""
                         << "The text is empty.";
  QTest::newRow("spaces") << "   "
                          << "The text is empty.";
  has("12a", "a", "the number should end");
  has("12 34", "3", "the number should end");
  has("1,5", ",", "the number should end");
  has("1_", "_", "the number should end");
  has("1__0", "_", "the number should end");
  has("1/3", "/", "the number should end");
  has("2^1.5", ".", "the number should end");
  has("1.2.3", ".", "the number should end");
  has("nano", "n", "a number is expected");
  has("--1", "-", "a number is expected");
  has("3*-2", "-", "a number is expected");
  has("²", "²", "a number is expected");
  has("0xg", "g", "hexadecimal digits are expected");
  has("1e+x", "x", "the digits of an exponent are expected");
  has("2^^3", "^", "the digits of an exponent are expected");
  ends("-", "a number is expected");
  ends(".", "a number is expected");
  ends("1+", "a number is expected");
  ends("1e", "the digits of an exponent are expected");
  ends("0x", "hexadecimal digits are expected");
  ends("0x1p", "the digits of an exponent are expected");
  ends("0x3c00", "the binary exponent is expected");
  QTest::newRow("3^2") << "3^2"
                       << "\"3^2\" has a power of 3, and only powers of 2 and 10 are possible.";
  QTest::newRow("exponent in a sum") << "1 + 1e2001"
                                     << "A number of this sum or product has an exponent beyond -2000 to 2000.";
  QTest::newRow("huge exponent in a sum") << "1 + 1e99999999999999999999"
                                          << "A number of this sum or product has an exponent beyond -2000 to 2000.";
  QTest::newRow("exponents in a product")
      << "1 + 2^-2000*1e1999*2^2"
      << "The exponents of a product add up to 4001 without their signs, and at most 4000 are possible.";
  QTest::newRow("a long sum") << QString(1000, QLatin1Char('1')) + QLatin1String("+1")
                              << "The sum or product has 1002 characters, and at most 1000 are possible.";
  QTest::newRow("a long text is cut")
      << QString(100, QLatin1Char('x'))
      << QStringLiteral("\"%1…\" has \"x\" where a number is expected.").arg(QString(40, QLatin1Char('x')));
}

void TypedNumbers::wrongTextSaysWhy() {
  QFETCH(QString, text);
  QFETCH(QString, message);
  const auto parsed = numbers::parse_real(text.toStdString());
  QVERIFY(std::holds_alternative<NotANumber>(parsed));
  const auto& wrong = std::get<NotANumber>(parsed);
  QCOMPARE(QString::fromStdString(wrong.message), message);
  QVERIFY(QString::fromStdString(wrong.hint).startsWith("Type "));
}

BINADE_SUITE(TypedNumbers);

}  // namespace binade::test

#include "tst_typed_numbers.moc"
