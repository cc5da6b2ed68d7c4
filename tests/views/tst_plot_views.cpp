// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "views/plot/heat_map.h"
#include "views/plot/line_plot.h"
#include "views/plot/scale_plot.h"

#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QMimeData>
#include <QSignalSpy>

#include <cmath>

namespace binade::views {

namespace {

constexpr QSize kSize{900, 260};

void show(QWidget& widget) {
  widget.resize(kSize);
  widget.show();
  QVERIFY(QTest::qWaitForWindowExposed(&widget));
}

/// Two series over 1,000 steps: `half` is half of the step, `minus` its negative.
void fillViews(LinePlot& plot) {
  plot.addSeries({.name = QStringLiteral("half"), .unit = {}});
  plot.addSeries({.name = QStringLiteral("minus"), .unit = {}});
  for (int step = 0; step < 1000; ++step) {
    plot.append(0, step, step / 2.0);
    plot.append(1, step, -step);
  }
}

QPoint placeOf(const LinePlot& plot, int part) {
  return plot.legendRect(part).center().toPoint();
}

/// What the header and the axis of a chart say.
class Labelled : public LinePlot {
 public:
  using LinePlot::legend;
  using LinePlot::LinePlot;
  using LinePlot::nowText;
  using LinePlot::standingPart;
  using LinePlot::valueTicks;
};

int indigoAt(const Plot& plot, const QImage& image, std::int64_t step) {
  int count = 0;
  const int x = static_cast<int>(std::lround(plot.stepToX(static_cast<double>(step))));
  for (int y = 0; y < image.height(); ++y) count += image.pixelColor(x, y) == colors().indigo ? 1 : 0;
  return count;
}

}  // namespace

class PlotViews : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void altLeftShowsTheViewBeforeTheZoom() {
    StepAxis axis;
    LinePlot plot(&axis);
    fillViews(plot);
    show(plot);
    const Range all = axis.range();
    const Range values = plot.valueRange();
    QTest::mousePress(&plot, Qt::LeftButton, Qt::ShiftModifier, {300, 90});
    QTest::mouseMove(&plot, {400, 120});
    QTest::mouseMove(&plot, {500, 150});
    QTest::mouseRelease(&plot, Qt::LeftButton, Qt::ShiftModifier, {500, 150});
    const Range zoomed = axis.range();
    const Range zoomedValues = plot.valueRange();
    QVERIFY(zoomed.span() < all.span() / 2 && zoomedValues.span() < values.span());
    QTest::keyClick(&plot, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(axis.range(), all);
    QCOMPARE(plot.valueRange(), values);
    QCOMPARE(axis.mode(), StepAxis::Mode::kAll);
    QTest::keyClick(&plot, Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(axis.range(), zoomed);
    QCOMPARE(plot.valueRange(), zoomedValues);
    // The step under the cursor has not moved: these keys have Alt.
    QVERIFY(!axis.cursor());
  }

  void theMousesBackButtonGoesBackInEveryLinkedChart() {
    StepAxis axis;
    LinePlot plot(&axis);
    ScalePlot other(&axis);
    fillViews(plot);
    for (int i = 0; i < 1000; ++i) other.append(i, 65536);
    show(plot);
    show(other);
    const Range all = axis.range();
    QTest::keyClick(&plot, Qt::Key_Plus);
    const Range once = axis.range();
    QTest::keyClick(&plot, Qt::Key_Plus);
    QTest::mouseClick(&other, Qt::BackButton, {}, {400, 120});
    QCOMPARE(axis.range(), once);
    QTest::mouseClick(&plot, Qt::BackButton, {}, {400, 120});
    QCOMPARE(axis.range(), all);
    QVERIFY(!axis.canGoBack());
    QTest::mouseClick(&other, Qt::ForwardButton, {}, {400, 120});
    QCOMPARE(axis.range(), once);
    // Another change forgets what was left.
    QTest::keyClick(&plot, Qt::Key_F);
    QVERIFY(!axis.canGoForward());
  }

  void aViewThatFollowsTheRunFollowsItAgain() {
    StepAxis axis;
    axis.extend(0);
    axis.extend(1000);
    axis.remember();
    axis.setRange({100, 200});
    axis.extend(2000);
    axis.back();
    QVERIFY(axis.followsLatest());
    QVERIFY(axis.range().contains(2000));
  }

  void onlyTheLatestViewsAreKept() {
    StepAxis axis;
    axis.extend(0);
    axis.extend(100'000);
    for (int i = 0; i < 500; ++i) {
      axis.remember();
      axis.setRange({i * 10.0, i * 10.0 + 100});
    }
    int steps = 0;
    for (; axis.canGoBack(); ++steps) axis.back();
    QVERIFY2(steps <= 100, qPrintable(QString::number(steps)));
  }

  void twoPinnedStepsShowTheirDifferenceInAllCharts() {
    StepAxis axis;
    LinePlot plot(&axis);
    ScalePlot scale(&axis);
    fillViews(plot);
    for (int i = 0; i < 1000; ++i) scale.append(i, i < 500 ? 65536 : 16384);
    show(plot);
    show(scale);
    axis.setCursor(200);
    QTest::keyClick(&plot, Qt::Key_P);
    QCOMPARE(axis.pins(), (std::vector<std::int64_t>{200}));
    QVERIFY(plot.pinnedLines().isEmpty());
    // The second one with the mouse, in the other chart.
    const QPoint at(static_cast<int>(std::lround(scale.stepToX(600))), 100);
    QTest::mouseClick(&scale, Qt::LeftButton, Qt::ControlModifier, at);
    QCOMPARE(axis.pins().size(), std::size_t{2});
    axis.clearPins();
    axis.togglePin(200);
    axis.togglePin(600);
    QCOMPARE(plot.pinnedLines(),
             (QStringList{QStringLiteral("A 200 → B 600: +400 steps"), QStringLiteral("half: 100 → 300 (+200)"),
                          QStringLiteral("minus: −200 → −600 (−400)")}));
    QCOMPARE(scale.pinnedLines().last(), QStringLiteral("scale: 2¹⁶ → 2¹⁴ (÷ 4)"));
    axis.clearCursor();
    for (Plot* each : {static_cast<Plot*>(&plot), static_cast<Plot*>(&scale)}) {
      const QImage image = each->toImage();
      QVERIFY(indigoAt(*each, image, 200) > 50 && indigoAt(*each, image, 600) > 50);
      QVERIFY(each->accessibleDescription().contains(QStringLiteral("A 200 → B 600")));
    }
    // A third one replaces B; a pinned step is removed; Shift+P removes all.
    axis.togglePin(700);
    QCOMPARE(axis.pins(), (std::vector<std::int64_t>{200, 700}));
    axis.setCursor(200);
    QTest::keyClick(&plot, Qt::Key_P);
    QCOMPARE(axis.pins(), (std::vector<std::int64_t>{700}));
    QTest::keyClick(&plot, Qt::Key_P, Qt::ShiftModifier);
    QVERIFY(axis.pins().empty());
  }

  void aClickOnTheLegendHidesASeries() {
    StepAxis axis;
    LinePlot plot(&axis);
    fillViews(plot);
    show(plot);
    const Range both = plot.valueRange();
    QTest::mouseClick(&plot, Qt::LeftButton, {}, placeOf(plot, LinePlot::partOf(1)));
    QVERIFY(plot.isPartHidden(LinePlot::partOf(1)));
    QVERIFY(!axis.cursor());  // the click was for the legend only
    QVERIFY(!plot.valuesAt(500).contains(QStringLiteral("minus")));
    QVERIFY(plot.valueRange().low >= 0 && both.low < 0);
    const QColor hidden = seriesColor(1);
    const QImage image = plot.toImage();
    const QRect area = plot.plotArea().toRect();
    for (int x = area.left(); x < area.right(); ++x) {
      for (int y = area.top(); y < area.bottom(); ++y) QVERIFY(image.pixelColor(x, y) != hidden);
    }
    QTest::mouseClick(&plot, Qt::LeftButton, {}, placeOf(plot, LinePlot::partOf(1)));
    QVERIFY(!plot.isPartHidden(LinePlot::partOf(1)));
    QCOMPARE(plot.valueRange(), both);
  }

  // Series with means: each is named once, and the header says whose value it shows.
  void severalSeriesAreNamedOnceAndShareTheirUnit() {
    StepAxis axis;
    Labelled plot(&axis);
    for (const char* name : {"rank 0", "rank 1"}) {
      plot.addSeries({.name = QString::fromUtf8(name), .unit = QStringLiteral("s"), .meanOf = 41});
    }
    for (int step = 0; step < 200; ++step) {
      plot.append(0, step, 1 + step % 2);
      plot.append(1, step, 5);
    }
    show(plot);
    QStringList names;
    for (const auto& entry : plot.legend()) names << entry.text;
    QCOMPARE(names.count(QStringLiteral("rank 0")), 1);
    QCOMPARE(names.filter(QStringLiteral("rank")).size(), 2);
    QCOMPARE(names.filter(QStringLiteral("mean of 41")).size(), 1);
    QVERIFY(plot.valueTicks(5).back().label.endsWith(QStringLiteral(" s")));
    QCOMPARE(plot.standingPart()->second, QStringLiteral("rank 0"));
    plot.choosePart(LinePlot::partOf(1));
    QCOMPARE(plot.standingPart()->second, QStringLiteral("rank 1"));
    QVERIFY(plot.nowText().startsWith(u'5'));
    plot.choosePart(std::nullopt);
    // A hidden series takes its mean with it, and is not the one in the header.
    const Range both = plot.valueRange();
    plot.setPartHidden(LinePlot::partOf(1), true);
    QVERIFY(plot.valueRange().high < both.high);
    QVERIFY(!plot.valuesAt(100).contains(QStringLiteral("rank 1")));
    plot.setPartHidden(LinePlot::partOf(0), true);
    plot.setPartHidden(LinePlot::partOf(1), false);
    QCOMPARE(plot.standingPart()->second, QStringLiteral("rank 1"));
    // Different units have no place at one axis.
    plot.addSeries({.name = QStringLiteral("loss"), .unit = {}});
    QVERIFY(!plot.valueTicks(5).back().label.endsWith(QStringLiteral(" s")));
    plot.keepSeries(1);
    QVERIFY(!plot.standingPart());
    names.clear();
    for (const auto& entry : plot.legend()) names << entry.text;
    QVERIFY(names.contains(QStringLiteral("each step")) && names.contains(QStringLiteral("mean of 41")));
  }

  void arrowKeysChooseASeriesAndScreenReadersHearItsValue() {
    StepAxis axis;
    LinePlot plot(&axis);
    fillViews(plot);
    show(plot);
    plot.setFocus();
    axis.setCursor(300);
    QTest::keyClick(&plot, Qt::Key_Down);
    QCOMPARE(*plot.chosenPart(), LinePlot::partOf(0));
    QAccessibleInterface* access = QAccessible::queryAccessibleInterface(&plot);
    const auto description = [&] { return access->text(QAccessible::Description); };
    QVERIFY2(description().startsWith(QStringLiteral("half, series 1 of 2, step 300: 150")), qPrintable(description()));
    QTest::keyClick(&plot, Qt::Key_Down);
    QVERIFY(description().startsWith(QStringLiteral("minus, series 2 of 2, step 300: −300")));
    QTest::keyClick(&plot, Qt::Key_Right);
    QVERIFY(description().startsWith(QStringLiteral("minus, series 2 of 2, step 301: −301")));
    QTest::keyClick(&plot, Qt::Key_H);
    QVERIFY(plot.isPartHidden(LinePlot::partOf(1)));
    QVERIFY(description().contains(QStringLiteral("hidden")));
    QTest::keyClick(&plot, Qt::Key_H);
    QTest::keyClick(&plot, Qt::Key_Up);
    QTest::keyClick(&plot, Qt::Key_Up);
    QVERIFY(!plot.chosenPart());
    // Without a choice, all values at the cursor.
    QVERIFY2(description().startsWith(QStringLiteral("Step 301: half 151, minus −301")), qPrintable(description()));
  }

  void aNoteIsAFlagAndIsAskedForByKey() {
    StepAxis axis;
    LinePlot plot(&axis);
    fillViews(plot);
    show(plot);
    QSignalSpy asked(&axis, &StepAxis::noteRequested);
    axis.setCursor(400);
    QTest::keyClick(&plot, Qt::Key_N);
    QCOMPARE(asked.count(), 0);  // nobody takes notes
    axis.setTakesNotes(true);
    QTest::keyClick(&plot, Qt::Key_N);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.first().first().toLongLong(), 400);
    axis.clearCursor();
    const QImage without = plot.toImage();
    axis.setNotes({{400, QStringLiteral("new data")}});
    const QImage with = plot.toImage();
    QCOMPARE(indigoAt(plot, without, 400), 0);
    QVERIFY(indigoAt(plot, with, 400) > 20);
    // A click on the flag moves the cursor there, and opens no event.
    QSignalSpy marks(&plot, &Plot::markActivated);
    const QPoint flag(static_cast<int>(plot.stepToX(400)) - 4, static_cast<int>(plot.plotArea().top()) - 9);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, flag);
    QCOMPARE(*axis.cursor(), std::int64_t{400});
    QCOMPARE(marks.count(), 0);
  }

  void controlCCopiesImageAndValues() {
    StepAxis axis;
    LinePlot plot(&axis);
    fillViews(plot);
    show(plot);
    axis.setRange({10, 19.5});
    QTest::keyClick(&plot, Qt::Key_C, Qt::ControlModifier);
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    QVERIFY(data && data->hasImage() && data->hasText());
    QCOMPARE(qvariant_cast<QImage>(data->imageData()).size(), plot.size() * 2);
    const QStringList lines = data->text().split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    QCOMPARE(lines.first(), QStringLiteral("step,half,minus"));
    QCOMPARE(lines[1], QStringLiteral("10,5,-10"));
    QCOMPARE(lines.size(), 1 + 10);
  }

  void aSymlogAxisShowsBothSignsAndZero() {
    LinePlot plot(nullptr);
    plot.addSeries({.name = QStringLiteral("v"), .unit = {}});
    plot.resize(kSize);
    const std::vector<double> values{-1000, -10, -0.1, 0, 0.1, 10, 1000};
    for (std::size_t i = 0; i < values.size(); ++i) plot.append(0, static_cast<std::int64_t>(i), values[i]);
    QSignalSpy chosen(&plot, &LinePlot::axisKindChanged);
    plot.setAxisKind(ValueScale::Kind::kSymlog);
    plot.setAxisKind(ValueScale::Kind::kSymlog);
    QCOMPARE(chosen.count(), 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double y = plot.valueToY(values[i]);
      QVERIFY(plot.plotArea().contains(QPointF(100, y)));
      if (i > 0) QVERIFY(y < plot.valueToY(values[i - 1]) - 5);
      QVERIFY(std::fabs(plot.yToValue(y) - values[i]) <= 1e-6 * std::fabs(values[i]) + 1e-9);
    }
    // Symmetric, and a decade has about the same height anywhere outside of the linear part.
    QVERIFY(std::fabs(plot.valueToY(0) - (plot.valueToY(10) + plot.valueToY(-10)) / 2) < 1e-6);
    const double decade = plot.valueToY(10) - plot.valueToY(100);
    QVERIFY(std::fabs(plot.valueToY(100) - plot.valueToY(1000) - decade) < 0.1 * decade);
  }

  void theLabelsOfASymlogAxisArePowersOfTenAndZero() {
    const ValueScale scale = symlogFor({-2000, 2000});
    QCOMPARE(scale.linear(), 0.1);
    QStringList labels;
    for (const Tick& tick : symlogTicks({-2000, 2000}, scale, 12)) labels << tick.label;
    QCOMPARE(labels,
             (QStringList{QStringLiteral("−1,000"), QStringLiteral("−100"), QStringLiteral("−10"), QStringLiteral("−1"),
                          QStringLiteral("−0.1"), QStringLiteral("0"), QStringLiteral("0.1"), QStringLiteral("1"),
                          QStringLiteral("10"), QStringLiteral("100"), QStringLiteral("1,000")}));
    QCOMPARE(symlogFor({0.002, 3}).linear(), 0.001);
    QCOMPARE(symlogFor({0, 0}).linear(), 1.0);
  }

  void theHighestValueHasHeadRoom() {
    for (const double most : {0.97, 1.0, 2.0, 5.0, 1234.0}) {
      LinePlot plot(nullptr);
      plot.addSeries({.name = QStringLiteral("v"), .unit = {}});
      for (int i = 0; i < 50; ++i) plot.append(0, i, most * i / 49);
      QCOMPARE(plot.valueRange().low, 0.0);
      QVERIFY2(plot.valueRange().high >= 1.049 * most, qPrintable(QString::number(most)));
    }
  }

  void everyBinadeAxisHasThreeLabels() {
    for (const int most : {1, 2, 3, 8}) {
      for (const Range range : {Range{5, 27}, Range{7, 17}, Range{-3, 30}, Range{14.5, 18}}) {
        QVERIFY(binadeTicks(range, most).size() >= 3);
      }
    }
  }

  // Where an edge of the safe band lies beyond the axis, a person sees in which direction it goes on, and how far.
  void anEdgeBeyondTheAxisHasAnArrow() {
    const auto picture = [](double low) {
      ScalePlot plot(nullptr);
      plot.resize(kSize);
      for (int i = 0; i < 200; ++i) {
        plot.append(i, 65536);
        plot.appendBand(i, low, 17);
      }
      return std::pair(plot.toImage(), plot.plotArea());
    };
    const auto inked = [](const std::pair<QImage, QRectF>& shown) {
      int count = 0;
      const int left = static_cast<int>(shown.second.left()) + 5;
      const int bottom = static_cast<int>(shown.second.bottom());
      for (int y = bottom - 40; y < bottom - 16; ++y) {
        for (int x = left; x < left + 100; ++x) count += shown.first.pixelColor(x, y).lightness() < 140 ? 1 : 0;
      }
      return count;
    };
    QVERIFY(inked(picture(-20)) > 60);
    QVERIFY(inked(picture(12)) < 10);
  }

  // The range is kept between frames, and computed anew once any of its data change.
  void theAxisOfScalesFollowsItsData() {
    ScalePlot plot(nullptr);
    for (int i = 0; i < 100; ++i) plot.append(i, 65536);
    const Range without = plot.valueRange();
    plot.appendBand(5, 9, 17);
    const double low = plot.valueRange().low;
    QVERIFY(low < without.low);
    plot.clearBand();
    QVERIFY(plot.valueRange() == without);
    plot.appendBand(5, 15, 17);  // as many samples as before, of other values
    QVERIFY(plot.valueRange().low > low);
    plot.appendOther(QStringLiteral("second"), 5, 2);
    QVERIFY(plot.valueRange().low < without.low);
    plot.clear();
    plot.append(0, 1024);
    QVERIFY(plot.valueRange().high < without.high);
  }

  void aSourceOfScalesIsDrawnLikeACopy() {
    Series run;
    ScalePlot plot(nullptr);
    ScalePlot copy(nullptr);
    plot.setSource(&run);
    for (int i = 0; i < 3000; ++i) {
      const double scale = std::exp2(10 + i / 400 - (i % 700 == 0 ? 3 : 0));
      run.append(7 + i, std::log2(scale));
      copy.append(7 + i, scale);
    }
    plot.followSource();
    for (ScalePlot* each : {&plot, &copy}) {
      each->resize(kSize);
      each->addMark({1500, MarkKind::kSkipped, QString()});
      each->addMark({1500, MarkKind::kBackOff, QString()});
    }
    QVERIFY(plot.valueRange() == copy.valueRange());
    QCOMPARE(plot.csv(), copy.csv());
    QCOMPARE(plot.toImage(), copy.toImage());
    // A source that is taken away leaves the chart empty.
    plot.setSource(nullptr);
    QVERIFY(plot.series().empty());
  }

  void theContextMenuOffersAxisPinsAndSeries() {
    StepAxis axis;
    LinePlot plot(&axis);
    fillViews(plot);
    show(plot);
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {10, 10}, plot.mapToGlobal(QPoint(10, 10)));
    QApplication::sendEvent(&plot, &event);
    auto* menu = plot.findChild<QMenu*>();
    QVERIFY(menu);
    const auto find = [menu](const QString& text) {
      for (QAction* action : menu->actions()) {
        if (action->text().startsWith(text)) return action;
      }
      return static_cast<QAction*>(nullptr);
    };
    QVERIFY(find(QStringLiteral("Previous view")) && !find(QStringLiteral("Previous view"))->isEnabled());
    QVERIFY(find(QStringLiteral("Pin step 999")));
    QVERIFY(!find(QStringLiteral("Write a note")));
    find(QStringLiteral("Logarithmic axis"))->trigger();
    QCOMPARE(plot.axisKind(), ValueScale::Kind::kSymlog);
    QMenu* series = find(QStringLiteral("Series"))->menu();
    series->actions().first()->trigger();
    QVERIFY(plot.isPartHidden(LinePlot::partOf(0)));
    menu->close();
  }
};

BINADE_SUITE(PlotViews);

}  // namespace binade::views

#include "tst_plot_views.moc"
