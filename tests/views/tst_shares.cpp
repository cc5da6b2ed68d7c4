// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "tests/views/fake_run.h"
#include "views/plot/format_shares.h"
#include "views/plot/shares.h"
#include "views/theme.h"

#include <cmath>
#include <random>

namespace binade::views {

using formats::Format;

namespace {

/// Counted value by value, with the format's own limits.
Shares countedShares(const std::vector<float>& values, const Format& format, int shift) {
  Shares s;
  double all = 0;
  for (const float value : values) {
    const double size = std::ldexp(std::fabs(static_cast<double>(value)), shift);
    if (size == 0) continue;
    ++all;
    if (!(size < format.overflow_limit())) {
      ++s.overflow;
    } else if (size <= format.underflow_limit()) {
      ++s.zero;
    } else if (size < format.smallest_normal()) {
      ++s.subnormal;
    } else {
      ++s.normal;
    }
  }
  for (double* part : {&s.zero, &s.subnormal, &s.normal, &s.overflow}) *part /= all;
  return s;
}

std::vector<float> spread(double centre, double wide, int count) {
  std::mt19937 random(5);
  std::normal_distribution<double> place(centre, wide);
  std::vector<float> values;
  for (int i = 0; i < count; ++i) {
    values.push_back(i % 11 == 0 ? 0.0F : static_cast<float>((i % 2 ? -1 : 1) * std::exp2(place(random))));
  }
  return values;
}

}  // namespace

class SharesOfFormats : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void sharesEqualCountedValues_data() {
    QTest::addColumn<int>("exponentBits");
    QTest::addColumn<int>("mantissaBits");
    QTest::addColumn<bool>("finiteOnly");
    QTest::addColumn<int>("shift");
    for (const Format& f : {formats::kFloat16, formats::kBFloat16, formats::kFloat8E4M3fn, formats::kFloat8E5M2}) {
      for (const int shift : {-12, 0, 9, 25}) {
        QTest::addRow("%s, scale times 2^%d", formats::name(f).c_str(), shift)
            << f.exponent_bits << f.mantissa_bits << f.finite_only << shift;
      }
    }
  }

  void sharesEqualCountedValues() {
    QFETCH(int, exponentBits);
    QFETCH(int, mantissaBits);
    QFETCH(bool, finiteOnly);
    QFETCH(int, shift);
    const Format format{exponentBits, mantissaBits, finiteOnly};
    const auto values = spread(-9, 5, 20'000);
    const Shares found = sharesOf(test::statsOf(values), format, shift);
    const Shares counted = countedShares(values, format, shift);
    QCOMPARE(found.zero, counted.zero);
    QCOMPARE(found.subnormal, counted.subnormal);
    // The bin that the overflow limit cuts: never too little, and said to be a bound.
    QVERIFY(found.overflow >= counted.overflow);
    if (!found.overflowIsBound) QCOMPARE(found.overflow, counted.overflow);
    QCOMPARE(found.overflow + found.normal, counted.overflow + counted.normal);
  }

  void theLimitsOfFloat16() {
    // 2^-14 is normal, just below is subnormal; at 2^-26 values are lost; 65,519 fits and 65,520 does not.
    const Shares fits = sharesOf(test::statsOf({65519.0F, std::ldexp(1.0F, -14)}), formats::kFloat16);
    QCOMPARE(fits.normal, 1.0);
    QVERIFY(!fits.overflowIsBound);
    const Shares beyond = sharesOf(test::statsOf({65520.0F, 1.0F}), formats::kFloat16);
    QCOMPARE(beyond.overflow, 0.5);
    QVERIFY(!beyond.overflowIsBound);  // the largest value tells of the one in the bin that the limit cuts
    const Shares whole = sharesOf(test::statsOf({65536.0F, 1.0F}), formats::kFloat16);
    QCOMPARE(whole.overflow, 0.5);
    QVERIFY(!whole.overflowIsBound);
    const Shares small = sharesOf(
        test::statsOf({std::ldexp(1.9F, -15), std::ldexp(1.5F, -25), std::ldexp(1.9F, -26), 1.0F}), formats::kFloat16);
    QCOMPARE(small.subnormal, 0.5);
    QCOMPARE(small.zero, 0.25);
  }

  void aTensorOfZerosHasNoShares() {
    const Shares s = sharesOf(test::statsOf({0.0F, -0.0F}), formats::kFloat16);
    QCOMPARE(s.zero + s.subnormal + s.normal + s.overflow, 0.0);
  }

  void whatWasInfiniteBeforeIsNoOverflowOfTheFormat() {
    for (const Format& format : {formats::kBFloat16, formats::kFloat16}) {
      const Shares s = sharesOf(test::statsOf({INFINITY, NAN, 1.0F, 1e30F}), format);
      QCOMPARE(s.notFinite, 0.5);
      QCOMPARE(s.overflow, format == formats::kFloat16 ? 0.25 : 0.0);
      QCOMPARE(s.overflowRange.high, s.overflow);
      QCOMPARE(s.normal, format == formats::kFloat16 ? 0.25 : 0.5);
    }
  }

  void infinitiesOfARoundedTensorAreABound() {
    formats::TensorStats stats =
        formats::measure(std::vector<float>{INFINITY, NAN, 1.0F, 2.0F}, formats::kFloat16, formats::Depth::kWhatIf);
    stats.censored = true;
    for (const Format& format : {formats::kBFloat16, formats::kFloat16}) {
      const Shares s = sharesOf(stats, format);
      QVERIFY(s.overflowIsBound && !s.exact());
      QCOMPARE(s.overflow, 0.25);
      QCOMPARE(s.overflowRange.low, 0.0);
      QCOMPARE(s.overflowRange.high, 0.25);
      QCOMPARE(s.notFinite, 0.25);
      QCOMPARE(s.normal, 0.5);
    }
  }

  void theTableFollowsTheWhatIfScale() {
    FormatShares table;
    QVERIFY(!table.shares(0));
    QVERIFY(table.accessibleDescription().contains(QStringLiteral("No gradient")));
    table.setStats(test::fakeStats(-3, 2.5));
    const double before = table.shares(0)->overflow;
    QCOMPARE(before, 0.0);
    table.setShift(16);
    QVERIFY(table.shares(0)->overflow > 0.05);
    QVERIFY(table.accessibleDescription().contains(QStringLiteral("bfloat16: becomes 0 0")));
  }

  void statisticsOfTheDeepestLevelTellEveryShareExactly() {
    // 65,519 rounds down and 65,520 up: one binade, which a histogram cannot split.
    const std::vector<float> values{65519.0F, 65520.0F, 1.0F, 2.0F};
    const auto bound = sharesOf(formats::measure(values, formats::kFloat16), formats::kFloat16);
    QVERIFY(!bound.exact());
    QVERIFY(bound.overflowRange.low <= 0.25 && bound.overflowRange.high >= 0.25);
    const auto exact =
        sharesOf(formats::measure(values, formats::kFloat16, formats::Depth::kWhatIf), formats::kFloat16);
    QVERIFY(exact.exact());
    QCOMPARE(exact.overflow, 0.25);
    QCOMPARE(exact.normal, 0.75);
    QVERIFY(!exact.overflowIsBound);
    const auto moved =
        sharesOf(formats::measure(values, formats::kFloat16, formats::Depth::kWhatIf), formats::kFloat16, -1);
    QVERIFY(moved.exact());
    QCOMPARE(moved.overflow, 0.0);
  }

  void aRangeIsShownAsOne() {
    QCOMPARE(betweenText({0.25, 0.25}), QStringLiteral("25.00 %"));
    QCOMPARE(betweenText({0, 0.25}), QStringLiteral("≤ 25.00 %"));
    QCOMPARE(betweenText({0.125, 0.25}), QStringLiteral("12.50 … 25.00 %"));
    FormatShares table;
    table.setStats(formats::measure(std::vector<float>{65519.0F, 65520.0F, 1.0F}, formats::kFloat16));
    QVERIFY(table.rowTip(0).contains(QStringLiteral("Bounds")));
  }

  void aBarShowsLossInCrimsonAndSubnormalsInTheFormatsColour() {
    applyTheme(*qApp, Theme::kLight);
    FormatShares table;
    table.setFormats({formats::kFloat16});
    // A quarter each: lost, subnormal, normal, overflow.
    table.setStats(test::statsOf({1e-9F, 1e-6F, 1.0F, 1e6F}));
    table.resize(600, table.sizeHint().height());
    const QImage image = table.grab().toImage();
    const QRectF bar = table.bar(0);
    const auto at = [&](double part) {
      return image.pixelColor(static_cast<int>(bar.left() + part * bar.width()), static_cast<int>(bar.center().y()));
    };
    QCOMPARE(at(0.12), colors().crimson);
    QCOMPARE(at(0.37), formatColor(formats::kFloat16));
    QVERIFY(at(0.62) != colors().crimson && at(0.62) != formatColor(formats::kFloat16));
    QCOMPARE(at(0.87), colors().crimson);
  }
};

BINADE_SUITE(SharesOfFormats);

}  // namespace binade::views

#include "tst_shares.moc"
