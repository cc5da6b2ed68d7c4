// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "tests/views/fake_run.h"
#include "views/gradient_view.h"
#include "views/icons.h"
#include "views/plot/line_plot.h"
#include "views/plot/scale_plot.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace binade::views {

namespace {

/// A tensor with all its values in two binades: most in `binade`, one in a thousand in the one below.
formats::TensorStats twoBinades(int binade) {
  formats::TensorStats stats;
  stats.count = 1000;
  stats.binades[static_cast<std::size_t>(binade - formats::kFirstBinade)] = 999;
  stats.binades[static_cast<std::size_t>(binade - 1 - formats::kFirstBinade)] = 1;
  stats.largest = static_cast<float>(std::ldexp(1.5, binade));
  stats.smallest = static_cast<float>(std::ldexp(1.0, binade - 1));
  return stats;
}

/// The colour at a place in widget coordinates.
QColor at(const QImage& image, double x, double y) {
  const double ratio = image.devicePixelRatio();
  return image.pixelColor(static_cast<int>(x * ratio), static_cast<int>(y * ratio));
}

}  // namespace

class PlotPixels : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data() {
    QTest::addColumn<int>("theme");
    QTest::addColumn<double>("ratio");
    QTest::newRow("light") << static_cast<int>(Theme::kLight) << 1.0;
    QTest::newRow("dark") << static_cast<int>(Theme::kDark) << 1.0;
    QTest::newRow("light at scale 2") << static_cast<int>(Theme::kLight) << 2.0;
  }

  void theScaleLineStandsAtItsExponent() {
    const double ratio = begin();
    StepAxis axis;
    ScalePlot plot(&axis);
    plot.resize(800, 268);
    for (int i = 0; i < 100; ++i) plot.append(i, i < 50 ? 65536 : 32768);
    const QImage image = plot.toImage(ratio);
    QCOMPARE(at(image, plot.stepToX(25), plot.valueToY(16)), colors().dataLine);
    QCOMPARE(at(image, plot.stepToX(75), plot.valueToY(15)), colors().dataLine);
    QVERIFY(at(image, plot.stepToX(75), plot.valueToY(16)) != colors().dataLine);
    // The drop itself, between 49 and 50.
    int dark = 0;
    for (double x = plot.stepToX(49); x <= plot.stepToX(50.4); x += 0.5) {
      dark += at(image, x, plot.valueToY(15.5)) == colors().dataLine;
    }
    QVERIFY(dark > 0);
  }

  void aPolicyEditIsADashedLineOverTheHeatMap() {
    const double ratio = begin();
    StepAxis axis;
    HeatMap map(&axis, nullptr);
    map.resize(800, 260);
    for (int i = 0; i < 100; ++i) map.appendColumn(i, twoBinades(-3), 0);
    map.addMark({50, MarkKind::kPolicyEdit, {}});
    const QImage image = map.toImage(ratio);
    int indigo = 0;
    int other = 0;
    for (double y = map.plotArea().top() + 1; y < map.plotArea().bottom() - 1; y += 1) {
      ++(at(image, std::round(map.stepToX(50)), y) == colors().indigo ? indigo : other);
    }
    QVERIFY2(indigo > 60 && other > 40, qPrintable(QStringLiteral("%1 of %2").arg(indigo).arg(indigo + other)));
  }

  // Growths and losses that are not finite stand at the top of the data, words and flags of edits above.
  void noMarkCoversTheWordsOfAnEdit() {
    const double ratio = begin();
    for (const QSize size : {QSize(800, 260), QSize(400, 140), QSize(220, 140)}) {
      const auto scale = [&](bool edit, bool marks) {
        StepAxis axis;
        ScalePlot plot(&axis);
        plot.resize(size);
        for (int i = 0; i < 100; ++i) plot.append(i, 65536);
        if (edit) plot.addMark({20, MarkKind::kPolicyEdit, QStringLiteral("fc1 in float32, fc2 in bfloat16")});
        for (int i = 20; marks && i < 100; i += 3) plot.addMark({i, MarkKind::kGrowth, {}});
        return plot.toImage(ratio);
      };
      const auto loss = [&](bool edit, bool marks) {
        StepAxis axis;
        LinePlot plot(&axis);
        plot.resize(size);
        plot.addSeries({QStringLiteral("loss"), {}, 0, {}, {}});
        for (int i = 0; i < 100; ++i) {
          plot.append(0, i, marks && i >= 20 && i < 99 ? std::numeric_limits<double>::quiet_NaN() : 1);
        }
        if (edit) plot.addMark({20, MarkKind::kPolicyEdit, QStringLiteral("fc1 in float32, fc2 in bfloat16")});
        return plot.toImage(ratio);
      };
      StepAxis axis;
      ScalePlot same(&axis);
      same.resize(size);
      const double data = same.plotArea().top();
      const auto ink = [&](const QImage& without, const QImage& with, const QImage& marked) {
        int words = 0;
        int covered = 0;
        constexpr double kEdits = 18;  // px above the data; higher up is the legend
        for (int y = static_cast<int>((data - kEdits) * ratio); y < without.height() / 2; ++y) {
          for (int x = 0; x < without.width(); ++x) {
            // Below the row of the edits there is only the dashed line, which marks may cover.
            if (without.pixel(x, y) == with.pixel(x, y)) continue;
            if (y / ratio >= data && std::abs(x / ratio - same.stepToX(20)) < 2) continue;
            ++words;
            covered += marked.pixel(x, y) != with.pixel(x, y);
          }
        }
        return std::pair(words, covered);
      };
      for (int i = 0; i < 100; ++i) same.append(i, 65536);
      for (const auto& [words, covered] : {ink(scale(false, false), scale(true, false), scale(true, true)),
                                           ink(loss(false, false), loss(true, false), loss(true, true))}) {
        QVERIFY2(words > 100 && covered == 0, qPrintable(QStringLiteral("%1 × %2: %3 of %4 pixels are covered")
                                                             .arg(size.width())
                                                             .arg(size.height())
                                                             .arg(covered)
                                                             .arg(words)));
      }
    }
  }

  // float16 ends at 65,504: the words stand in the binade below, where a bar may be the longest.
  void noBarCoversTheWordsOfTheWindow() {
    begin();
    for (const int wide : {140, 240, 600}) {
      for (const int binade : {15, -15, -25}) {
        BinadeAxis binades;
        Histogram histogram(&binades);
        histogram.resize(wide, 280);
        histogram.setFormat(formats::kFloat16);
        histogram.setStats(twoBinades(binade), 0, 0);
        const QImage image = histogram.grab().toImage();
        const QRectF words = histogram.labelColumn();
        QVERIFY(words.width() > 30 && words.width() <= 0.6 * histogram.plotArea().width() + 0.01);
        const double y = (histogram.binadeToY(binade) + histogram.binadeToY(binade + 1)) / 2;
        const auto isBar = [&](double x) {
          const QColor colour = at(image, x, y);
          return colour == colors().dataLine || colour == colors().crimson;
        };
        QVERIFY(isBar(histogram.plotArea().left() + 3));
        for (double x = words.left() + 1; x < words.right(); x += 0.5)
          QVERIFY2(!isBar(x), qPrintable(QString::number(x)));
      }
    }
  }

  void theCursorIsIndigoInEveryTheme() {
    const double ratio = begin();
    StepAxis axis;
    LinePlot plot(&axis);
    plot.resize(800, 260);
    plot.addSeries({QStringLiteral("loss"), {}, 0, {}, {}});
    for (int i = 0; i < 100; ++i) plot.append(0, i, 1);
    axis.setCursor(40);
    const QImage image = plot.toImage(ratio);
    QCOMPARE(at(image, std::round(plot.stepToX(40)), plot.valueToY(0.5)), colors().indigo);
  }

  void aSkippedStepIsCrimsonOnTheStrip() {
    const double ratio = begin();
    StepAxis axis;
    ScalePlot plot(&axis);
    plot.resize(800, 260);
    for (int i = 0; i < 100; ++i) plot.append(i, 65536);
    plot.addMark({50, MarkKind::kSkipped, {}});
    const QImage image = plot.toImage(ratio);
    QCOMPARE(at(image, plot.stepToX(50), plot.plotArea().bottom() - 8), colors().crimson);
    QVERIFY(at(image, plot.stepToX(60), plot.plotArea().bottom() - 8) != colors().crimson);
  }

  void nonFiniteLossesStandAsSquares() {
    const double ratio = begin();
    LinePlot plot(nullptr);
    plot.resize(800, 260);
    plot.addSeries({QStringLiteral("loss"), {}, 0, {}, {}});
    for (int i = 0; i < 2000; ++i) {
      plot.append(0, i, i == 1000 ? std::numeric_limits<double>::quiet_NaN() : 1);
    }
    const QImage image = plot.toImage(ratio);
    int crimson = 0;
    for (int x = static_cast<int>(plot.stepToX(1000)) - 8; x < plot.stepToX(1000) + 9; ++x) {
      crimson += at(image, x, plot.plotArea().top() + 5) == colors().crimson;
    }
    QVERIFY(crimson >= 6);
    QVERIFY(at(image, plot.stepToX(300), plot.plotArea().top() + 5) != colors().crimson);
  }

  void cellsOfTheHeatMapHaveTheColourOfTheirShare() {
    const double ratio = begin();
    HeatMap map(nullptr, nullptr);
    map.setFormat(std::nullopt);
    map.resize(600, 400);
    for (int i = 0; i < 100; ++i) {
      if (i < 40 || i >= 60) map.appendColumn(i, twoBinades(-3), 16);
    }
    const QImage image = map.toImage(ratio);
    const auto cell = [&](double step, double binade) {
      return at(image, map.stepToX(step), map.valueToY(binade + 0.5));
    };
    QCOMPARE(cell(20, -3), heatColor(1));
    QCOMPARE(cell(20, -4), heatColor(HeatColumns::heatOf(0.001, 1000) / 255.0));
    QCOMPARE(cell(20, -2), colors().panel);
    // Not observed: hatched, never the colour of a share and never plain zero all the way down.
    int hatched = 0;
    for (double y = map.plotArea().top() + 10; y < map.plotArea().bottom() - 10; y += 1) {
      const QColor color = at(image, map.stepToX(50), y);
      QVERIFY(color != heatColor(1));
      hatched += color != colors().panel;
    }
    QVERIFY(hatched > 20);
  }

  void theSharesOfSmallTensorsTooAreToldApart() {
    // One value of 72 can be seen, a quarter of them is not yet the darkest, and half is.
    const std::uint8_t one = HeatColumns::heatOf(1.0 / 72, 72);
    const std::uint8_t quarter = HeatColumns::heatOf(0.25, 72);
    QVERIFY(one >= 48 && one < 100);
    QVERIFY(quarter > one + 60 && quarter < 255);
    QCOMPARE(HeatColumns::heatOf(0.5, 72), std::uint8_t{255});
    // Of a large tensor the same share is far from the faintest.
    QVERIFY(HeatColumns::heatOf(1.0 / 72, 1e6) > one + 60);
    QCOMPARE(HeatColumns::heatOf(0, 72), std::uint8_t{0});
    QVERIFY(HeatColumns::heatOf(1e-9, 1e9) > 0);
  }

  void aMapOfZerosSaysSoInItsMiddle() {
    const double ratio = begin();
    HeatMap map(nullptr, nullptr);
    map.resize(600, 400);
    QVERIFY(map.emptyReason().isEmpty());  // without a tensor it shows the other text
    formats::TensorStats zeros;
    zeros.count = 1000;
    zeros.zero = 1000;
    map.appendColumn(0, zeros, 0);
    map.appendColumn(1, zeros, 0);
    QCOMPARE(map.emptyReason(), QStringLiteral("All values are 0"));
    const QImage image = map.toImage(ratio);
    int inked = 0;
    for (double x = 150; x < 450; x += 1) {
      for (double y = 150; y < 230; y += 1)
        inked += std::abs(at(image, x, y).lightness() - colors().text.lightness()) < 60;
    }
    QVERIFY(inked > 20);
    map.appendColumn(2, twoBinades(-3), 0);
    QVERIFY(map.emptyReason().isEmpty());
  }

  void theWindowOfFloat16StandsAtItsLimits() {
    const double ratio = begin();
    HeatMap map(nullptr, nullptr);
    map.setFormat(formats::kFloat16);
    map.resize(600, 400);
    for (int i = 0; i < 100; ++i) map.appendColumn(i, twoBinades(0), 16);
    const QImage image = map.toImage(ratio);
    const QColor orange = formatColor(formats::kFloat16);
    QCOMPARE(at(image, map.stepToX(70), std::round(map.valueToY(16))), orange);
    QCOMPARE(at(image, map.stepToX(70), std::round(map.valueToY(-25))), orange);
    QVERIFY(at(image, map.stepToX(70), map.valueToY(10)) != orange);
  }

  void unscaledValuesMoveTheWindowWithTheScale() {
    const double ratio = begin();
    HeatMap map(nullptr, nullptr);
    map.setFormat(formats::kFloat16);
    map.setValues(HeatMap::Values::kUnscaled);
    map.resize(600, 400);
    for (int i = 0; i < 100; ++i) map.appendColumn(i, twoBinades(i < 50 ? -4 : -6), i < 50 ? 10 : 8);
    const QImage image = map.toImage(ratio);
    const QColor orange = formatColor(formats::kFloat16);
    // The values are the same throughout; the overflow line is 2 binades higher under the smaller scale.
    QCOMPARE(at(image, map.stepToX(20), map.valueToY(-13.5)), heatColor(1));
    QCOMPARE(at(image, map.stepToX(80), map.valueToY(-13.5)), heatColor(1));
    QCOMPARE(at(image, map.stepToX(30), std::round(map.valueToY(6))), orange);
    QCOMPARE(at(image, map.stepToX(80), std::round(map.valueToY(8))), orange);
  }

  void mergedColumnsKeepTheGreatestHeat() {
    HeatColumns columns;
    for (int i = 0; i < 100'000; ++i) columns.append(i, twoBinades(i == 54'321 ? 9 : -3), 0);
    const auto row = static_cast<std::size_t>(9 - formats::kFirstBinade);
    QCOMPARE(columns.query(0, 100'000).heat[row], std::uint8_t{255});
    QCOMPARE(columns.query(54'272, 54'400).heat[row], std::uint8_t{255});
    QCOMPARE(columns.query(10'000, 20'000).heat[row], std::uint8_t{0});
    QVERIFY(columns.at(99'999) && !columns.at(54'321));
    QVERIFY(columns.query(100, 200).valid());
  }

  void draggingTheHandleMovesTheWindow() {
    begin();
    BinadeAxis binades;
    Histogram histogram(&binades);
    histogram.setFormat(formats::kFloat16);
    histogram.setStats(test::fakeStats(-3, 2.5), 10, 16);
    histogram.resize(240, 400);
    histogram.show();
    QVERIFY(QTest::qWaitForWindowExposed(&histogram));
    QSignalSpy spy(&histogram, &Histogram::whatIfChanged);
    const QPoint from = histogram.handle().center().toPoint();
    const double binade = histogram.binadeToY(0) - histogram.binadeToY(1);
    QTest::mousePress(&histogram, Qt::LeftButton, {}, from);
    QTest::mouseMove(&histogram, from - QPoint(0, static_cast<int>(std::lround(3 * binade))));
    QTest::mouseRelease(&histogram, Qt::LeftButton, {}, from - QPoint(0, static_cast<int>(std::lround(3 * binade))));
    QVERIFY(spy.count() >= 1);
    QCOMPARE(spy.last().first().toInt(), 13);
    QCOMPARE(*histogram.whatIf(), 13);
    const QImage image = histogram.grab().toImage();
    QCOMPARE(at(image, 60, std::round(histogram.binadeToY(16 + 3))), formatColor(formats::kFloat16));
    QTest::keyClick(&histogram, Qt::Key_Down);
    QCOMPARE(*histogram.whatIf(), 14);
    QTest::keyClick(&histogram, Qt::Key_Home);
    QVERIFY(!histogram.whatIf());
  }

  void sliderHandleAndSharesMoveTogether() {
    begin();
    GradientView view(nullptr);
    view.resize(660, 560);
    view.appendColumn(10, test::fakeStats(-3, 2.5), 16);
    view.showStats(test::fakeStats(-3, 2.5), 10, 16);
    view.setScaleSettable(true);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    // One axis: the same binade on the same line in both charts.
    const QPoint heat(0, static_cast<int>(view.heatMap()->valueToY(0)));
    const QPoint bars(0, static_cast<int>(view.histogram()->binadeToY(0)));
    QCOMPARE(view.heatMap()->mapTo(&view, heat).y(), view.histogram()->mapTo(&view, bars).y());

    const double before = view.shares()->shares(0)->overflow;
    view.slider()->setValue(30);
    QCOMPARE(*view.histogram()->whatIf(), 30);
    QVERIFY(view.shares()->shares(0)->overflow > before);
    QTest::keyClick(view.histogram(), Qt::Key_Up);
    QCOMPARE(view.slider()->value(), 29);
    QSignalSpy asked(&view, &GradientView::setScaleRequested);
    auto* button = view.findChild<QPushButton*>();
    QVERIFY(button->isEnabled());
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(asked.first().first().toInt(), 29);
    view.showStats(test::fakeStats(-3, 2.5), 11, 29);
    QVERIFY(!view.histogram()->whatIf());
    QVERIFY(!button->isEnabled());
  }

  void everyIconHasInkInTheThemesColour() {
    begin();
    for (const QString& name : iconNames()) {
      const QImage image = icon(name).pixmap(QSize(32, 32)).toImage();
      int ink = 0;
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) ink += image.pixelColor(x, y) == colors().text;
      }
      QVERIFY2(ink > 8, qPrintable(name));
    }
    QVERIFY(icon(QStringLiteral("no such icon")).isNull());
    QVERIFY(!programIcon().pixmap(64, 64).isNull());
  }

  void textKeepsItsContrastOnEveryGround() {
    begin();
    const auto luminance = [](const QColor& color) {
      const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
      return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
    };
    const auto contrast = [&](const QColor& a, const QColor& b) {
      const double x = luminance(a) + 0.05;
      const double y = luminance(b) + 0.05;
      return std::max(x, y) / std::min(x, y);
    };
    const Colors& c = colors();
    for (const QColor& ground : {c.panel, c.otherRow, c.bar}) {
      for (const QColor& text : {c.text, c.secondText, c.thirdText, c.crimson, c.indigo}) {
        QVERIFY2(contrast(text, ground) >= 4.5, qPrintable(text.name() + ground.name()));
      }
    }
    for (const QColor& text : {c.text, c.secondText}) QVERIFY(contrast(text, c.selectedRow) >= 4.5);
  }

 private:
  /// Applies the theme of this row; returns its device pixel ratio.
  double begin() {
    QFETCH_GLOBAL(int, theme);
    QFETCH_GLOBAL(double, ratio);
    applyTheme(*qApp, static_cast<Theme>(theme));
    return ratio;
  }
};

BINADE_SUITE(PlotPixels);

}  // namespace binade::views

#include "tst_plot_pixels.moc"
