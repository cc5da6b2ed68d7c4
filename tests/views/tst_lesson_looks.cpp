// SPDX-License-Identifier: Apache-2.0
// How a lesson looks: the rows of a prediction's options, and the marks of lessons that are done.
#include "tests/support/suite.h"
#include "tests/views/shown_lesson.h"
#include "views/lessons/lesson_list.h"
#include "views/lessons/lesson_text.h"
#include "views/lessons/option_button.h"
#include "views/lessons/prediction_card.h"
#include "views/lessons/step_bar.h"
#include "views/theme.h"
#include "views/values/colors.h"

#include <QApplication>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

namespace binade::views {

namespace {

/// Whether a picture has a pixel of this colour in a rectangle.
bool hasInk(const QImage& image, const QRect& where, const QColor& color) {
  for (int y = where.top(); y <= where.bottom(); ++y) {
    for (int x = where.left(); x <= where.right(); ++x) {
      if (image.pixelColor(x, y) == color) return true;
    }
  }
  return false;
}

}  // namespace

class LessonLooks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void optionsOfOneLineAre28PixelsApart() {
    ShownLesson shown(smallLesson());
    const auto& options = shown.page.predictions().front()->options();
    QTest::qWait(0);
    QCOMPARE(options[1]->y() - options[0]->y(), 28);
  }

  // As long as there is room at the right of the text.
  void aJudgedOptionIsAsHighAsBefore() {
    OptionButton option(QStringLiteral("Layer 8"));
    const int high = option.heightForWidth(360);
    option.setJudged(true, QStringLiteral("this is right"));
    QCOMPARE(option.heightForWidth(360), high);
    QVERIFY(option.heightForWidth(140) > high);
  }

  void squaresOfDoneLessonsAreFilled() {
    LessonSquares squares;
    squares.setLessons({true, false, true}, 1);
    squares.resize(squares.sizeHint());
    squares.show();
    QTest::qWait(0);
    const QImage image = squares.grab().toImage();
    const int wide = squares.width() / 3;
    for (int i = 0; i < 3; ++i) {
      const QColor middle = image.pixelColor(wide * i + 2 + 4, 5);
      QCOMPARE(middle == colors().text, i != 1);
    }
    // The lesson that is open and done is filled too.
    squares.setLessons({true, true, true}, 1);
    QCOMPARE(squares.grab().toImage().pixelColor(wide + 2 + 4, 5), colors().text);
  }

  void doneLessonsHaveATickInTheList() {
    LessonList list;
    list.resize(400, 300);
    list.setLessons({{QStringLiteral("Range"), QStringLiteral("Bits"), true},
                     {QStringLiteral("Ends"), QStringLiteral("Limits"), false}},
                    -1);
    list.show();
    QTest::qWait(0);
    const QImage image = list.viewport()->grab().toImage();
    for (int row = 0; row < 2; ++row) {
      const QRect place = list.visualItemRect(list.item(row));
      const QRect end(place.right() - 30, place.top() + 4, 28, 24);
      QCOMPARE(hasInk(image, end, colors().text), row == 0);
    }
  }

  // Feedback scrolls the page by itself.
  void feedbackCutsNoLineAtTheTop() {
    bool scrolled = false;
    for (int height = 200; height < 330; height += 7) {
      ShownLesson shown(programLesson(lessonFiles().at(4)));
      shown.page.resize(480, height);
      QTest::qWait(0);
      shown.page.predictions().front()->options().front()->click();
      QTest::qWait(0);
      const auto* area = shown.page.findChild<QScrollArea*>();
      const int top = area->verticalScrollBar()->value();
      scrolled = scrolled || top > 0;
      for (const QLabel* label : area->widget()->findChildren<QLabel*>()) {
        const int above = label->mapTo(area->widget(), QPoint()).y();
        QVERIFY2(!label->isVisible() || above >= top || above + label->height() <= top, qPrintable(label->text()));
      }
      for (const LessonText* text : area->widget()->findChildren<LessonText*>()) {
        const int above = text->mapTo(area->widget(), QPoint()).y();
        if (!text->isVisible() || above >= top || above + text->height() <= top) continue;
        const QRect line = text->cursorRect(text->cursorForPosition({0, top - above}));
        QVERIFY2(above + line.top() >= top || above + line.bottom() < top, qPrintable(QString::number(height)));
      }
    }
    QVERIFY(scrolled);
  }

  /// A second click at the place of *Continue* must not go to the next lesson.
  void noButtonOfTheFootMovesWhenAStepIsDone() {
    for (const int width : {420, 480, 560, 700}) {
      ShownLesson shown(smallLesson(), {}, width);
      QTest::qWait(0);
      const QPushButton* const next = shown.page.nextButton();
      const QPushButton* const on = shown.page.continueButton();
      const QRect places[] = {on->geometry(), next->geometry()};
      const QString before = on->text();
      shown.page.predictions().front()->options().front()->click();
      QTest::qWait(0);
      QVERIFY(on->isVisible() && (before == QStringLiteral("Continue") || on->text() != before));
      QCOMPARE(on->geometry(), places[0]);
      QCOMPARE(next->geometry(), places[1]);
    }
  }

  /// A long title must not keep the page wide, and no button is cut.
  void theFootNamesWhatItHasRoomFor() {
    ShownLesson shown(smallLesson(), {}, 700);
    const QPushButton* const next = shown.page.nextButton();
    const QPushButton* const on = shown.page.continueButton();
    const auto* const note = shown.page.findChild<QLabel*>(QStringLiteral("lessonNote"));
    const int least = shown.page.minimumSizeHint().width();
    const auto fits = [&] {
      QTest::qWait(0);
      return next->width() >= next->sizeHint().width() && on->width() >= on->sizeHint().width() &&
             note->width() >= note->sizeHint().width() * (note->isVisible() ? 1 : 0);
    };
    QVERIFY(fits() && note->isVisible());
    QCOMPARE(next->text(), QStringLiteral("Next: Sums that lose"));
    QVERIFY(on->text().startsWith(QStringLiteral("Continue: ")));
    int named = 0;
    for (int width = 690; width >= least; width -= 10) {
      shown.page.resize(width, 800);
      QVERIFY2(fits(), qPrintable(QString::number(width)));
      named += !note->isVisible() && next->text() != QStringLiteral("Next");
    }
    QVERIFY(named > 0);  // the title stays longer than the note
    QCOMPARE(next->text(), QStringLiteral("Next"));
    QVERIFY(shown.page.minimumSizeHint().width() <= least);
    shown.page.resize(440, 800);
    setTextScale(*qApp, 1.5);
    const bool large = fits();
    setTextScale(*qApp, 1);
    QVERIFY(large);
  }
};

BINADE_SUITE(LessonLooks);

}  // namespace binade::views

#include "tst_lesson_looks.moc"
