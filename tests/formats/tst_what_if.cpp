// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/effect.h"
#include "tests/formats/by_definition.h"
#include "tests/support/suite.h"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

using namespace binade;
using formats::Depth;
using formats::Format;
using formats::FormatEffect;
using formats::TensorStats;

namespace {

/// What casting each value, times 2^shift, does: by the definition of the format, in double arithmetic.
struct Cast {
  std::uint64_t zero = 0, subnormal = 0, overflow = 0;
  double zeroSquares = 0, subnormalSquares = 0, overflowSquares = 0, squares = 0;
};

Cast castEach(const std::vector<float>& values, const Format& format, int shift) {
  Cast cast;
  for (const float value : values) {
    if (!std::isfinite(value) || value == 0) continue;
    const double square = static_cast<double>(value) * static_cast<double>(value);
    const double rounded = test::roundedByDefinition(std::ldexp(static_cast<double>(value), shift), format);
    cast.squares += square;
    if (rounded == 0) {
      ++cast.zero;
      cast.zeroSquares += square;
    } else if (!std::isfinite(rounded)) {
      ++cast.overflow;
      cast.overflowSquares += square;
    } else if (std::fabs(rounded) < format.smallest_normal()) {
      ++cast.subnormal;
      cast.subnormalSquares += square;
    }
  }
  return cast;
}

/// Values around every limit of a format at a scale, among them the limits themselves and their neighbours.
std::vector<float> aroundLimits(const Format& format, int shift, std::uint64_t seed) {
  std::vector<float> values;
  test::Patterns patterns(seed);
  const double limits[] = {format.underflow_limit(), format.smallest_subnormal(),
                           format.smallest_normal(), format.smallest_normal() - format.smallest_subnormal() / 2,
                           format.largest(),         format.overflow_limit()};
  for (const double limit : limits) {
    const auto at = static_cast<float>(std::ldexp(limit, -shift));
    for (const float value : {at, std::nextafter(at, 0.0F), std::nextafter(at, INFINITY)}) {
      values.push_back(value);
      values.push_back(-value);
    }
    for (int i = 0; i < 40; ++i) values.push_back(at * (0.25F + static_cast<float>(patterns.next() % 4096) / 1024.0F));
  }
  return values;
}

std::vector<float> anything(int count, std::uint64_t seed) {
  test::Patterns patterns(seed);
  std::vector<float> values;
  for (int i = 0; i < count; ++i) {
    const std::uint32_t bits = patterns.next();
    // Runs of ones and lone powers of two are where limits lie; plain random bits would hardly ever make them.
    const std::uint32_t ones = ~0u << (patterns.next() % 24);
    switch (i % 4) {
      case 0:
        values.push_back(std::bit_cast<float>(bits));
        break;
      case 1:
        values.push_back(std::bit_cast<float>(bits & 0xff800000u));
        break;
      case 2:
        values.push_back(std::bit_cast<float>(bits | (ones & 0x007fffffu)));
        break;
      default:
        values.push_back(std::bit_cast<float>((bits & 0x007fffffu) | ((90u + bits % 60u) << 23)));
    }
  }
  return values;
}

void append(std::vector<float>& to, const std::vector<float>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

bool near(double share, double squares, double all) {
  const double expected = all > 0 ? std::sqrt(squares / all) : 0;
  return std::fabs(share - expected) <= 1e-9 + 1e-9 * expected;
}

QString at(const Format& format, int shift) {
  return QStringLiteral("%1 at 2^%2").arg(QString::fromStdString(formats::name(format))).arg(shift);
}

std::vector<Format> manyFormats() {
  std::vector<Format> all(formats::kNamedFormats.begin(), formats::kNamedFormats.end());
  all.push_back(formats::kFloat32);
  for (int exponent = 2; exponent <= 8; ++exponent) {
    for (const int mantissa : {1, 2, 3, 4, 7, 10, 16, 22, 23}) all.push_back({exponent, mantissa});
  }
  return all;
}

}  // namespace

// What another format, at another scale, would do to a tensor that was looked at once.
class WhatIf : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void equalsARealCastForEveryFormatAndScale();
  void namedFormatsAreExactWithoutSteps();
  void boundsFromBinadesHoldTheRealCast();
  void boundsAreTightWhereNoLimitIsInside();
  void boundsAreInOrderWhereExtremesAndBinadesDisagree();
  void everyStepIsInOrder();
  void aScanBoundsBothSides();
  void whatWasSeenTooLateIsABound();
  void nothingSaysNothing();
  void twoPassesAddUp();
};

void WhatIf::equalsARealCastForEveryFormatAndScale() {
  int cases = 0;
  for (const Format& format : manyFormats()) {
    for (const int shift : {-140, -30, -24, -9, -1, 0, 1, 5, 13, 24, 60, 150}) {
      std::vector<float> values = anything(600, static_cast<std::uint64_t>(shift + 200));
      append(values, aroundLimits(format, shift, 7));
      const Cast cast = castEach(values, format, shift);
      const FormatEffect effect =
          formats::effect_of(formats::measure(values, formats::kFloat32, Depth::kWhatIf), format, shift);
      const QString where = at(format, shift);
      QVERIFY2(effect.exact(), qPrintable(where));
      QVERIFY2(effect.zero.count.low == cast.zero, qPrintable(where));
      QVERIFY2(effect.subnormal.count.low == cast.subnormal, qPrintable(where));
      QVERIFY2(effect.overflow.count.low == cast.overflow, qPrintable(where));
      QVERIFY2(near(effect.zero.norm.low, cast.zeroSquares, cast.squares), qPrintable(where));
      QVERIFY2(near(effect.subnormal.norm.low, cast.subnormalSquares, cast.squares), qPrintable(where));
      QVERIFY2(near(effect.overflow.norm.low, cast.overflowSquares, cast.squares), qPrintable(where));
      ++cases;
    }
  }
  QVERIFY(cases > 0);
}

void WhatIf::namedFormatsAreExactWithoutSteps() {
  std::vector<float> values = anything(4000, 3);
  for (const Format& format : formats::kNamedFormats) append(values, aroundLimits(format, 0, 5));
  const TensorStats stats = formats::measure(values, formats::kFloat32, Depth::kFormats);
  QVERIFY(stats.fine.empty());
  for (const Format& format : formats::kNamedFormats) {
    const Cast cast = castEach(values, format, 0);
    const FormatEffect effect = formats::effect_of(stats, format);
    QVERIFY(effect.exact());
    QCOMPARE(effect.zero.count.low, cast.zero);
    QCOMPARE(effect.subnormal.count.low, cast.subnormal);
    QCOMPARE(effect.overflow.count.low, cast.overflow);
    QVERIFY(near(effect.zero.norm.high, cast.zeroSquares, cast.squares));
    QVERIFY(cast.zero > 0 && cast.subnormal > 0 && cast.overflow > 0);
  }
}

void WhatIf::boundsFromBinadesHoldTheRealCast() {
  for (const Format& format : manyFormats()) {
    for (const int shift : {-30, -9, 0, 5, 24}) {
      std::vector<float> values = anything(400, static_cast<std::uint64_t>(shift + 99));
      append(values, aroundLimits(format, shift, 8));
      const Cast cast = castEach(values, format, shift);
      const FormatEffect effect = formats::effect_of(formats::measure(values, formats::kFloat32), format, shift);
      const auto holds = [&](const formats::Portion& portion, std::uint64_t count, double squares) {
        const double norm = std::sqrt(squares / cast.squares);
        return portion.count.low <= count && count <= portion.count.high && portion.norm.low <= norm * (1 + 1e-9) &&
               norm <= portion.norm.high * (1 + 1e-9);
      };
      QVERIFY2(holds(effect.zero, cast.zero, cast.zeroSquares), qPrintable(at(format, shift)));
      QVERIFY2(holds(effect.subnormal, cast.subnormal, cast.subnormalSquares), qPrintable(at(format, shift)));
      QVERIFY2(holds(effect.overflow, cast.overflow, cast.overflowSquares), qPrintable(at(format, shift)));
    }
  }
}

void WhatIf::boundsAreTightWhereNoLimitIsInside() {
  // 65,520 lies inside a binade; the largest magnitude says that nothing reaches it.
  const float calm[] = {40000.0F, 65519.0F, 1.0F};
  const FormatEffect none = formats::effect_of(formats::measure(calm, formats::kFloat16), formats::kFloat16);
  QVERIFY(none.exact());
  QCOMPARE(none.overflow.count.high, std::uint64_t{0});
  // One that does leaves a range: 1 at least, all of its binade at most.
  const float wild[] = {40000.0F, 65520.0F, 50000.0F, 1.0F};
  const FormatEffect some = formats::effect_of(formats::measure(wild, formats::kFloat16), formats::kFloat16);
  QCOMPARE(some.overflow.count.low, std::uint64_t{1});
  QCOMPARE(some.overflow.count.high, std::uint64_t{3});
}

// As in a damaged run file: the smallest magnitude is in no binade.
void WhatIf::boundsAreInOrderWhereExtremesAndBinadesDisagree() {
  const float values[] = {1.0F, 2.0F};
  TensorStats stats = formats::measure(values, formats::kFloat32);
  stats.smallest = 1e-30F;
  stats.largest = 1e30F;
  const FormatEffect effect = formats::effect_of(stats, formats::kFloat16);
  for (const formats::Portion& portion : {effect.zero, effect.subnormal, effect.overflow})
    QVERIFY(portion.count.low <= portion.count.high && portion.norm.low <= portion.norm.high);
  QCOMPARE(effect.zero.count.low, std::uint64_t{1});
}

void WhatIf::everyStepIsInOrder() {
  test::Patterns patterns(17);
  for (int i = 0; i < 200'000; ++i) {
    std::uint32_t a = patterns.next() & 0x7fffffffu;
    std::uint32_t b = i % 2 == 0 ? patterns.next() & 0x7fffffffu : a + 1;
    if (a > b) std::swap(a, b);
    if (a == 0 || b >= 0x7f800000u) continue;
    QVERIFY(formats::fine_place(a) <= formats::fine_place(b));
    QCOMPARE(formats::fine_place(a).binade, formats::binade(std::bit_cast<float>(a)));
    QVERIFY(formats::fine_place(a).step < formats::kSteps);
  }
}

void WhatIf::aScanBoundsBothSides() {
  TensorStats scan;
  scan.scan = true;
  scan.count = 100;
  scan.largest = 70000.0F;
  const FormatEffect effect = formats::effect_of(scan, formats::kFloat16);
  QCOMPARE(effect.overflow.count, (formats::CountRange{1, 100}));
  QCOMPARE(effect.zero.count, (formats::CountRange{0, 100}));
  QCOMPARE(formats::effect_of(scan, formats::kBFloat16).overflow.count, (formats::CountRange{0, 0}));
}

void WhatIf::whatWasSeenTooLateIsABound() {
  const float values[] = {0.0F, 0.0F, 1.0F, INFINITY};
  TensorStats stats = formats::measure(values, formats::kFloat16, Depth::kWhatIf);
  QVERIFY(formats::effect_of(stats, formats::kFloat16).exact());
  stats.censored = true;
  const FormatEffect effect = formats::effect_of(stats, formats::kFloat16);
  QVERIFY(effect.censored);
  QCOMPARE(effect.zero.count, (formats::CountRange{0, 2}));
  QCOMPARE(effect.overflow.count, (formats::CountRange{0, 1}));
}

void WhatIf::nothingSaysNothing() {
  for (const Depth depth : {Depth::kHistogram, Depth::kFormats, Depth::kWhatIf}) {
    const FormatEffect empty = formats::effect_of(formats::measure({}, formats::kFloat16, depth), formats::kFloat16, 5);
    QCOMPARE(empty.occupied, std::uint64_t{0});
    QVERIFY(empty.exact());
    const float lost[] = {0.0F, INFINITY, NAN};
    const FormatEffect none = formats::effect_of(formats::measure(lost, formats::kFloat16, depth), formats::kFloat16);
    QCOMPARE(none.occupied, std::uint64_t{0});
    QCOMPARE(none.overflow.count.high, std::uint64_t{0});
    QCOMPARE(none.zero.norm.high, 0.0);
  }
}

void WhatIf::twoPassesAddUp() {
  const std::vector<float> a = anything(500, 1);
  const std::vector<float> b = anything(700, 2);
  std::vector<float> both = a;
  append(both, b);
  TensorStats sum = formats::measure(a, formats::kFloat16, Depth::kWhatIf);
  formats::add(sum, formats::measure(b, formats::kFloat16, Depth::kWhatIf));
  const TensorStats whole = formats::measure(both, formats::kFloat16, Depth::kWhatIf);
  QCOMPARE(sum.fine.size(), whole.fine.size());
  for (const Format& format : manyFormats()) {
    const FormatEffect left = formats::effect_of(sum, format, -3);
    const FormatEffect right = formats::effect_of(whole, format, -3);
    QCOMPARE(left.zero.count, right.zero.count);
    QCOMPARE(left.subnormal.count, right.subnormal.count);
    QCOMPARE(left.overflow.count, right.overflow.count);
  }
  // What one of two did not look for, their sum does not know.
  TensorStats mixed = formats::measure(a, formats::kFloat16, Depth::kWhatIf);
  formats::add(mixed, formats::measure(b, formats::kFloat16, Depth::kHistogram));
  QVERIFY(!mixed.named && mixed.fine.empty());
  QCOMPARE(mixed.binades, whole.binades);
}

BINADE_SUITE(WhatIf);
#include "tst_what_if.moc"
