// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "tests/views/fake_run.h"
#include "views/plot/heat_map.h"
#include "views/plot/line_plot.h"
#include "views/plot/scale_plot.h"
#include "views/theme.h"

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <memory>

namespace binade::views {

namespace {

/// What a chart strokes: remembers the polylines and outlines that are long, wide, or both.
class StrokeLog : public QPaintEngine {
 public:
  StrokeLog() : QPaintEngine(AllFeatures) {}

  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  Type type() const override { return User; }
  void updateState(const QPaintEngineState&) override {}
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
  void drawTextItem(const QPointF&, const QTextItem&) override {}
  void drawRects(const QRectF*, int) override {}
  // Separate segments are cheap at any width.
  void drawLines(const QLineF*, int count) override { segments_ += count; }
  void drawPolygon(const QPointF*, int count, PolygonDrawMode) override { stroke(count); }
  void drawPath(const QPainterPath& path) override { stroke(path.elementCount()); }

  int longest() const { return longest_; }
  int segments() const { return segments_; }

 private:
  void stroke(int points) {
    if (painter()->pen().style() != Qt::NoPen && widthInDevicePixels() > 1) longest_ = std::max(longest_, points);
  }
  double widthInDevicePixels() const {
    const QPen pen = painter()->pen();
    return pen.isCosmetic() ? pen.widthF() : pen.widthF() * painter()->device()->devicePixelRatioF();
  }

  int longest_ = 0;
  int segments_ = 0;
};

/// A device that paints nothing, with a device pixel ratio.
class LoggedDevice : public QPaintDevice {
 public:
  LoggedDevice(QSize size, double ratio) : size_(size), ratio_(ratio) {}
  QPaintEngine* paintEngine() const override { return &log_; }
  const StrokeLog& log() const { return log_; }

 protected:
  int metric(PaintDeviceMetric metric) const override {
    switch (metric) {
      case PdmWidth:
        return static_cast<int>(size_.width() * ratio_);
      case PdmHeight:
        return static_cast<int>(size_.height() * ratio_);
      case PdmDevicePixelRatio:
        return static_cast<int>(ratio_);
      case PdmDevicePixelRatioScaled:
        return static_cast<int>(ratio_ * devicePixelRatioFScale());
      default:
        return 96;
    }
  }

 private:
  QSize size_;
  double ratio_;
  mutable StrokeLog log_;
};

/// Opens paintAll() to the test.
template <class Chart>
class Opened : public Chart {
 public:
  using Chart::Chart;
  void paintOn(QPaintDevice& device) {
    QPainter painter(&device);
    Chart::paintAll(painter, false);
  }
};

void fill(ScalePlot& plot) {
  for (const auto& s : test::fakeRun(3000)) {
    plot.append(s.step, std::exp2(s.scaleLog2));
    if (s.step % 32 == 0) plot.appendBand(s.step, -3, 17);
    if (s.skipped) plot.addMark({s.step, MarkKind::kSkipped, {}});
    if (s.backOff) plot.addMark({s.step, MarkKind::kBackOff, {}});
    if (s.growth) plot.addMark({s.step, MarkKind::kGrowth, {}});
  }
  plot.setBandSentence(QStringLiteral("safe: no observed gradient overflows"));
}

void fill(LinePlot& plot) {
  plot.addSeries({.name = QStringLiteral("loss"), .unit = QStringLiteral("s"), .meanOf = 41});
  plot.addSeries({.name = QStringLiteral("norm"), .unit = {}});
  for (const auto& s : test::fakeRun(3000)) {
    plot.append(0, s.step, s.loss);
    plot.append(1, s.step, s.gradientNorm);
  }
}

void fill(HeatMap& map) {
  map.setFormat(formats::kFloat16);
  for (int step = 0; step < 300; ++step) map.appendColumn(step, test::fakeStats(-3, 2.5), 16);
}

bool hasInk(const QImage& image, const QRect& rect) {
  const QRgb ground = colors().panel.rgb();
  for (int y = rect.top(); y <= rect.bottom(); ++y) {
    for (int x = rect.left(); x <= rect.right(); ++x) {
      if (image.valid(x, y) && (image.pixel(x, y) & 0xffffff) != (ground & 0xffffff)) return true;
    }
  }
  return false;
}

}  // namespace

class ChartScale : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data() {
    QTest::addColumn<double>("ratio");
    for (const double ratio : {1.0, 1.5, 2.0}) QTest::addRow("scale %.1f", ratio) << ratio;
  }
  void initTestCase() { applyTheme(*qApp, Theme::kLight); }

  // Ink on the outermost row or column of pixels would be a letter or mark that goes on outside.
  void noTextIsCut_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("wide") << QSize(801, 241);
    QTest::newRow("low") << QSize(500, 140);
    QTest::newRow("narrow") << QSize(260, 200);
  }
  void noTextIsCut() {
    QFETCH_GLOBAL(const double, ratio);
    QFETCH(const QSize, size);
    StepAxis axis;
    ScalePlot scale(&axis);
    LinePlot line(&axis);
    fill(scale);
    fill(line);
    for (Plot* plot : {static_cast<Plot*>(&scale), static_cast<Plot*>(&line)}) {
      plot->resize(size);
      axis.setRange({0, 2999});
      const QImage image = plot->toImage(ratio);
      QCOMPARE(image.size(), QSize(static_cast<int>(std::lround(size.width() * ratio)),
                                   static_cast<int>(std::lround(size.height() * ratio))));
      const int right = image.width() - 1;
      const int bottom = image.height() - 1;
      QVERIFY(!hasInk(image, {0, 0, image.width(), 1}));
      QVERIFY(!hasInk(image, {0, bottom, image.width(), 1}));
      QVERIFY(!hasInk(image, {0, 0, 1, image.height()}));
      QVERIFY(!hasInk(image, {right, 0, 1, image.height()}));
      // Labels are there: left of the axis and below it.
      const QRectF area = plot->plotArea();
      const auto device = [ratio](double v) { return static_cast<int>(v * ratio); };
      QVERIFY(hasInk(image, {2, device(area.top()), device(area.left() - 8), device(area.height())}));
      QVERIFY(hasInk(image, {device(area.left()), device(area.bottom() + 6), device(area.width()), device(14)}));
    }
  }

  // The same step stands at the same place, whatever the scale.
  void theLineIsWhereItsValuesAre() {
    QFETCH_GLOBAL(const double, ratio);
    LinePlot plot(nullptr);
    plot.resize(801, 241);
    plot.addSeries({.name = QStringLiteral("v"), .unit = {}});
    for (int i = 0; i < 5000; ++i) plot.append(0, i, i < 2500 ? 10 : 20);
    const QImage image = plot.toImage(ratio);
    for (const auto& [step, value] : {std::pair(1100, 10.0), std::pair(4100, 20.0)}) {
      const int x = static_cast<int>(plot.stepToX(step) * ratio);
      const int y = static_cast<int>(plot.valueToY(value) * ratio);
      const QColor found = image.pixelColor(x, y);
      QVERIFY2(found.lightness() < 160, qPrintable(found.name()));
      QCOMPARE(image.pixelColor(x, y + static_cast<int>(6 * ratio)), colors().panel);
    }
  }

  // A long polyline stroked by a pen wider than a device pixel costs hundreds of times as much as a thin one.
  void noLongLineIsStrokedWide() {
    QFETCH_GLOBAL(const double, ratio);
    const QSize size(800, 240);
    StepAxis axis;
    Opened<ScalePlot> scale(&axis);
    Opened<LinePlot> line(&axis);
    Opened<HeatMap> map(&axis, nullptr);
    fill(scale);
    fill(line);
    fill(map);
    const auto check = [&](auto& chart) {
      chart.resize(size);
      for (const Range range : {Range{0, 2999}, Range{100, 180}}) {
        axis.setRange(range);
        LoggedDevice device(size, ratio);
        chart.paintOn(device);
        QVERIFY2(device.log().longest() <= 12, qPrintable(QString::number(device.log().longest())));
        QVERIFY(device.log().segments() > 0);
      }
    };
    check(scale);
    check(line);
    check(map);
  }
};

BINADE_SUITE(ChartScale);

}  // namespace binade::views

#include "tst_chart_scale.moc"
