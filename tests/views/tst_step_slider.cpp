// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "views/plot/step_slider.h"
#include "views/theme.h"

#include <QAccessible>
#include <QCoreApplication>
#include <QImage>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

namespace {

using namespace binade;
using views::StepMark;
using views::StepSlider;

class StepSliders : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void keysMoveByOneByAHundredAndToBothEnds() {
    StepSlider slider;
    slider.setSteps(10, 1000, 500);
    QSignalSpy chosen(&slider, &StepSlider::stepChosen);
    QSignalSpy newest(&slider, &StepSlider::newestChosen);
    const auto press = [&](int key, Qt::KeyboardModifiers with = Qt::NoModifier) {
      chosen.clear();
      QTest::keyClick(&slider, static_cast<Qt::Key>(key), with);
      return chosen.isEmpty() ? -1 : chosen.back().front().toLongLong();
    };
    QCOMPARE(press(Qt::Key_Left), 499);
    QCOMPARE(press(Qt::Key_Right), 501);
    QCOMPARE(press(Qt::Key_PageUp), 600);
    QCOMPARE(press(Qt::Key_PageDown), 400);
    QCOMPARE(press(Qt::Key_Home), 10);
    QCOMPARE(press(Qt::Key_End), -1);
    QCOMPARE(newest.count(), 1);
    slider.setSteps(10, 1000, 960);
    QCOMPARE(press(Qt::Key_PageUp), 1000);
    slider.setSteps(10, 1000, 10);
    QCOMPARE(press(Qt::Key_Left), 10);
  }

  void controlAndAnArrowGoFromMarkToMark() {
    StepSlider slider;
    slider.setSteps(0, 100, 50);
    slider.setMarks({{StepMark::Kind::kEdit, 20, 0}, {StepMark::Kind::kEvent, 40, 1}, {StepMark::Kind::kEvent, 90, 2}});
    QSignalSpy chosen(&slider, &StepSlider::stepChosen);
    QTest::keyClick(&slider, Qt::Key_Left, Qt::ControlModifier);
    QTest::keyClick(&slider, Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(chosen.count(), 2);
    QCOMPARE(chosen[0].front().toLongLong(), 40);
    QCOMPARE(chosen[1].front().toLongLong(), 90);
    slider.setSteps(0, 100, 95);
    chosen.clear();
    QTest::keyClick(&slider, Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(chosen.count(), 0);
  }

  void aDigitBeginsAStep() {
    StepSlider slider;
    slider.setSteps(0, 100, 50);
    QSignalSpy typed(&slider, &StepSlider::typed);
    QTest::keyClick(&slider, '7');
    QTest::keyClick(&slider, 'x');
    QCOMPARE(typed.count(), 1);
    QCOMPARE(typed.front().front().toString(), QStringLiteral("7"));
  }

  void theMouseScrubs() {
    StepSlider slider;
    slider.resize(418, 26);
    slider.setSteps(0, 400, std::nullopt);
    QSignalSpy chosen(&slider, &StepSlider::stepChosen);
    const auto at = [&](int step) { return QPoint(static_cast<int>(std::lround(slider.stepToX(step))), 13); };
    QTest::mousePress(&slider, Qt::LeftButton, {}, at(100));
    QCOMPARE(chosen.back().front().toLongLong(), 100);
    const auto move = [&](int step, Qt::MouseButtons held) {
      QMouseEvent event(QEvent::MouseMove, at(step), slider.mapToGlobal(at(step)), Qt::NoButton, held, {});
      QCoreApplication::sendEvent(&slider, &event);
    };
    move(250, Qt::LeftButton);
    QCOMPARE(chosen.back().front().toLongLong(), 250);
    QTest::mouseRelease(&slider, Qt::LeftButton, {}, at(250));
    const auto count = chosen.count();
    move(300, Qt::NoButton);
    QCOMPARE(chosen.count(), count);
  }

  void stepsThatTheProgramSetsAreNoChoice() {
    StepSlider slider;
    QSignalSpy chosen(&slider, &StepSlider::stepChosen);
    slider.setSteps(0, 400, 30);
    slider.setSteps(0, 500, std::nullopt);
    slider.setSteps(100, 200, 150);
    QCOMPARE(chosen.count(), 0);
    QVERIFY(!slider.followsNewest());
    // Assistive technology sets the value of a slider.
    QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(&slider);
    QVERIFY(reader != nullptr && reader->valueInterface() != nullptr);
    QCOMPARE(reader->valueInterface()->currentValue().toInt(), 150);
    reader->valueInterface()->setCurrentValue(120);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.front().front().toLongLong(), 120);
  }

  void aMarkIsDrawnAtItsStep() {
    StepSlider slider;
    slider.resize(418, 26);
    slider.setSteps(0, 400, std::nullopt);
    const auto crimson = [&](double step) {
      const QImage image = slider.grab().toImage();
      const QColor there = image.pixelColor(static_cast<int>(std::lround(slider.stepToX(step))), 7);
      return there.red() > there.green() + 60 && there.red() > there.blue() + 20;
    };
    QVERIFY(!crimson(200));
    slider.setMarks({{StepMark::Kind::kEvent, 200, 0}});
    QVERIFY(crimson(200));
    QVERIFY(!crimson(100));
  }
};

}  // namespace

BINADE_SUITE(StepSliders);
#include "tst_step_slider.moc"
