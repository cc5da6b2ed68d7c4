// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/open_cuda.h"
#include "engine/train/device.h"
#include "tests/bench/apex_levels.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>

#include <cmath>

using namespace binade;
using bench::LevelFigures;

namespace {

using Formats = std::set<std::string>;

/// Of the level in float16; the report's first four rows.
const LevelFigures& row(const std::vector<LevelFigures>& report, int level) {
  return report.at(static_cast<std::size_t>(level));
}

}  // namespace

// The benchmark of Apex's four levels: what it says of each, and what it does not say.
class TestLevelReport : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theOuterLevelsAreBaselinesAndTheInnerOnesMix();
  void aSpeedIsToldOnlyWhereItWasMeasured();
  void noLevelTrainsWorseThanFloat32();
};

void TestLevelReport::theOuterLevelsAreBaselinesAndTheInnerOnesMix() {
  const auto report = bench::apex_levels("transformer", {.batch = 4, .pairs = 6, .steps = 1});
  for (int level = 0; level < 4; ++level) {
    QCOMPARE(bench::level_name(row(report, level).level), "O" + std::to_string(level));
    QVERIFY(row(report, level).peak_bytes > 0);
  }
  const Formats single{"float32"};
  const Formats half{"float16"};
  const Formats both{"float16", "float32"};
  // O0, the baseline of accuracy: float32 and nothing else.
  QVERIFY(row(report, 0).values == single && row(report, 0).weights == single && row(report, 0).stepped == single);
  // O3, the baseline of speed: float16 and nothing else.
  QVERIFY(row(report, 3).values == half && row(report, 3).weights == half && row(report, 3).stepped == half);
  QCOMPARE(row(report, 3).weight_bytes * 2, row(report, 0).weight_bytes);
  // O1 mixes by op: matrices in float16, sums in float32, and weights as they were.
  QVERIFY(row(report, 1).values == both);
  QVERIFY(row(report, 1).weights == single && row(report, 1).stepped == single);
  // O2 mixes by tensor: float16 weights, and float32 masters of them for the optimizer.
  QVERIFY(row(report, 2).weights.count("float16") == 1);
  QVERIFY(row(report, 2).stepped == single);
  QCOMPARE(row(report, 2).weight_bytes * 2, 3 * row(report, 0).weight_bytes);
}

void TestLevelReport::aSpeedIsToldOnlyWhereItWasMeasured() {
  const policy::Capabilities can = train::capabilities(c10::kCPU);
  const auto report = bench::apex_levels("mlp", {.batch = 8, .pairs = 6, .steps = 1});
  QVERIFY(!row(report, 0).time);
  for (int level = 1; level < 4; ++level) {
    QCOMPARE(row(report, level).time.has_value(), can.native_float16);
    QCOMPARE(row(report, level).why_no_time.empty(), can.native_float16);
    QCOMPARE(row(report, level).runs, std::string(can.native_float16 ? "float16 native" : "float16 emulated"));
  }
  QCOMPARE(report.size(), std::size_t{can.native_bfloat16 && !can.native_float16 ? 7U : 4U});
  for (std::size_t i = 4; i < report.size(); ++i) {
    QCOMPARE(report[i].runs, std::string("bfloat16 native"));
    QVERIFY(report[i].time && report[i].time->median > 0 && report[i].time->low <= report[i].time->median);
  }
}

void TestLevelReport::noLevelTrainsWorseThanFloat32() {
  const auto report = bench::apex_levels("resnet", {.batch = 4, .pairs = 6, .steps = 8});
  const double baseline = row(report, 0).last_loss;
  QVERIFY(report.size() >= 4);
  for (const LevelFigures& level : report) {
    QVERIFY(std::isfinite(level.last_loss));
    // No risk, and not because nothing was done: what is mixed ends on other bits than what is not.
    if (level.level != policy::Base::kApexO0) QVERIFY(level.last_loss != baseline);
    QVERIFY2(std::abs(level.last_loss - baseline) < 0.1 * baseline,
             qPrintable(QString::fromStdString(bench::level_name(level.level)) + QString::number(level.last_loss)));
  }
}

/// Time, where the hardware computes in float16; on other machines the benchmark says why it tells none.
class TestLevelsOnDevice : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    host::open_cuda();
    if (at::getNumGPUs() == 0) QSKIP("a speed needs a CUDA device with tensor cores: none is usable here");
  }

  void mixedLevelsHaveATimeOfTheirOwn() {
    const auto report = bench::apex_levels("resnet", {.device = "cuda", .batch = 256, .pairs = 12});
    for (int level = 1; level < 4; ++level) {
      QVERIFY(row(report, level).time.has_value());
      QCOMPARE(row(report, level).runs, std::string("float16 native"));
      qInfo("%s: %.3f of the time of O0", bench::level_name(row(report, level).level).c_str(),
            row(report, level).time->median);
    }
    QVERIFY(row(report, 3).peak_bytes < row(report, 0).peak_bytes);
  }
};

BINADE_SUITE(TestLevelReport);
BINADE_SUITE(TestLevelsOnDevice);
#include "tst_level_report.moc"
