// SPDX-License-Identifier: Apache-2.0
#include "profiler/kernel_class.h"
#include "profiler/peak.h"
#include "tests/support/suite.h"

#include <cmath>

using namespace binade::profiler;

namespace binade::test {

/// Figures from data sheets, shown as quoted, and what they bound.
class Peaks : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void v100IsQuotedAt125WhichIsEightTimesItsFloat32();
  void a100IsQuotedAtSixteenTimes();
  void everyPeakSaysWhereItIsQuotedFrom();
  void aProductIsAtMostThePeaksRatioFaster_data();
  void aProductIsAtMostThePeaksRatioFaster();
  void anOpBoundByMemoryIsTwiceAsFast();
  void kernelNamesAreAHint_data();
  void kernelNamesAreAHint();
};

void Peaks::v100IsQuotedAt125WhichIsEightTimesItsFloat32() {
  const QuotedPeak* v100 = quoted_peak("GV100");
  QVERIFY(v100 != nullptr);
  QCOMPARE(v100->float16, 125.0);
  QCOMPARE(v100->float32, 15.7);
  QCOMPARE(qRound(v100->ratio()), 8);
  QCOMPARE(v100->tfloat32, 0.0);  // Volta has none
}

void Peaks::a100IsQuotedAtSixteenTimes() {
  const QuotedPeak* a100 = quoted_peak("GA100");
  QVERIFY(a100 != nullptr);
  QCOMPARE(a100->float16, 312.0);
  QCOMPARE(a100->ratio(), 16.0);
  QCOMPARE(a100->float32 * 8, a100->tfloat32);
}

void Peaks::everyPeakSaysWhereItIsQuotedFrom() {
  for (const char* const chip : {"GV100", "TU104", "GA100", "GH100"}) {
    const QuotedPeak* peak = quoted_peak(chip);
    QVERIFY2(peak != nullptr, chip);
    QVERIFY2(peak->quoted.starts_with("NVIDIA"), chip);
  }
  QVERIFY(quoted_peak("XY100") == nullptr);
}

void Peaks::aProductIsAtMostThePeaksRatioFaster_data() {
  QTest::addColumn<QByteArray>("chip");
  QTest::addColumn<qint64>("size");
  QTest::addColumn<double>("most");
  QTest::addColumn<double>("least");
  QTest::newRow("V100, large") << QByteArray("GV100") << qint64{8192} << 8.0 << 7.9;
  QTest::newRow("T4, large") << QByteArray("TU104") << qint64{8192} << 8.1 << 7.9;
  QTest::newRow("A100, large") << QByteArray("GA100") << qint64{8192} << 16.0 << 15.9;
  QTest::newRow("V100, small: memory bounds both") << QByteArray("GV100") << qint64{16} << 2.001 << 1.999;
}

void Peaks::aProductIsAtMostThePeaksRatioFaster() {
  QFETCH(QByteArray, chip);
  QFETCH(qint64, size);
  QFETCH(double, most);
  QFETCH(double, least);
  const double ratio = roofline_ratio(*quoted_peak(chip.toStdString()), {.m = size, .n = size, .k = size});
  QVERIFY2(ratio <= most && ratio >= least, qPrintable(QString::number(ratio)));
}

/// An outer product computes two operations for each value that it writes, as few as an addition of tensors: in float16
/// it moves half the bytes, and the tensor cores do not matter.
void Peaks::anOpBoundByMemoryIsTwiceAsFast() {
  for (const char* const chip : {"GV100", "TU104", "GA100", "GH100"}) {
    for (const qint64 size : {qint64{64}, qint64{8192}}) {
      const double ratio = roofline_ratio(*quoted_peak(chip), {.m = size, .n = size, .k = 1});
      QVERIFY2(std::fabs(ratio - 2) < 1e-12, chip);
    }
  }
}

void Peaks::kernelNamesAreAHint_data() {
  QTest::addColumn<QByteArray>("name");
  QTest::addColumn<QByteArray>("kind");
  const auto row = [](const char* name, const char* kind) {
    QTest::newRow(name) << QByteArray(name) << QByteArray(kind);
  };
  row("nvjet_hsh_256x128_64x4_2x1_v_bz_coopA_NNT", "tensor");  // Hopper's, which older tools missed
  row("ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_tn", "tensor");
  row("volta_h884gemm_256x128_ldg8_nn", "tensor");
  row("sm80_xmma_fprop_implicit_gemm_tf32f32", "tensor");
  row("cutlass_80_tensorop_s1688gemm_128x128", "tensor");
  row("cutlass_80_simt_sgemm_128x128_8x4_nn_align1", "ordinary");
  row("volta_sgemm_128x64_nn", "ordinary");
  row("void at::native::vectorized_elementwise_kernel<4>", "ordinary");
  row("triton_poi_fused_add_0", "unknown");
}

void Peaks::kernelNamesAreAHint() {
  QFETCH(QByteArray, name);
  QFETCH(QByteArray, kind);
  QCOMPARE(QByteArray::fromStdString(std::string(profiler::name(class_by_name(name.toStdString())))), kind);
}

BINADE_SUITE(Peaks);

}  // namespace binade::test

#include "tst_peaks.moc"
