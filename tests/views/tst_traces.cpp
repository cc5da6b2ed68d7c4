// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "views/plot/line_plot.h"
#include "views/plot/trace.h"

#include <QImage>

#include <cmath>
#include <limits>
#include <random>

namespace binade::views {

namespace {

constexpr QRectF kArea{10, 20, 300, 100};

QImage blank(double ratio) {
  QImage image(static_cast<int>(340 * ratio), static_cast<int>(140 * ratio), QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  image.fill(Qt::white);
  return image;
}

bool same(const SeriesRecord& bucket, const SeriesRecord& record) {
  return bucket.count == record.count && bucket.nonFinite == record.nonFinite && bucket.min == record.min &&
         bucket.max == record.max;
}

}  // namespace

class Traces : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void bucketsEqualQueriesWhileTheRangeMovesAndTheRunGrows() {
    std::mt19937 random(5);
    Series series;
    SeriesBuckets buckets;
    constexpr std::int64_t kFirst = 41;  // of the series, where its buckets begin
    std::int64_t step = kFirst - 1;
    const auto grow = [&](int samples) {
      for (int i = 0; i < samples; ++i) {
        const bool gap = random() % 200 == 0;
        step += gap && !series.empty() ? 40 : 1;
        series.append(step, random() % 300 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                : static_cast<double>(random() % 1000));
      }
    };
    grow(5000);
    for (int trial = 0; trial < 400; ++trial) {
      if (trial % 3 == 0) grow(static_cast<int>(random() % 300));
      const int width = trial % 50 < 45 ? 3 : static_cast<int>(random() % 7);
      const std::int64_t first = static_cast<std::int64_t>(random() % 6000) - 300;
      const std::int64_t end = first + 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(step));
      buckets.cover(series, first, end, width);
      for (int part = 0; part < 20; ++part) {
        // Aligned to buckets, so that nothing is shifted into a neighbour.
        const std::int64_t bucket = ((first - kFirst) >> width) + 1 + static_cast<std::int64_t>(random() % 50);
        const std::int64_t from = kFirst + (bucket << width);
        const std::int64_t until = from + (static_cast<std::int64_t>(random() % 9) << width);
        if (until > end) continue;
        QVERIFY2(same(buckets.over(from, until), series.query(from, until)),
                 qPrintable(QStringLiteral("trial %1: %2 to %3").arg(trial).arg(from).arg(until)));
      }
    }
  }

  void aFrameOfALiveChartComputesFewBuckets() {
    Series series;
    for (std::int64_t i = 0; i < 1'000'000; ++i) series.append(i, static_cast<double>(i % 1000));
    SeriesBuckets buckets;
    buckets.cover(series, 0, 1'000'000, 9);
    QVERIFY(buckets.lastCost() > 1900);
    for (std::int64_t i = 0; i < 100; ++i) series.append(1'000'000 + i, 1);
    buckets.cover(series, 0, 1'000'100, 9);
    QVERIFY2(buckets.lastCost() <= 2, qPrintable(QString::number(buckets.lastCost())));
    buckets.cover(series, 0, 1'000'100, 9);
    QCOMPARE(buckets.lastCost(), std::size_t{0});
    // Panning computes what comes into view.
    buckets.cover(series, 400'000, 600'000, 9);
    buckets.cover(series, 400'512, 600'512, 9);
    QVERIFY(buckets.lastCost() <= 2);
    // Zooming out merges the buckets in view and computes those at both sides.
    buckets.cover(series, 390'000, 610'000, 10);
    QVERIFY2(buckets.lastCost() <= 25, qPrintable(QString::number(buckets.lastCost())));
  }

  // Each frame of a zoom may need buckets of another width: none may read the samples of wide buckets one by one.
  void bucketsOfAnyWidthReadFewRecords_data() {
    QTest::addColumn<qint64>("first");
    QTest::newRow("from step 0") << qint64{0};
    QTest::newRow("resumed at step 12,345") << qint64{12'345};
  }
  void bucketsOfAnyWidthReadFewRecords() {
    QFETCH(const qint64, first);
    Series series;
    for (std::int64_t i = 0; i < 300'000; ++i) series.append(first + i, static_cast<double>(i % 1000));
    SeriesBuckets buckets;
    for (int width = 11; width > 0; --width) {
      buckets.cover(series, first + 1000, first + 250'000, width);
      QVERIFY(buckets.lastCost() >= std::size_t{249'000} >> width);
      // A bucket has at most eight samples or two records; the one at the end of the range may have more.
      QVERIFY2(buckets.lastReads() <= 8 * buckets.lastCost() + 32,
               qPrintable(QStringLiteral("width %1: %2 read").arg(width).arg(buckets.lastReads())));
      if (width >= 4) QVERIFY(buckets.lastReads() <= 2 * buckets.lastCost() + 32);
    }
  }

  void noFrameOfAZoomComputesTheColumnsOfAllSeries() {
    constexpr int kSeries = 10;
    LinePlot plot(nullptr);
    plot.resize(500, 300);
    for (int s = 0; s < kSeries; ++s) {
      plot.addSeries({.name = QString::number(s), .unit = {}});
      for (int i = 0; i < 100'000; ++i) plot.append(s, i, i % 1000 + s);
    }
    plot.toImage();
    int computed = 0;
    for (int frame = 0; frame < 15; ++frame) {
      plot.stepAxis()->zoom(1.15, 50'000);
      plot.toImage();
      int together = 0;
      for (int s = 0; s < kSeries; ++s) together += plot.series(s).buckets().lastCost() > 100 ? 1 : 0;
      QVERIFY2(together <= 4, qPrintable(QStringLiteral("frame %1: %2 series").arg(frame).arg(together)));
      computed += together;
    }
    QVERIFY(computed >= 2 * kSeries);
  }

  void oneSampleAmongManyIsSeen_data() {
    QTest::addColumn<double>("ratio");
    for (const double ratio : {1.0, 1.5, 2.0}) QTest::addRow("scale %.1f", ratio) << ratio;
  }
  void oneSampleAmongManyIsSeen() {
    QFETCH(const double, ratio);
    Series series;
    for (std::int64_t i = 0; i < 200'000; ++i) series.append(i, i == 123'456 ? 9 : 1);
    QImage image = blank(ratio);
    {
      QPainter painter(&image);
      TraceCanvas canvas(painter, kArea);
      const TraceFrame frame(kArea, kArea.top(), kArea.bottom(), {0, 200'000}, {0, 10});
      drawTrace(canvas, frame, series, Qt::black, 1.6);
    }
    const double x = kArea.left() + 123'456.0 / 200'000 * kArea.width();
    const double y = kArea.bottom() - 0.7 * kArea.height();  // between 1 and 9
    int spike = 0;
    int elsewhere = 0;
    for (int column = 0; column < image.width(); ++column) {
      const bool dark = image.pixelColor(column, static_cast<int>(y * ratio)).lightness() < 128;
      const bool near = std::fabs(column / ratio - x) <= 2;
      (near ? spike : elsewhere) += dark ? 1 : 0;
    }
    QVERIFY2(spike >= 1 && spike <= 4, qPrintable(QString::number(spike)));
    QCOMPARE(elsewhere, 0);
  }

  void fewerSamplesThanColumnsAreStillJoined_data() {
    QTest::addColumn<double>("ratio");
    QTest::addColumn<int>("every");
    for (const double ratio : {1.0, 1.5, 2.0}) {
      for (const int every : {1, 3})
        QTest::addRow("scale %.1f, one sample in %d steps", ratio, every) << ratio << every;
    }
  }
  void fewerSamplesThanColumnsAreStillJoined() {
    QFETCH(const double, ratio);
    QFETCH(const int, every);
    const int count = 200;  // in 300 px: more than one sample in two pixels, so that columns are filled
    Series series;
    for (int i = 0; i < count; ++i) series.append(std::int64_t{i} * every, i % 2 == 0 ? 2 : 8);
    QImage image = blank(ratio);
    {
      QPainter painter(&image);
      TraceCanvas canvas(painter, kArea);
      const Range steps{0, static_cast<double>((count - 1) * every)};
      drawTrace(canvas, {kArea, kArea.top(), kArea.bottom(), steps, {0, 10}}, series, Qt::black, 1);
    }
    int empty = 0;
    const int left = static_cast<int>(std::ceil(kArea.left() * ratio)) + 1;
    const int right = static_cast<int>(kArea.right() * ratio) - 2;
    for (int column = left; column < right; ++column) {
      bool ink = false;
      for (int row = 0; row < image.height() && !ink; ++row) ink = image.pixelColor(column, row).lightness() < 200;
      empty += ink ? 0 : 1;
    }
    QCOMPARE(empty, 0);
  }

  void aGapStaysAGap() {
    Series series;
    for (std::int64_t i = 0; i < 100'000; ++i) {
      series.append(i, i >= 40'000 && i < 60'000 ? std::numeric_limits<double>::quiet_NaN() : 5);
    }
    QImage image = blank(1);
    {
      QPainter painter(&image);
      TraceCanvas canvas(painter, kArea);
      drawTrace(canvas, {kArea, kArea.top(), kArea.bottom(), {0, 100'000}, {0, 10}}, series, Qt::black, 1.6);
    }
    const auto inked = [&](double step) {
      const int x = static_cast<int>(kArea.left() + step / 100'000 * kArea.width());
      return image.pixelColor(x, static_cast<int>(kArea.center().y())) != QColor(Qt::white);
    };
    QVERIFY(inked(20'000) && inked(80'000));
    QVERIFY(!inked(45'000) && !inked(50'000) && !inked(55'000));
  }

  // The image of the columns and the rectangles of a vector file show the same.
  void anImageAndRectanglesAgree() {
    Series series;
    std::mt19937 random(3);
    for (std::int64_t i = 0; i < 20'000; ++i) series.append(i, static_cast<double>(random() % 100) / 10);
    const TraceFrame frame(kArea, kArea.top(), kArea.bottom(), {0, 20'000}, {0, 10});
    QImage one = blank(1);
    QImage other = blank(1);
    {
      QPainter painter(&one);
      TraceCanvas canvas(painter, kArea);
      drawTrace(canvas, frame, series, Qt::black, 1);
    }
    {
      // A scaled painter is no plain raster device.
      QPainter painter(&other);
      painter.scale(1.0000001, 1.0000001);
      TraceCanvas canvas(painter, kArea);
      drawTrace(canvas, frame, series, Qt::black, 1);
    }
    int different = 0;
    for (int y = 0; y < one.height(); ++y) {
      for (int x = 0; x < one.width(); ++x) {
        different += std::abs(one.pixelColor(x, y).lightness() - other.pixelColor(x, y).lightness()) > 24 ? 1 : 0;
      }
    }
    QVERIFY2(different < 30, qPrintable(QString::number(different)));
  }

  // Nothing of one chart's columns is left for the next chart.
  void aCanvasLeavesNothingBehind() {
    QImage image = blank(1);
    {
      QPainter painter(&image);
      TraceCanvas canvas(painter, kArea);
      for (int column = 0; column < canvas.columns(); ++column) canvas.fill(column, 20, 120, qRgb(0, 0, 0));
    }
    QImage next = blank(1);
    {
      QPainter painter(&next);
      TraceCanvas canvas(painter, kArea);
      canvas.fill(5, 20.25, 120, qRgb(255, 0, 0));
    }
    QCOMPARE(next.pixelColor(15, 60), QColor(255, 0, 0));
    QCOMPARE(next.pixelColor(100, 60), QColor(Qt::white));
    // The edges are smoothed: three quarters of the first row.
    QVERIFY(std::abs(next.pixelColor(15, 20).green() - 64) <= 2);
  }
};

BINADE_SUITE(Traces);

}  // namespace binade::views

#include "tst_traces.moc"
