// SPDX-License-Identifier: Apache-2.0
// How a lesson's figure is drawn: legends, curves that coincide, bars without extent, ticks, labels and tables.
#include "engine/lessons/blocks_of.h"
#include "engine/lessons/compute_figure.h"
#include "tests/support/suite.h"
#include "tests/views/shown_lesson.h"
#include "views/lessons/figure_ink.h"
#include "views/lessons/figure_picture.h"
#include "views/theme.h"
#include "views/values/colors.h"
#include "views/values/typography.h"

#include <QImage>
#include <QLocale>
#include <QPainter>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace binade::views {

namespace {

lessons::FigureData dataOf(const char* name, std::optional<double> slider = std::nullopt) {
  const lessons::FigureKind& kind = *lessons::find_kind(name);
  return lessons::compute(kind, lessons::Parameters(kind), slider);
}

/// Two losses over ten steps.
lessons::Panel twoCurves(double apart) {
  lessons::Panel panel;
  panel.title = "cuda-amp";
  panel.x = {.label = "step", .low = 0, .high = 10};
  panel.y = {.label = "loss", .low = 0, .high = 2};
  panel.series = {{.title = "all-float32", .format = formats::kFloat32},
                  {.title = "cuda-amp", .format = formats::kFloat16}};
  for (int i = 0; i < 10; ++i) {
    panel.series[0].points.push_back({static_cast<double>(i), 1.0});
    panel.series[1].points.push_back({static_cast<double>(i), 1.0 + apart});
  }
  return panel;
}

/// Numbers that hits offer anywhere in a rectangle.
std::vector<double> offeredNumbers(const FigurePanel& panel, const QRectF& rect) {
  std::vector<double> numbers;
  for (double y = rect.top(); y < rect.bottom(); y += 3) {
    for (double x = rect.left(); x < rect.right(); x += 3) {
      const auto hit = panel.hitAt({x, y});
      if (hit && hit->number) numbers.push_back(hit->number->value);
    }
  }
  return numbers;
}

}  // namespace

class FigureDrawing : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
  void cleanup() { applyTheme(*qApp, Theme::kLight); }

  // The rows of the ruler, with their names, and the steps below it, with their ticks.
  void aNumberIsAtOnePlaceInAllPanelsOfOneXAxis() {
    const lessons::FigureKind& kind = *lessons::find_kind("ruler");
    const lessons::FigureData data = lessons::compute(kind, lessons::Parameters(kind));
    const FigurePicture picture(data, QRectF(0, 0, 1000, 600));
    QCOMPARE(picture.panels().size(), std::size_t{2});
    const FigurePanel& rows = picture.panels()[0];
    const FigurePanel& steps = picture.panels()[1];
    QVERIFY(data.panels[0].rows && !data.panels[1].rows && rows.sharesX(steps));
    QCOMPARE(rows.area().left(), steps.area().left());
    QCOMPARE(rows.area().right(), steps.area().right());
    // The mark of the slider is one line.
    QCOMPARE(rows.markLabels().front().place.left(), steps.markLabels().front().place.left());
    // Another range has margins of its own.
    lessons::Panel other = data.panels[0];
    other.x.high *= 2;
    QVERIFY(!FigurePanel(other, QRectF(0, 0, 1000, 200)).sharesX(steps));
  }

  void textsAboveColumnsAreCentredAndAvoidTheLine_data() {
    QTest::addColumn<double>("scale");
    QTest::newRow("on the line") << 0.0;
    QTest::newRow("far above it") << 20.0;
  }
  void textsAboveColumnsAreCentredAndAvoidTheLine() {
    QFETCH(const double, scale);
    const lessons::FigureKind& kind = *lessons::find_kind("chain");
    const lessons::FigureData data = lessons::compute(kind, lessons::Parameters(kind), scale);
    const FigurePicture picture(data, QRectF(0, 0, 1000, 600));
    const FigurePanel& panel = picture.panels().front();
    const auto texts = panel.columnTexts();
    QVERIFY2(texts.size() * 2 > data.panels.front().bars.size(), qPrintable(QString::number(texts.size())));
    const FigureAxis columns(data.panels.front().x, panel.area().left(), panel.area().right());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      // A place that is high enough to be free of the line, or an outline.
      QVERIFY2(texts[i].halo == (panel.isCrossed(texts[i].place) || panel.isLimit(texts[i].place)),
               qPrintable(texts[i].text));
      for (std::size_t j = 0; j < i; ++j) QVERIFY(!texts[i].place.intersects(texts[j].place));
      double apart = panel.area().width();
      for (const lessons::Bar& bar : data.panels.front().bars) {
        const double column = *columns.at(static_cast<double>(bar.row));
        apart = std::min(apart, std::fabs(texts[i].place.center().x() - column));
      }
      QVERIFY2(apart <= 1, qPrintable(texts[i].text));
    }
    // A place on the line is told apart.
    const lessons::Series& line = data.panels.front().series.front();
    QVERIFY(line.points.size() > 2);
    QVERIFY(panel.isCrossed(panel.area()));
  }

  void everyOfSeveralCurvesIsInTheLegend() {
    lessons::Panel panel = twoCurves(0.5);
    const PanelHead both = PanelHead::of(panel, 600);
    QCOMPARE(both.entries.size(), std::size_t{2});
    QCOMPARE(both.entries[1].text, QStringLiteral("cuda-amp"));
    QCOMPARE(both.entries[1].pen.color(), formatColor(formats::kFloat16));
    // The title alone names a single one.
    panel.series.erase(panel.series.begin());
    QVERIFY(PanelHead::of(panel, 600).entries.empty());
  }

  void aCurveOnAnotherOneIsDashed() {
    const lessons::Panel apart = twoCurves(0.5);
    QCOMPARE(figurePen(apart, apart.series[1], true).style(), Qt::SolidLine);
    const lessons::Panel same = twoCurves(0.001);
    QCOMPARE(figurePen(same, same.series[0], true).style(), Qt::SolidLine);
    QCOMPARE(figurePen(same, same.series[1], true).style(), Qt::CustomDashLine);
    // The one below shows in the gaps.
    const QRectF rect(0, 0, 600, 300);
    const FigurePanel panel(same, rect);
    QImage image(rect.size().toSize(), QImage::Format_RGB32);
    image.fill(colors().panel);
    QPainter painter(&image);
    panel.paint(painter);
    painter.end();
    int blue = 0;
    int orange = 0;
    const int middle = static_cast<int>(panel.area().center().y());
    for (int x = static_cast<int>(panel.area().left()) + 10; x < static_cast<int>(panel.area().right()) - 60; ++x) {
      for (int y = middle - 3; y <= middle + 3; ++y) {
        const QColor color = image.pixelColor(x, y);
        blue += color.blue() > color.red() + 60 ? 1 : 0;
        orange += color.red() > color.blue() + 60 ? 1 : 0;
      }
    }
    QVERIFY2(blue > 40 && orange > 40, qPrintable(QStringLiteral("%1 blue, %2 orange").arg(blue).arg(orange)));
  }

  void aBarWithoutExtentIsADot() {
    const lessons::FigureData data = dataOf("small_gradient", 0);  // a scale of 1 moves nothing
    const lessons::Panel& drawn = data.panels.front();
    QCOMPARE(drawn.bars.front().from, drawn.bars.front().to);
    const QRectF rect(0, 0, 800, 160);
    const FigurePanel panel(drawn, rect);
    const std::vector<double> numbers = offeredNumbers(panel, panel.area());
    QVERIFY(std::count(numbers.begin(), numbers.end(), 1e-5) > 0);
    QVERIFY(std::count(numbers.begin(), numbers.end(), 1e-8) > 0);
    QImage image(rect.size().toSize(), QImage::Format_RGB32);
    image.fill(colors().panel);
    QPainter painter(&image);
    panel.paint(painter);
    painter.end();
    int inked = 0;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) inked += image.pixelColor(x, y) == formatColor(formats::kFloat16) ? 1 : 0;
    }
    QVERIFY2(inked > 15, qPrintable(QString::number(inked)));
  }

  void barsOfRowsAreHighWhereThereIsRoom_data() {
    QTest::addColumn<double>("spare");
    QTest::addColumn<int>("high");
    QTest::newRow("least") << 0.0 << 15;
    QTest::newRow("room") << 300.0 << 24;
  }

  void barsOfRowsAreHighWhereThereIsRoom() {
    QFETCH(const double, spare);
    QFETCH(const int, high);
    const lessons::FigureData data = dataOf("limits");
    const QRectF rect(0, 0, 900, FigurePicture::leastHeight(data, 900) + spare);
    const FigurePicture picture(data, rect);
    QImage image(rect.size().toSize(), QImage::Format_RGB32);
    image.fill(colors().panel);
    QPainter painter(&image);
    picture.paint(painter);
    painter.end();
    // The middle of the axis is in float16's normal range.
    const int x = static_cast<int>(picture.panels().front().area().center().x());
    int inked = 0;
    for (int y = 0; y < image.height(); ++y) inked += image.pixelColor(x, y) == formatColor(formats::kFloat16) ? 1 : 0;
    QCOMPARE(inked, high);
  }

  void aBarFromZeroOffersItsOwnNumberAtBothEnds() {
    lessons::Panel panel;
    panel.rows = true;
    panel.x = {.label = "times", .low = 0, .high = 20};
    panel.bar_labels = {"A100"};
    panel.bars = {{.row = 0, .from = 0, .to = 16, .text = "16 ×"}};
    const FigurePanel laid(panel, {0, 0, 600, 120});
    const std::vector<double> numbers = offeredNumbers(laid, laid.area());
    QVERIFY(!numbers.empty());
    QVERIFY(std::all_of(numbers.begin(), numbers.end(), [](double each) { return each == 16; }));
    // A range has two numbers.
    panel.bars = {{.row = 0, .from = 2, .to = 16}};
    const FigurePanel range(panel, {0, 0, 600, 120});
    const std::vector<double> ends = offeredNumbers(range, range.area());
    QVERIFY(std::count(ends.begin(), ends.end(), 2) > 0 && std::count(ends.begin(), ends.end(), 16) > 0);
  }

  void aNumberIsWithoutTheRoundingOfItsComputation() {
    QCOMPARE(withoutRoundingError(1.0000000000000005e-08), 1e-8);
    QCOMPARE(withoutRoundingError(0.1 + 0.2), 0.3);
    for (const double exact : {0x1p-24, 65519.996, 0x1.fffffep127, 0.0, static_cast<double>(0.1f)}) {
      QVERIFY(withoutRoundingError(exact) == exact);
    }
    QVERIFY(std::isinf(withoutRoundingError(std::numeric_limits<double>::infinity())));
  }

  void wholeTicksAreWrittenAsInTheTable() {
    const lessons::FigureData data = dataOf("storage");
    const FigureAxis axis(data.panels.front().x, 0, 800);
    for (const Tick& tick : axis.ticks(8)) {
      QCOMPARE(tick.label, typesetNumber(QString::number(static_cast<qlonglong>(tick.value)).toStdString()));
    }
    QVERIFY(axis.ticks(8).back().value >= 1e6);
  }

  void theNameOfTheYAxisIsAboveTheHighestTick() {
    const QRectF rect(0, 0, 800, 400);
    const lessons::Panel panel = twoCurves(0.5);
    const FigurePanel laid(panel, rect);
    // The name has 16 px, and a label half of that above its tick.
    QVERIFY(laid.area().top() >= PanelHead::of(panel, rect.width()).height + 16 + 8);
  }

  // Lesson 6: the curve of what overflows rises through the level at the right.
  void theLabelOfALevelAvoidsTheCurve() {
    const lessons::Lesson lesson = programLesson(QStringLiteral("06-loss-scaling.md"));
    const lessons::Figure* figure = lessons::blocks_of<lessons::Figure>(lesson).front();
    const lessons::FigureData data = lessons::compute(*figure->kind, figure->parameters);
    const lessons::Panel& scales = data.panels.back();
    const FigurePanel panel(scales, {0, 0, 900, 260});
    const QRectF place = panel.levelLabel(scales.marks.back());
    QVERIFY(!panel.isCrossed(place));
    QVERIFY(place.right() < panel.area().center().x());
    // Where no curve passes, it is at the right.
    lessons::Panel flat = twoCurves(0.1);
    flat.marks = {{.at = 0.5, .label = "0.5", .on_x = false}};
    const FigurePanel free(flat, {0, 0, 900, 260});
    QVERIFY(free.levelLabel(flat.marks.front()).left() > free.area().center().x());
  }

  void theSecondSeriesOfLostValuesIsNeutral() {
    const lessons::FigureData data = dataOf("scaled_tail", 0);
    const lessons::Panel& scales = data.panels.back();
    const QPen zero = figurePen(scales, scales.series[0], true);
    const QPen overflow = figurePen(scales, scales.series[1], true);
    QCOMPARE(zero.color(), colors().crimson);
    QCOMPARE(overflow.color(), colors().dataLine);
    QVERIFY(overflow.style() != zero.style());
  }

  void theLimitsOfAFormatHaveItsColour() {
    const lessons::FigureData data = dataOf("scaled_tail", 0);
    const QRectF rect(0, 0, 900, 300);
    const FigurePanel panel(data.panels.front(), rect);
    QImage image(rect.size().toSize(), QImage::Format_RGB32);
    image.fill(colors().panel);
    QPainter painter(&image);
    panel.paint(painter);
    painter.end();
    const int y = static_cast<int>(panel.area().bottom()) - 3;  // in the histogram's columns too
    int inked = 0;
    for (int x = 0; x < image.width(); ++x) inked += image.pixelColor(x, y) == formatColor(formats::kFloat16) ? 1 : 0;
    QCOMPARE(inked, 3 * 2);
  }

  void theLabelOfAMarkAvoidsTheSteps() {
    lessons::Panel panel;
    panel.x = {.label = "step", .low = 1, .high = 20};
    panel.y = {.label = "", .scale = lessons::AxisScale::kLog2, .low = 1, .high = 0x1p17};
    panel.series = {{.title = "scale", .points = {{1, 65536}, {4, 32768}, {8, 16384}}, .steps = true}};
    panel.marks = {{.at = 1, .label = "skipped", .role = lessons::Role::kOverflow}};
    const FigurePanel laid(panel, {0, 0, 800, 300});
    QCOMPARE(laid.markLabels().size(), std::size_t{1});
    const QRectF place = laid.markLabels().front().place;
    QVERIFY(!laid.isStepped(place));
    QVERIFY(place.top() > laid.area().center().y() && place.bottom() <= laid.area().bottom());
    // Where the top is free, it stays there.
    panel.series.front().points = {{1, 2}, {4, 4}};
    const FigurePanel below(panel, {0, 0, 800, 300});
    QVERIFY(below.markLabels().front().place.bottom() < below.area().center().y());
  }

  void aDashOrABoundKeepsAColumnOfNumbersRight_data() {
    QTest::addColumn<QString>("cell");
    QTest::addColumn<bool>("right");
    QTest::newRow("dash") << QStringLiteral("–") << true;
    QTest::newRow("bound") << QStringLiteral("< 0.01 %") << true;
    QTest::newRow("infinity") << QStringLiteral("inf") << true;
    QTest::newRow("empty") << QString() << true;
    QTest::newRow("word") << QStringLiteral("skipped") << false;
  }

  void aDashOrABoundKeepsAColumnOfNumbersRight() {
    QFETCH(QString, cell);
    QFETCH(bool, right);
    lessons::Table table;
    table.heads = {"training", "loss, last ten steps"};
    table.rows = {{"first", "1.94 %"}, {"second", cell.toStdString()}};
    const QRectF place(0, 0, 500, FigureTable::height(table, 500));
    QImage image(place.size().toSize(), QImage::Format_RGB32);
    image.fill(colors().panel);
    QPainter painter(&image);
    const FigureTable drawn(table, place);
    drawn.paint(painter, {});
    painter.end();
    // The first row's number, in the second column: at which side has it ink?
    int left = image.width();
    int last = 0;
    int end = 0;
    for (int x = 0; x < image.width(); ++x) {
      const auto hit = drawn.hitAt({x + 0.5, place.height() / 2});
      if (!hit || !hit->text.endsWith(QStringLiteral("1.94 %"))) continue;
      end = x;
      for (int y = static_cast<int>(place.height()) / 2 - 5; y < static_cast<int>(place.height()) / 2 + 5; ++y) {
        if (image.pixelColor(x, y).lightness() > 128) continue;
        left = std::min(left, x);
        last = std::max(last, x);
      }
    }
    QVERIFY(last > left);
    QCOMPARE(end - last < 20, right);
  }

  void severalPlotsLeaveRoomForTheTable() {
    lessons::FigureData data;
    for (int i = 0; i < 3; ++i) data.panels.push_back(twoCurves(0.5));
    data.table.heads = {"training", "loss"};
    for (int i = 0; i < 4; ++i) data.table.rows.push_back({"cuda-amp", "0.6"});
    QVERIFY2(FigurePicture::leastHeight(data, 1000) < 730,
             qPrintable(QString::number(FigurePicture::leastHeight(data, 1000))));
  }
};

BINADE_SUITE(FigureDrawing);

}  // namespace binade::views

#include "tst_figure_drawing.moc"
