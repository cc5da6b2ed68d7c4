// SPDX-License-Identifier: Apache-2.0
#include "profiler/step_estimate.h"
#include "tests/support/suite.h"

#include <cmath>
#include <string>
#include <vector>

using namespace binade::profiler;

namespace binade::test {

/// The least time of a step's products and casts, from quoted figures.
class StepEstimates : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aLargeProductTakesItsArithmetic();
  void aThinProductTakesItsMemory();
  void tensorCoresWithoutAFormatAreNotCounted_data();
  void tensorCoresWithoutAFormatAreNotCounted();
  void onlyFormatsOfTheFiguresAreQuoted();
  void castsAddTheirBytes();
  void callsAndBatchesMultiply();
  void lowerFormatsAreNeverSlower();
};

namespace {

const QuotedPeak& peak(const char* chip) {
  return *quoted_peak(chip);
}

double seconds(const char* chip, const MatrixShape& shape, const std::string& format) {
  const std::vector<StepProduct> products{{.shape = shape, .format = format}};
  return step_seconds(peak(chip), products, 0);
}

constexpr MatrixShape kLarge{.m = 8192, .n = 8192, .k = 8192};

}  // namespace

void StepEstimates::aLargeProductTakesItsArithmetic() {
  const double operations = 3 * 2.0 * 8192 * 8192 * 8192;
  QCOMPARE(seconds("GA100", kLarge, "float16"), operations / 312e12);
  QCOMPARE(seconds("GA100", kLarge, "float32"), operations / 19.5e12);
  QCOMPARE(seconds("GA100", kLarge, "tfloat32"), operations / 156e12);
}

void StepEstimates::aThinProductTakesItsMemory() {
  const MatrixShape thin{.m = 4096, .n = 4096, .k = 1};
  const double values = 4096.0 + 4096.0 + 4096.0 * 4096.0;
  QCOMPARE(seconds("GH100", thin, "bfloat16"), 3 * 2 * values / 3352e9);
  QCOMPARE(seconds("GH100", thin, "float32"), 3 * 4 * values / 3352e9);
}

void StepEstimates::tensorCoresWithoutAFormatAreNotCounted_data() {
  QTest::addColumn<QByteArray>("chip");
  QTest::addColumn<QByteArray>("format");
  QTest::newRow("Volta has no bfloat16") << QByteArray("GV100") << QByteArray("bfloat16");
  QTest::newRow("Turing has no tfloat32") << QByteArray("TU104") << QByteArray("tfloat32");
  QTest::newRow("a format of no device") << QByteArray("GH100") << QByteArray("e6m9");
}

void StepEstimates::tensorCoresWithoutAFormatAreNotCounted() {
  QFETCH(QByteArray, chip);
  QFETCH(QByteArray, format);
  QCOMPARE(seconds(chip.constData(), kLarge, format.toStdString()), seconds(chip.constData(), kLarge, "float32"));
}

void StepEstimates::onlyFormatsOfTheFiguresAreQuoted() {
  for (const char* format : {"float32", "tfloat32", "bfloat16", "float16"}) QVERIFY2(is_quoted(format), format);
  for (const char* format : {"float8_e4m3fn", "float8_e5m2", "e6m9", ""}) QVERIFY2(!is_quoted(format), format);
}

void StepEstimates::castsAddTheirBytes() {
  QCOMPARE(step_seconds(peak("TU104"), {}, 320e9), 1.5);
  const std::vector<StepProduct> products{{.shape = kLarge, .format = "float16"}};
  QCOMPARE(step_seconds(peak("TU104"), products, 320e9), 1.5 + step_seconds(peak("TU104"), products, 0));
}

void StepEstimates::callsAndBatchesMultiply() {
  const MatrixShape one{.m = 64, .n = 64, .k = 64};
  MatrixShape eight = one;
  eight.batches = 8;
  const std::vector<StepProduct> called{{.shape = one, .format = "float16", .calls = 8}};
  QCOMPARE(seconds("GA100", eight, "float16"), 8 * seconds("GA100", one, "float16"));
  QCOMPARE(step_seconds(peak("GA100"), called, 0), 8 * seconds("GA100", one, "float16"));
}

void StepEstimates::lowerFormatsAreNeverSlower() {
  QVERIFY(!quoted_peaks().empty());
  for (const QuotedPeak& gpu : quoted_peaks()) {
    QVERIFY(quoted_peak(gpu.chip) == &gpu);
    for (const std::int64_t k : {1, 16, 512, 8192}) {
      const MatrixShape shape{.m = 512, .n = 512, .k = k};
      const auto at = [&](const char* format) {
        const std::vector<StepProduct> products{{.shape = shape, .format = format}};
        return step_seconds(gpu, products, 0);
      };
      QVERIFY(at("float16") <= at("bfloat16"));
      QVERIFY(at("bfloat16") <= at("tfloat32"));
      QVERIFY(at("tfloat32") <= at("float32"));
      // The same bound as for the product alone.
      QVERIFY(std::abs(at("float32") / at("float16") - roofline_ratio(gpu, shape)) < 1e-9);
    }
  }
}

BINADE_SUITE(StepEstimates);

}  // namespace binade::test

#include "tst_step_estimate.moc"
