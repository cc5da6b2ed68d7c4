// SPDX-License-Identifier: Apache-2.0
#include "tests/support/full_disk.h"
#include "tests/support/suite.h"
#include "tests/views/fake_run.h"
#include "views/plot/heat_map.h"
#include "views/plot/histogram.h"
#include "views/plot/line_plot.h"
#include "views/plot/scale_plot.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QWheelEvent>

#include <cmath>

namespace binade::views {

namespace {

void fill(ScalePlot& plot, int steps = 1000) {
  for (const auto& s : test::fakeRun(steps)) {
    plot.append(s.step, std::exp2(s.scaleLog2));
    if (s.skipped) plot.addMark({s.step, MarkKind::kSkipped, {}});
    if (s.backOff) plot.addMark({s.step, MarkKind::kBackOff, {}});
    if (s.growth) plot.addMark({s.step, MarkKind::kGrowth, {}});
  }
}

void show(QWidget& widget, QSize size = {900, 260}) {
  widget.resize(size);
  widget.show();
  QVERIFY(QTest::qWaitForWindowExposed(&widget));
}

void wheel(QWidget& widget, QPointF at, QPoint turn) {
  QWheelEvent event(at, widget.mapToGlobal(at), {}, turn, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&widget, &event);
}

void drag(QWidget& widget, QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {}) {
  QTest::mousePress(&widget, Qt::LeftButton, modifiers, from);
  QTest::mouseMove(&widget, (from + to) / 2);
  QTest::mouseMove(&widget, to);
  QTest::mouseRelease(&widget, Qt::LeftButton, modifiers, to);
}

}  // namespace

class PlotInput : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  // A dock that a person drags nearly shut still paints its plot.
  void aPlotIsPaintedAtAnySize_data() {
    QTest::addColumn<QSize>("size");
    for (const int wide : {1, 40, 120, 900}) {
      for (const int high : {1, 12, 30, 60, 90, 260}) {
        QTest::addRow("%d x %d", wide, high) << QSize(wide, high);
      }
    }
  }
  void aPlotIsPaintedAtAnySize() {
    QFETCH(const QSize, size);
    StepAxis axis;
    ScalePlot scale(&axis);
    fill(scale);
    LinePlot loss(&axis);
    const int line = loss.addSeries({QStringLiteral("loss"), {}, 0, {}, {}});
    for (const auto& s : test::fakeRun(1000)) loss.append(line, s.step, s.loss);
    Histogram histogram(nullptr);
    histogram.setFormat(formats::kFloat16);
    histogram.setStats(test::fakeStats(-3, 2.5), 10, 16);
    HeatMap map(&axis, nullptr);
    map.setFormat(formats::kFloat16);
    for (int step = 0; step < 50; ++step) map.appendColumn(step, test::fakeStats(-3, 2.5), 16);
    for (QWidget* plot : std::initializer_list<QWidget*>{&scale, &loss, &histogram, &map}) {
      plot->setMinimumSize(1, 1);
      plot->resize(size);
      QCOMPARE(plot->grab().deviceIndependentSize().toSize(), size);
      QVERIFY(histogram.handle().top() >= histogram.plotArea().top());
    }
  }

  void theWheelZoomsAtThePointer() {
    StepAxis axis;
    ScalePlot plot(&axis);
    fill(plot);
    show(plot);
    const QPointF at(400, 120);
    const double step = plot.xToStep(at.x());
    const double before = axis.range().span();
    wheel(plot, at, {0, 240});
    QVERIFY(axis.range().span() < before * 0.7);
    QVERIFY(std::fabs(plot.xToStep(at.x()) - step) < 1);
    QCOMPARE(axis.mode(), StepAxis::Mode::kFixed);
    wheel(plot, at, {0, -2400});
    QCOMPARE(axis.mode(), StepAxis::Mode::kAll);
  }

  void theWheelScrollsThePageUntilTheChartIsChosen() {
    StepAxis axis;
    ScalePlot plot(&axis);
    fill(plot);
    show(plot);
    plot.clearFocus();
    plot.setInScrolledPage(true);
    const double before = axis.range().span();
    QWheelEvent plain({400, 120}, plot.mapToGlobal(QPointF(400, 120)), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&plot, &plain);
    QVERIFY(!plain.isAccepted());  // the page receives it
    QCOMPARE(axis.range().span(), before);
    QWheelEvent with_ctrl({400, 120}, plot.mapToGlobal(QPointF(400, 120)), {}, {0, 240}, Qt::NoButton,
                          Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&plot, &with_ctrl);
    QVERIFY(axis.range().span() < before * 0.7);
  }

  void draggingPansAllChartsOnTheAxis() {
    StepAxis axis;
    ScalePlot plot(&axis);
    LinePlot other(&axis);
    other.addSeries({QStringLiteral("loss"), {}, 0, {}, {}});
    fill(plot);
    axis.setRange({400, 600});
    show(plot);
    const double x = other.stepToX(500);
    drag(plot, {500, 120}, {300, 120});
    const double moved = 200 / plot.plotArea().width() * 200;
    QVERIFY(std::fabs(axis.range().low - (400 + moved)) < 1.5);
    QVERIFY(std::fabs(axis.range().span() - 200) < 1e-6);
    QVERIFY(other.stepToX(500) < x);
  }

  void smallDragsLeaveTheLatestSteps() {
    StepAxis axis;
    ScalePlot plot(&axis);
    fill(plot);
    axis.setRange({805, 1005});  // follows the latest step
    show(plot);
    QTest::mousePress(&plot, Qt::LeftButton, {}, {300, 120});
    for (int x = 301; x <= 400; ++x) QTest::mouseMove(&plot, {x, 120});
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, {400, 120});
    QCOMPARE(axis.mode(), StepAxis::Mode::kFixed);
    QVERIFY(axis.range().high < 1000);
  }

  void shiftDragZoomsIntoTheBox() {
    StepAxis axis;
    ScalePlot plot(&axis);
    fill(plot);
    show(plot);
    const double low = plot.xToStep(300);
    const double high = plot.xToStep(500);
    const double top = plot.yToValue(60);
    const double bottom = plot.yToValue(150);
    drag(plot, {300, 60}, {500, 150}, Qt::ShiftModifier);
    QVERIFY(std::fabs(axis.range().low - low) < 1);
    QVERIFY(std::fabs(axis.range().high - high) < 1);
    QVERIFY(std::fabs(plot.valueRange().high - top) < 0.1);
    QVERIFY(std::fabs(plot.valueRange().low - bottom) < 0.1);
    QTest::mouseDClick(&plot, Qt::LeftButton, {}, {400, 100});
    QCOMPARE(axis.mode(), StepAxis::Mode::kAll);
    QVERIFY(plot.valueRange().span() > 8);
  }

  void keysMoveTheCursorAndZoom() {
    StepAxis axis;
    ScalePlot plot(&axis);
    fill(plot);
    show(plot);
    QSignalSpy steps(&plot, &Plot::stepActivated);
    QTest::keyClick(&plot, Qt::Key_Home);
    QCOMPARE(*axis.cursor(), std::int64_t{0});
    QTest::keyClick(&plot, Qt::Key_Left);
    QCOMPARE(*axis.cursor(), std::int64_t{0});
    QTest::keyClick(&plot, Qt::Key_Right);
    QTest::keyClick(&plot, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(*axis.cursor(), std::int64_t{11});
    QTest::keyClick(&plot, Qt::Key_End);
    QCOMPARE(*axis.cursor(), std::int64_t{999});
    QCOMPARE(steps.last().at(0).toLongLong(), 999);
    const double span = axis.range().span();
    QTest::keyClick(&plot, Qt::Key_Plus);
    QVERIFY(axis.range().span() < span);
    QTest::keyClick(&plot, Qt::Key_F);
    QCOMPARE(axis.mode(), StepAxis::Mode::kAll);
    QTest::keyClick(&plot, Qt::Key_Plus);
    QTest::keyClick(&plot, Qt::Key_Minus);
    QCOMPARE(axis.mode(), StepAxis::Mode::kAll);
    QTest::keyClick(&plot, Qt::Key_Escape);
    QVERIFY(!axis.cursor());
  }

  void aCursorOutOfSightScrollsThere() {
    StepAxis axis;
    ScalePlot plot(&axis);
    fill(plot);
    axis.setRange({100, 200});
    axis.setCursor(700);
    QVERIFY(axis.range().contains(700));
    QVERIFY(std::fabs(axis.range().span() - 100) < 1e-9);
  }

  void hoverIsSharedAndLeavesWithThePointer() {
    StepAxis axis;
    ScalePlot plot(&axis);
    fill(plot);
    show(plot);
    // Sent straight to the widget: the platform's pointer is not there and would leave at once.
    const QPointF at(400, 120);
    QMouseEvent move(QEvent::MouseMove, at, plot.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&plot, &move);
    QVERIFY(axis.hover());
    QVERIFY(std::fabs(static_cast<double>(*axis.hover()) - plot.xToStep(400)) <= 0.5);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&plot, &leave);
    QVERIFY(!axis.hover());
  }

  void aClickOnAMarkEmits() {
    StepAxis axis;
    ScalePlot plot(&axis);
    for (int i = 0; i < 100; ++i) plot.append(i, 65536);
    plot.addMark({60, MarkKind::kSkipped, {}});
    show(plot);
    QSignalSpy marks(&plot, &Plot::markActivated);
    QSignalSpy steps(&plot, &Plot::stepActivated);
    // The strip lies 8 px above the foot.
    const QPoint at(static_cast<int>(plot.stepToX(60)), static_cast<int>(plot.plotArea().bottom()) - 8);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, at);
    QCOMPARE(marks.count(), 1);
    QCOMPARE(marks.first().first().toLongLong(), 60);
    QCOMPARE(*axis.cursor(), std::int64_t{60});
    QTest::mouseClick(&plot, Qt::LeftButton, {}, {static_cast<int>(plot.stepToX(30)), 100});
    QCOMPARE(marks.count(), 1);
    QCOMPARE(steps.count(), 1);
    QTest::keyClick(&plot, Qt::Key_Return);
    QCOMPARE(marks.count(), 1);
    axis.setCursor(60);
    QTest::keyClick(&plot, Qt::Key_Return);
    QCOMPARE(marks.count(), 2);
  }

  void aClickInARowOfMarksFindsItsStep() {
    StepAxis axis;
    ScalePlot plot(&axis);
    for (int i = 0; i < 500; ++i) plot.append(i, 65536);
    for (int i = 100; i < 400; ++i) plot.addMark({i, MarkKind::kSkipped, {}});
    show(plot);
    axis.setRange({290, 310});
    QSignalSpy marks(&plot, &Plot::markActivated);
    const QPoint at(static_cast<int>(std::lround(plot.stepToX(300))), static_cast<int>(plot.plotArea().bottom()) - 8);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, at);
    QCOMPARE(marks.count(), 1);
    QCOMPARE(marks.first().first().toLongLong(), 300);
    QCOMPARE(*axis.cursor(), std::int64_t{300});
    axis.setCursor(305);
    QTest::keyClick(&plot, Qt::Key_Return);
    QCOMPARE(marks.last().first().toLongLong(), 305);
  }

  void followingEndsWhereThePersonLooksElsewhere() {
    StepAxis axis;
    axis.extend(0);
    axis.extend(1000);
    QVERIFY(axis.followsLatest());
    axis.setRange({900, 1001});
    QCOMPARE(axis.mode(), StepAxis::Mode::kLatest);
    axis.extend(1100);
    QVERIFY(axis.range().contains(1100));
    QVERIFY(std::fabs(axis.range().span() - 101) < 1e-9);
    axis.setRange({200, 300});
    axis.extend(1200);
    QCOMPARE(axis.range(), (Range{200, 300}));
    axis.reset();
    QCOMPARE(axis.mode(), StepAxis::Mode::kAll);
    QVERIFY(!axis.data());
  }

  void marksCloserThanEightPixelsMerge() {
    const auto toX = [](double step) { return step * 2; };
    const std::vector<Mark> marks{{0, MarkKind::kSkipped, {}},  {3, MarkKind::kSkipped, {}},
                                  {3, MarkKind::kGrowth, {}},   {6, MarkKind::kSkipped, {}},
                                  {10, MarkKind::kSkipped, {}}, {50, MarkKind::kSkipped, {}}};
    const auto groups = mergeMarks(marks, MarkKind::kSkipped, toX);
    QCOMPARE(groups.size(), std::size_t{3});
    QCOMPARE(groups[0].count, std::int64_t{3});
    QCOMPARE(groups[0].first, std::int64_t{0});
    QCOMPARE(groups[0].last, std::int64_t{6});
    QCOMPARE(groups[1].first, std::int64_t{10});  // 20 - 12 is 8: not closer
    QCOMPARE(groups[2].first, std::int64_t{50});
    const std::vector<Mark> apart{
        {0, MarkKind::kSkipped, {}}, {4, MarkKind::kSkipped, {}}, {8, MarkKind::kSkipped, {}}};
    QCOMPARE(mergeMarks(apart, MarkKind::kSkipped, toX).size(), std::size_t{3});
  }

  void whatHappensAtEveryStepStaysOneMark() {
    std::vector<Mark> marks;
    const QString text = QStringLiteral("Step skipped");
    for (std::int64_t step = 0; step < 100000; ++step) {
      appendMark(marks, {step, MarkKind::kSkipped, text});
      appendMark(marks, {step, MarkKind::kOverflow, text});
    }
    QCOMPARE(marks.size(), std::size_t{2});
    QCOMPARE(countMarks(marks, MarkKind::kSkipped), std::int64_t{100000});
    // A step without it, or another text, begins another; of edits each is one.
    appendMark(marks, {100001, MarkKind::kSkipped, text});
    appendMark(marks, {100002, MarkKind::kSkipped, QStringLiteral("other")});
    appendMark(marks, {100003, MarkKind::kPolicyEdit, {}});
    appendMark(marks, {100004, MarkKind::kPolicyEdit, {}});
    QCOMPARE(marks.size(), std::size_t{6});
    const auto near = mergeMarks(marks, MarkKind::kSkipped, [](double step) { return step; });
    QCOMPARE(near.size(), std::size_t{1});
    QCOMPARE(near[0].count, std::int64_t{100002});
    const auto apart = mergeMarks(marks, MarkKind::kSkipped, [](double step) { return step * 20; });
    QCOMPARE(apart.size(), std::size_t{3});
    QCOMPARE(apart[0].last, std::int64_t{99999});
    QCOMPARE(apart[0].lastX, 99999 * 20.0);
    QCOMPARE(apart[0].count, std::int64_t{100000});
  }

  // Steps that are skipped every so often behind a run of many at its start: each has its mark, none stands for all.
  void aCountTakesNoMarkIn() {
    StepAxis axis;
    ScalePlot plot(&axis);
    show(plot);
    for (std::int64_t step = 0; step < 1000; ++step) {
      plot.append(step, 1024);
      if (step < 8 || step % 35 == 0) plot.addMark({step, MarkKind::kSkipped, {}});
    }
    const auto toX = [&](double step) { return plot.stepToX(step); };
    const auto groups = mergeMarks(plot.marks(), MarkKind::kSkipped, toX);
    QVERIFY2(groups.size() > 25, qPrintable(QString::number(groups.size())));
    QCOMPARE(groups[0].count, std::int64_t{8});
    // Left of the axis there is nothing of the marks.
    const QImage image = plot.grab().toImage();
    for (int x = 0; x < static_cast<int>(plot.plotArea().left()) - 2; ++x) {
      for (int y = 0; y < image.height(); ++y) QVERIFY(image.pixelColor(x, y) != colors().crimson);
    }
  }

  void theStripOfALongRunOfSkipsIsPaintedAsItsStepsAre() {
    StepAxis axis;
    ScalePlot plot(&axis);
    show(plot);
    for (std::int64_t step = 0; step < 400; ++step) {
      plot.append(step, 1024);
      if (step >= 100 && step != 250) plot.addMark({step, MarkKind::kSkipped, {}});
    }
    QCOMPARE(plot.marks().size(), std::size_t{2});
    QCOMPARE(plot.csv().count(QStringLiteral(",1\r\n")), 299);
    QTRY_VERIFY2(plot.accessibleDescription().contains(QStringLiteral("299 steps skipped")),
                 qPrintable(plot.accessibleDescription()));
    QVERIFY(plot.valuesAt(300).contains(markName(MarkKind::kSkipped)));
    QVERIFY(!plot.valuesAt(250).contains(markName(MarkKind::kSkipped)));
    const auto red = [&] {
      const QImage image = plot.grab().toImage();
      int count = 0;
      for (int x = 0; x < image.width(); ++x) {
        for (int y = image.height() / 2; y < image.height(); ++y)
          count += image.pixelColor(x, y) == colors().crimson ? 1 : 0;
      }
      return count;
    };
    const int bar = red();
    QVERIFY(bar > 500);
    // Near enough, each step has its mark, and between them there is nothing.
    axis.setRange({300, 320});
    const int marks = red();
    QVERIFY2(marks > 50 && marks < bar, qPrintable(QStringLiteral("%1 of %2").arg(marks).arg(bar)));
  }

  void chartsSpeakToAssistiveTechnology() {
    StepAxis axis;
    ScalePlot plot(&axis);
    show(plot);
    fill(plot, 300);
    QTRY_VERIFY(plot.accessibleDescription().contains(QStringLiteral("after step 299")));
    QAccessibleInterface* access = QAccessible::queryAccessibleInterface(&plot);
    QVERIFY(access);
    QCOMPARE(access->text(QAccessible::Name), QStringLiteral("Loss scale"));
    QVERIFY(access->text(QAccessible::Description).contains(QStringLiteral("steps skipped")));
  }

  void aHiddenChartDoesNotRepaint() {
    StepAxis axis;
    ScalePlot plot(&axis);
    fill(plot, 50);
    QTest::qWait(60);
    QVERIFY(!plot.accessibleDescription().contains(QStringLiteral("after step")));
  }

  void picturesAndCsvAreWritten() {
    StepAxis axis;
    ScalePlot plot(&axis);
    fill(plot, 300);
    show(plot);
    const QString folder = test::temporaryFolder();
    QVERIFY(plot.savePng(folder + QStringLiteral("/a.png"), 2));
    QCOMPARE(QImage(folder + QStringLiteral("/a.png")).size(), plot.size() * 2);
    QVERIFY(plot.saveSvg(folder + QStringLiteral("/a.svg")));
    QFile svg(folder + QStringLiteral("/a.svg"));
    QVERIFY(svg.open(QIODevice::ReadOnly));
    const QByteArray text = svg.readAll();
    QVERIFY(text.contains("<svg") && text.contains("Loss scale") && text.contains("<rect"));
    QVERIFY(plot.saveCsv(folder + QStringLiteral("/a.csv")));
    axis.setRange({10, 19.5});
    const QStringList lines = plot.csv().split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    QCOMPARE(lines.first(), QStringLiteral("step,loss scale,skipped"));
    QCOMPARE(lines.size(), 1 + 10);
    QCOMPARE(lines[1], QStringLiteral("10,65536,0"));
    QVERIFY(!plot.saveCsv(folder + QStringLiteral("/missing/a.csv")));
  }

  void aFullDiskLeavesTheFileBefore() {
    StepAxis axis;
    ScalePlot plot(&axis);
    fill(plot, 300);
    show(plot);
    const QString file = test::temporaryFolder() + QStringLiteral("/a");
    QFile before(file);
    QVERIFY(before.open(QIODevice::WriteOnly) && before.write("before") == 6);
    before.close();
    {
      const test::FullDisk full(64);
      QVERIFY(!plot.savePng(file));
      QVERIFY(!plot.saveSvg(file));
      QVERIFY(!plot.saveCsv(file));
    }
    QVERIFY(before.open(QIODevice::ReadOnly));
    QCOMPARE(before.readAll(), QByteArray("before"));
    QCOMPARE(QDir(QFileInfo(file).path()).entryList(QDir::Files), QStringList{QStringLiteral("a")});
  }

  void linesOfCsvJoinSeriesByStep() {
    LinePlot plot(nullptr);
    const int a = plot.addSeries({QStringLiteral("loss"), {}, 0, {}, {}});
    const int b = plot.addSeries({QStringLiteral("time"), QStringLiteral("s"), 0, {}, {}});
    plot.append(a, 0, 1.5);
    plot.append(a, 2, std::nan(""));
    plot.append(b, 1, 0.25);
    plot.append(b, 2, 0.5);
    QCOMPARE(plot.csv(), QStringLiteral("step,loss,time (s)\r\n0,1.5,\r\n1,,0.25\r\n2,nan,0.5\r\n"));
  }
};

BINADE_SUITE(PlotInput);

}  // namespace binade::views

#include "tst_plot_input.moc"
