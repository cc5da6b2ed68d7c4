// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/number.h"
#include "tests/numbers/pattern_value.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace binade::test {

using formats::Overflow;

// Rounding beside the casts of compiler and processor, and beside a search for the nearest value.
class NativeCasts : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aMillionFloatsRoundToFloat16AsTheCompilerCasts();
  void aMillionFloatsRoundToFloat16AsTheProcessorCasts();
  void aMillionFloatsRoundToBfloat16();
  void aMillionDoublesRoundToFloat32AsTheCompilerCasts();
  void aMillionFloatsRoundAsTensorsDo_data();
  void aMillionFloatsRoundAsTensorsDo();
  void theNearestValueIsFound_data();
  void theNearestValueIsFound();
};

namespace {

constexpr int kMillion = 1'000'000;

/// Half of them any pattern, half with a magnitude in float16's range.
float randomFloat(RandomBits& random, int index) {
  if (index % 2 == 0) return std::bit_cast<float>(static_cast<std::uint32_t>(random.next()));
  return static_cast<float>(random.between(-27, 17));
}

std::uint32_t roundedBits(double value, const formats::Format& format) {
  return numbers::round_to({value}, format).number.bits;
}

/// Whether `cast`, which maps a float to the bits of a format, agrees with the rounding of a million floats. NaN need
/// only stay NaN. Returns the first float that differs.
template <typename Cast>
QByteArray differenceFromCast(const formats::Format& format, const Cast& cast) {
  RandomBits random(format.mantissa_bits);
  for (int i = 0; i < kMillion; ++i) {
    const float value = randomFloat(random, i);
    const std::uint32_t expected = cast(value);
    const std::uint32_t bits = roundedBits(static_cast<double>(value), format);
    const bool same = std::isnan(value) ? numbers::kind({format, bits}) == numbers::Kind::kNan : bits == expected;
    if (!same) return QByteArray::number(static_cast<double>(value), 'g', 12);
  }
  return {};
}

#if defined(__x86_64__)
__attribute__((target("f16c"))) std::uint32_t castByProcessor(float value) {
  const __m128i packed = _mm_cvtps_ph(_mm_set_ss(value), _MM_FROUND_TO_NEAREST_INT);
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(packed)) & 0xffffu;
}
#endif

/// Rounds by integers: adds half of what is cut off, and a bit less if the last kept bit is even.
std::uint32_t castToBfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
}

}  // namespace

void NativeCasts::aMillionFloatsRoundToFloat16AsTheCompilerCasts() {
#if defined(__FLT16_MANT_DIG__)
  const auto cast = [](float value) -> std::uint32_t {
    return std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
  };
  const QByteArray wrong = differenceFromCast(formats::kFloat16, cast);
  QVERIFY2(wrong.isEmpty(), wrong.constData());
#else
  QSKIP("This compiler has no _Float16.");
#endif
}

void NativeCasts::aMillionFloatsRoundToFloat16AsTheProcessorCasts() {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("f16c")) QSKIP("This processor has no F16C.");
  const QByteArray wrong = differenceFromCast(formats::kFloat16, castByProcessor);
  QVERIFY2(wrong.isEmpty(), wrong.constData());
#else
  QSKIP("This processor has no F16C.");
#endif
}

void NativeCasts::aMillionFloatsRoundToBfloat16() {
  const QByteArray wrong = differenceFromCast(formats::kBFloat16, castToBfloat16);
  QVERIFY2(wrong.isEmpty(), wrong.constData());
}

void NativeCasts::aMillionDoublesRoundToFloat32AsTheCompilerCasts() {
  RandomBits random(32);
  for (int i = 0; i < kMillion; ++i) {
    double value = i % 4 == 0 ? std::bit_cast<double>(random.next()) : random.between(-155, 130);
    // Ties and their neighbours: a random double would hardly ever be one.
    if (i % 4 == 1) value = std::bit_cast<double>((std::bit_cast<std::uint64_t>(value) & ~0x1fffffffu) | 0x10000000u);
    if (i % 8 == 1) value = std::nextafter(value, 0.0);
    if (std::isnan(value)) continue;
    const auto expected = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    QVERIFY2(roundedBits(value, formats::kFloat32) == expected, QByteArray::number(value, 'g', 17));
  }
}

void NativeCasts::aMillionFloatsRoundAsTensorsDo_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"float32", "tfloat32", "bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "e4m3", "e2m1",
                           "e2m23", "e8m1", "e6m9"}) {
    QTest::newRow(name) << name;
  }
}

void NativeCasts::aMillionFloatsRoundAsTensorsDo() {
  QFETCH(QString, name);
  const formats::Format format = formats::parse(name.toStdString()).value();
  for (const Overflow overflow : {Overflow::kInfinity, Overflow::kSaturate}) {
    RandomBits random(7);
    for (int i = 0; i < kMillion / 2; ++i) {
      const float value = randomFloat(random, i);
      const numbers::Rounded rounded = numbers::round_to({static_cast<double>(value)}, format, overflow);
      const auto expected = static_cast<double>(formats::round(value, format, overflow));
      const double found = numbers::value(rounded.number);
      const bool same =
          std::isnan(expected) ? std::isnan(found) : found == expected && std::signbit(found) == std::signbit(expected);
      QVERIFY2(same, QByteArray::number(static_cast<double>(value), 'g', 12));
      if (std::isfinite(found) && std::isfinite(value)) QVERIFY(rounded.error == found - static_cast<double>(value));
      if (!std::isnan(expected)) QVERIFY(rounded.exact == (found == static_cast<double>(value)));
    }
  }
}

void NativeCasts::theNearestValueIsFound_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"float8_e4m3fn", "float8_e5m2", "e4m3", "e2m1", "e3m2"}) QTest::newRow(name) << name;
}

void NativeCasts::theNearestValueIsFound() {
  QFETCH(QString, name);
  const formats::Format format = formats::parse(name.toStdString()).value();
  const std::vector<double> values = finiteValues(format);
  RandomBits random(8);
  int ties = 0;
  for (int i = 0; i < 100'000; ++i) {
    // A third lies exactly between two neighbours, a third beside that.
    double value = random.between(-12, 9);
    if (i % 3 != 0) {
      const std::size_t at = random.next() % (values.size() - 1);
      value = (values[at] + values[at + 1]) / 2;
      if (i % 3 == 2) value = std::nextafter(value, random.next() % 2 == 0 ? HUGE_VAL : -HUGE_VAL);
    }
    if (std::fabs(value) > values.back()) continue;
    const auto above = std::lower_bound(values.begin(), values.end(), value);
    const auto below = *above == value ? above : above - 1;
    const numbers::Rounded rounded = numbers::round_to({value}, format);
    QVERIFY(numbers::value(rounded.below) == *below && numbers::value(rounded.above) == *above);
    const double found = numbers::value(rounded.number);
    const double down = value - *below;
    const double up = *above - value;
    QCOMPARE(rounded.tie, down == up && down != 0);
    if (rounded.tie) {
      QVERIFY(rounded.number.bits % 2 == 0 && (found == *below || found == *above));
      ++ties;
    } else {
      QVERIFY(found == (down < up ? *below : *above));
    }
  }
  QVERIFY(ties > 30'000);
}

BINADE_SUITE(NativeCasts);

}  // namespace binade::test

#include "tst_native_casts.moc"
