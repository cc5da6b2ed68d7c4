// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/scale_band.h"
#include "engine/train/step.h"
#include "engine/train/training.h"
#include "tests/support/suite.h"
#include "tests/train/small_run.h"

#include <cmath>

using namespace binade;

namespace {

constexpr double kLost = 0.01;

/// The first step of a run under one scale: what gradients were seen, and what the scaler found.
struct First {
  std::vector<formats::TensorStats> stats;
  std::vector<formats::Format> formats;
  bool foundInf = false;
  double worstLost = 0;  ///< of any gradient's norm
  std::uint64_t overflow = 0;

  std::vector<formats::ScaledGradient> gradients(int scale) const {
    std::vector<formats::ScaledGradient> all;
    for (std::size_t i = 0; i < stats.size(); ++i) all.push_back({&stats[i], formats[i], static_cast<double>(scale)});
    return all;
  }
};

First firstStep(const formats::Format& low, int scale) {
  wire::RunConfig config = test::smallRun(2);
  config.policy.low = low;
  config.policy.execution = policy::Execution::kEmulated;
  config.scaler.init_scale = std::ldexp(1.0, scale);
  config.observe.level = "histogram";
  config.observe.every = 1;
  const auto training = train::set_up(config);
  train::Stepper stepper(*training);
  const wire::StepRecord record = stepper.run(0).record;
  First first;
  first.foundInf = record.found_inf;
  for (const wire::Observation& seen : record.observations) {
    const wire::WatchedTensor& tensor = stepper.watched()[static_cast<std::size_t>(seen.tensor)];
    if (tensor.kind != wire::WatchedTensor::Kind::kInputGradient || seen.stats.scan) continue;
    if (tensor.format == formats::kFloat32) continue;
    first.stats.push_back(seen.stats);
    first.formats.push_back(tensor.format);
    first.overflow += seen.stats.overflow + seen.stats.non_finite();
    first.worstLost = std::max(first.worstLost, formats::effect_of(seen.stats, tensor.format).zero.norm.high);
  }
  return first;
}

}  // namespace

// The band of safe loss scales is a prediction: here training itself is asked.
class SafeBand : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void atItsEdgesThePredictionHoldsToOneBinade_data() {
    QTest::addColumn<QByteArray>("low");
    QTest::addColumn<int>("scale");
    for (const int scale : {8, 12}) QTest::addRow("float16 from 2^%d", scale) << QByteArray("float16") << scale;
    QTest::addRow("e5m3 from 2^8") << QByteArray("e5m3") << 8;
  }
  void atItsEdgesThePredictionHoldsToOneBinade() {
    QFETCH(QByteArray, low);
    QFETCH(int, scale);
    const formats::Format format = *formats::parse(low.toStdString());
    const First seen = firstStep(format, scale);
    QVERIFY(!seen.stats.empty());
    const auto gradients = seen.gradients(scale);
    const formats::SafeBand band = formats::safe_band(gradients, kLost);
    QVERIFY(band.lowest && band.highest && !band.empty());
    qInfo("safe from 2^%d to 2^%d", *band.lowest, *band.highest);

    const First inside = firstStep(format, *band.highest - 1);
    QVERIFY(!inside.foundInf);
    QCOMPARE(inside.overflow, std::uint64_t{0});
    const First beyond = firstStep(format, *band.highest + 2);
    QVERIFY(beyond.overflow > 0);

    QVERIFY(firstStep(format, *band.lowest + 1).worstLost <= kLost);
    QVERIFY(firstStep(format, *band.lowest - 4).worstLost > kLost);
  }
};

BINADE_SUITE(SafeBand);
#include "tst_safe_band.moc"
