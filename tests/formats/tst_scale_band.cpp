// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/scale_band.h"
#include "tests/formats/by_definition.h"
#include "tests/support/suite.h"

#include <cmath>
#include <random>
#include <vector>

using namespace binade;
using formats::Depth;
using formats::Format;
using formats::GradientBand;
using formats::SafeBand;
using formats::ScaledGradient;
using formats::TensorStats;

namespace {

std::vector<float> gradient(int count, double deviation, double spread, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<float> values;
  for (int i = 0; i < count; ++i) {
    values.push_back(static_cast<float>(deviation * normal(random) * std::exp2(spread * normal(random))));
  }
  return values;
}

bool overflowsAt(const std::vector<float>& values, const Format& format, int shift) {
  for (const float value : values) {
    if (!std::isfinite(test::roundedByDefinition(std::ldexp(static_cast<double>(value), shift), format))) return true;
  }
  return false;
}

double lostAt(const std::vector<float>& values, const Format& format, int shift) {
  double lost = 0;
  double all = 0;
  for (const float value : values) {
    const double square = static_cast<double>(value) * static_cast<double>(value);
    all += square;
    if (test::roundedByDefinition(std::ldexp(static_cast<double>(value), shift), format) == 0) lost += square;
  }
  return std::sqrt(lost / all);
}

}  // namespace

// The interval of loss scales at which gradients survive.
class ScaleBand : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void edgesAreWhereACastSaysSo();
  void binadesAloneGiveTheSameEdgesOrABound();
  void thePresentScaleIsTakenOff();
  void aGraphTakesTheNarrowestAndNamesWhoSetsIt();
  void gradientsThatContradictEachOtherLeaveNoBand();
  void zerosSetNoLimit();
  void infinitiesPutTheEdgeBelowThePresentScale();
};

void ScaleBand::edgesAreWhereACastSaysSo() {
  for (const Format& format : {formats::kFloat16, formats::kFloat8E4M3fn, formats::kFloat8E5M2, formats::kBFloat16}) {
    for (const double deviation : {1e-9, 1e-5, 1.0, 300.0}) {
      const auto values = gradient(4000, deviation, 2, 11);
      const TensorStats stats = formats::measure(values, format, Depth::kWhatIf);
      const GradientBand band = formats::band_of({&stats, format, 0}, 0.01);
      QVERIFY(band.lowest && band.highest && !band.bound);
      QVERIFY(!overflowsAt(values, format, *band.highest));
      QVERIFY(overflowsAt(values, format, *band.highest + 1));
      QVERIFY(lostAt(values, format, *band.lowest) <= 0.01);
      QVERIFY(lostAt(values, format, *band.lowest - 1) > 0.01);
    }
  }
}

void ScaleBand::binadesAloneGiveTheSameEdgesOrABound() {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto values = gradient(3000, 1e-4, 0.3 * seed, seed);
    const TensorStats exact = formats::measure(values, formats::kFloat16, Depth::kWhatIf);
    const TensorStats plain = formats::measure(values, formats::kFloat16);
    const GradientBand one = formats::band_of({&exact, formats::kFloat16, 0}, 0.01);
    const GradientBand other = formats::band_of({&plain, formats::kFloat16, 0}, 0.01);
    QCOMPARE(other.highest, one.highest);
    QVERIFY(*one.lowest <= *other.lowest);
    QVERIFY(*other.lowest - *one.lowest <= 2);
  }
}

void ScaleBand::thePresentScaleIsTakenOff() {
  const auto values = gradient(2000, 1e-6, 1, 5);
  std::vector<float> scaled = values;
  for (float& value : scaled) value *= 0x1p12F;
  const TensorStats a = formats::measure(values, formats::kFloat16, Depth::kWhatIf);
  const TensorStats b = formats::measure(scaled, formats::kFloat16, Depth::kWhatIf);
  const GradientBand one = formats::band_of({&a, formats::kFloat16, 0}, 0.01);
  const GradientBand other = formats::band_of({&b, formats::kFloat16, 12}, 0.01);
  QCOMPARE(other.lowest, one.lowest);
  QCOMPARE(other.highest, one.highest);
}

void ScaleBand::aGraphTakesTheNarrowestAndNamesWhoSetsIt() {
  const auto small = gradient(1000, 1e-7, 0.5, 1);
  const auto large = gradient(1000, 1e-1, 0.5, 2);
  const auto middle = gradient(1000, 1e-4, 0.5, 3);
  std::vector<TensorStats> stats;
  for (const auto* values : {&middle, &small, &large}) {
    stats.push_back(formats::measure(*values, formats::kFloat16, Depth::kWhatIf));
  }
  std::vector<ScaledGradient> gradients;
  for (const TensorStats& one : stats) gradients.push_back({&one, formats::kFloat16, 0});
  const SafeBand safe = formats::safe_band(gradients);
  QVERIFY(!safe.empty());
  QCOMPARE(*safe.lowest_from, std::size_t{1});
  QCOMPARE(*safe.highest_from, std::size_t{2});
  QCOMPARE(safe.lowest, formats::band_of(gradients[1], formats::kLostNorm).lowest);
  QCOMPARE(safe.highest, formats::band_of(gradients[2], formats::kLostNorm).highest);
}

void ScaleBand::gradientsThatContradictEachOtherLeaveNoBand() {
  const auto small = gradient(1000, 1e-12, 0.5, 1);
  const auto large = gradient(1000, 1e3, 0.5, 2);
  const TensorStats a = formats::measure(small, formats::kFloat16, Depth::kWhatIf);
  const TensorStats b = formats::measure(large, formats::kFloat16, Depth::kWhatIf);
  const ScaledGradient both[] = {{&a, formats::kFloat16, 0}, {&b, formats::kFloat16, 0}};
  const SafeBand safe = formats::safe_band(both);
  QVERIFY(safe.empty());
  QVERIFY(*safe.lowest > *safe.highest);
  // bfloat16 has float32's range: there a scale serves both.
  const ScaledGradient wide[] = {{&a, formats::kBFloat16, 0}, {&b, formats::kBFloat16, 0}};
  QVERIFY(!formats::safe_band(wide).empty());
}

void ScaleBand::zerosSetNoLimit() {
  const float zeros[] = {0.0F, -0.0F};
  const TensorStats stats = formats::measure(zeros, formats::kFloat16, Depth::kWhatIf);
  const GradientBand band = formats::band_of({&stats, formats::kFloat16, 3}, 0.01);
  QVERIFY(!band.lowest && !band.highest);
  const SafeBand none = formats::safe_band({});
  QVERIFY(!none.lowest && !none.highest && !none.empty());
}

void ScaleBand::infinitiesPutTheEdgeBelowThePresentScale() {
  const float values[] = {1.0F, INFINITY};
  TensorStats stats = formats::measure(values, formats::kFloat16);
  stats.censored = true;
  const GradientBand band = formats::band_of({&stats, formats::kFloat16, 16}, 0.01);
  QVERIFY(band.bound);
  QCOMPARE(*band.highest, 15);
}

BINADE_SUITE(ScaleBand);
#include "tst_scale_band.moc"
