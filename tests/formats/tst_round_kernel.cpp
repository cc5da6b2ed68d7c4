// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/float16.h"
#include "engine/formats/round_kernel.h"
#include "tests/formats/by_definition.h"
#include "tests/formats/format_metatype.h"
#include "tests/support/suite.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

using namespace binade;
using formats::Format;
using formats::Overflow;
using formats::Rounder;

namespace {

constexpr float kBeyondAll = std::numeric_limits<float>::infinity();

/// Values at which a format's rounding is decided: its neighbouring values, their midpoints, the float32 on both sides
/// of these, with both signs; beyond the limits too.
std::vector<float> edgesOf(const Format& format) {
  std::vector<float> values;
  const std::uint32_t patterns = 1u << (format.exponent_bits + format.mantissa_bits);
  // All of them in formats of up to 16 bits, a fixed sample of 8,000 in wider ones.
  const std::uint32_t stride = patterns > 0x8000u ? patterns / 8'000 | 1u : 1u;
  for (std::uint32_t bits = 0; bits + 1 < patterns; bits += stride) {
    const double low = test::valueByDefinition(bits, format);
    const double high = test::valueByDefinition(bits + 1, format);
    if (!std::isfinite(low)) break;
    const double next = std::isfinite(high) ? high : std::ldexp(2.0, format.max_exponent());
    const auto middle = static_cast<float>(low / 2 + next / 2);
    for (const float value : {static_cast<float>(low), std::nextafter(middle, 0.0F), middle,
                              std::nextafter(middle, kBeyondAll), static_cast<float>(next)}) {
      values.push_back(value);
      values.push_back(-value);
    }
  }
  for (const double edge : {format.overflow_limit(), format.largest(), format.underflow_limit()}) {
    const auto value = static_cast<float>(edge);
    for (const float each : {std::nextafter(value, 0.0F), value, std::nextafter(value, kBeyondAll)}) {
      values.push_back(each);
      values.push_back(-each);
    }
  }
  return values;
}

/// Every half, then random patterns of float32: infinities, NaN of many payloads and subnormals among them.
std::vector<float> patterns() {
  std::vector<float> values;
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    values.push_back(formats::float16_value(static_cast<std::uint16_t>(bits)));
  }
  test::Patterns random(7);
  for (int i = 0; i < 200'000; ++i) values.push_back(std::bit_cast<float>(random.next()));
  for (int i = 0; i < 20'000; ++i) values.push_back(std::bit_cast<float>(random.next() & 0x807fffffu));
  for (int i = 0; i < 20'000; ++i) values.push_back(std::bit_cast<float>(random.next() | 0x7f800000u));
  return values;
}

std::vector<float> through(const Rounder& rounder, const std::vector<float>& values) {
  std::vector<float> rounded(values.size());
  rounder(values.data(), rounded.data(), values.size());
  return rounded;
}

std::uint32_t bitsOf(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

QByteArray difference(float value, float got, double expected) {
  return QByteArray::fromStdString("0x" + QByteArray::number(bitsOf(value), 16).toStdString() + " gives ") +
         QByteArray::number(static_cast<double>(got), 'g', 12) + ", not " + QByteArray::number(expected, 'g', 12);
}

}  // namespace

// The bulk rounding that emulation runs on, against the one-value function and against the format's definition.
class RoundKernel : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyEdgeRoundsAsDefined_data() { formatColumns(); }
  void everyEdgeRoundsAsDefined();
  void patternsGiveTheBitsOfRound_data() { formatColumns(); }
  void patternsGiveTheBitsOfRound();
  void everyFormatOfUpToEightExponentBits();
  void roundingInPlaceIsTheSame();
  void everyLengthIsRoundedWhole();
  void flushedSubnormalsChangeNothing();
  void aTieBesideOneIsEvenInTFloat32();
  void float32IsLeftAlone();
  void float16SumsErrMoreTheLongerTheyAre();

 private:
  static void formatColumns();
};

void RoundKernel::formatColumns() {
  QTest::addColumn<Format>("format");
  QTest::addColumn<bool>("saturates");
  const auto row = [](const Format& format) {
    const std::string name = formats::name(format);
    QTest::newRow(name.c_str()) << format << false;
    QTest::newRow((name + " saturating").c_str()) << format << true;
  };
  for (const char* name : {"float32", "tfloat32", "bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "e2m1", "e3m2",
                           "e2m3", "e4m3", "e6m9", "e8m1", "e8m22", "e5m23", "e7m16", "e7m23"}) {
    row(*formats::parse(name));
  }
  row(Format{3, 4, true});
  row(formats::kFloat4E2M1fn);
  row(formats::kFloat6E2M3fn);
  row(formats::kFloat6E3M2fn);
}

void RoundKernel::everyEdgeRoundsAsDefined() {
  QFETCH(Format, format);
  QFETCH(bool, saturates);
  const Overflow overflow = saturates ? Overflow::kSaturate : Overflow::kInfinity;
  const std::vector<float> values = edgesOf(format);
  const std::vector<float> rounded = through(Rounder(format, overflow), values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected = test::roundedByDefinition(values[i], format, overflow);
    QVERIFY2(test::same(rounded[i], expected), difference(values[i], rounded[i], expected));
  }
}

void RoundKernel::patternsGiveTheBitsOfRound() {
  QFETCH(Format, format);
  QFETCH(bool, saturates);
  const Overflow overflow = saturates ? Overflow::kSaturate : Overflow::kInfinity;
  static const std::vector<float> values = patterns();
  const std::vector<float> rounded = through(Rounder(format, overflow), values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float expected = formats::round(values[i], format, overflow);
    QVERIFY2(bitsOf(rounded[i]) == bitsOf(expected), difference(values[i], rounded[i], expected));
  }
}

void RoundKernel::everyFormatOfUpToEightExponentBits() {
  test::Patterns random(11);
  std::vector<float> values(600);
  for (int e = 2; e <= 8; ++e) {
    for (int m = 1; m <= 23; ++m) {
      const Format format{e, m};
      for (float& value : values) {  // half of them about the format's own range
        const std::uint32_t bits = random.next();
        const int field = format.subnormal_exponent() - 2 + static_cast<int>(random.next() % 300);
        value = std::ldexp(std::bit_cast<float>((bits & 0x807fffffu) | 0x3f800000u), (bits & 64u) != 0 ? field : 0);
      }
      for (const Overflow overflow : {Overflow::kInfinity, Overflow::kSaturate}) {
        const std::vector<float> rounded = through(Rounder(format, overflow), values);
        for (std::size_t i = 0; i < values.size(); ++i) {
          const double expected = test::roundedByDefinition(values[i], format, overflow);
          QVERIFY2(test::same(rounded[i], expected), difference(values[i], rounded[i], expected));
        }
      }
    }
  }
}

void RoundKernel::roundingInPlaceIsTheSame() {
  const Rounder rounder(formats::kFloat8E4M3fn, Overflow::kSaturate);
  std::vector<float> values = patterns();
  const std::vector<float> rounded = through(rounder, values);
  rounder(values.data(), values.data(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) QCOMPARE(bitsOf(values[i]), bitsOf(rounded[i]));
}

void RoundKernel::everyLengthIsRoundedWhole() {
  const Rounder rounder(formats::kFloat8E5M2);
  for (std::size_t count = 0; count < 100; ++count) {
    const std::vector<float> values(count, 1.1F);
    std::vector<float> rounded(count + 1, -7.0F);
    rounder(values.data(), rounded.data(), count);
    for (std::size_t i = 0; i < count; ++i) QCOMPARE(rounded[i], 1.0F);
    QCOMPARE(rounded[count], -7.0F);  // and nothing behind it
  }
}

void RoundKernel::flushedSubnormalsChangeNothing() {
#if defined(__SSE2__)
  struct Restore {
    unsigned int mode = _mm_getcsr();
    ~Restore() { _mm_setcsr(mode); }
  };
  for (const char* name : {"float16", "float8_e4m3fn", "float8_e5m2", "bfloat16", "tfloat32", "e7m23", "e8m1"}) {
    const Rounder rounder(*formats::parse(name));
    std::vector<float> values = edgesOf(*formats::parse(name));
    const std::vector<float> kept = through(rounder, values);
    {
      const Restore mode;
      _mm_setcsr(_mm_getcsr() | 0x8040u);  // flush to zero, and read subnormals as zero
      rounder(values.data(), values.data(), values.size());
    }
    for (std::size_t i = 0; i < values.size(); ++i) QCOMPARE(bitsOf(values[i]), bitsOf(kept[i]));
  }
#else
  QSKIP("no such mode on this processor");
#endif
}

void RoundKernel::aTieBesideOneIsEvenInTFloat32() {
  const Rounder rounder(formats::kTFloat32);
  float values[] = {1 + 0x1p-12F, 1 + 0x1p-10F, 1 + 0x1p-11F, 1 + 0x3p-11F, 1e38F};
  rounder(values, values, std::size(values));
  QCOMPARE(values[0], 1.0F);
  QCOMPARE(values[1], 1 + 0x1p-10F);
  QCOMPARE(values[2], 1.0F);
  QCOMPARE(values[3], 1 + 0x1p-9F);
  QVERIFY(std::isfinite(values[4]) && std::fabs(values[4] - 1e38F) < 1e35F);
}

void RoundKernel::float32IsLeftAlone() {
  QVERIFY(Rounder(formats::kFloat32).is_identity());
  QVERIFY(!Rounder(formats::kFloat32, Overflow::kSaturate).is_identity());
  QVERIFY(!Rounder(formats::kTFloat32).is_identity());
  const std::vector<float> values = patterns();
  const std::vector<float> rounded = through(Rounder(formats::kFloat32), values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) QCOMPARE(bitsOf(rounded[i]), bitsOf(values[i]));
  }
}

/// A dot product of halves: with a float32 accumulator the error stays near the one rounding of the result; with a
/// float16 accumulator it grows with the length.
void RoundKernel::float16SumsErrMoreTheLongerTheyAre() {
  test::Patterns random(3);
  double last = 0;
  for (const int length : {64, 1024, 16384}) {
    double exact = 0;
    float wide = 0;
    float narrow = 0;
    for (int i = 0; i < length; ++i) {
      const auto half = [&] {
        return formats::round(0.5F + static_cast<float>(random.next()) * 0x1p-33F, formats::kFloat16);
      };
      const float x = half();
      const float y = half();
      exact += static_cast<double>(x) * static_cast<double>(y);
      wide += x * y;
      narrow = formats::round(narrow + formats::round(x * y, formats::kFloat16), formats::kFloat16);
    }
    const auto error = [exact](float sum) { return std::fabs(static_cast<double>(sum) - exact) / exact; };
    const double one_rounding = error(formats::round(wide, formats::kFloat16));
    QVERIFY(one_rounding <= 0x1p-11 * 1.1);
    QVERIFY(error(narrow) > last);
    last = error(narrow);
  }
  QVERIFY(last > 0.1);  // beyond 2048 the spacing is 2: a product below 1 adds nothing
}

BINADE_SUITE(RoundKernel);
#include "tst_round_kernel.moc"
