// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "tests/views/shown_lesson.h"
#include "views/lessons/exercise_card.h"
#include "views/lessons/feedback_box.h"
#include "views/lessons/figure_link.h"
#include "views/lessons/lesson_list.h"
#include "views/lessons/lesson_text.h"
#include "views/lessons/option_button.h"
#include "views/lessons/prediction_card.h"
#include "views/lessons/step_bar.h"
#include "views/theme.h"

#include <QAbstractButton>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextLayout>

#include <algorithm>

namespace binade::views {

namespace {

const QString kBox = QStringLiteral("0123456789");

/// Widgets in the page whose text does not fit into them.
QStringList cutTexts(const LessonPage& page) {
  QStringList cut;
  const QWidget* content = page.content();
  for (const auto* text : content->findChildren<LessonText*>()) {
    if (!text->isVisibleTo(content)) continue;
    const QSizeF needed = text->document()->size();
    if (needed.height() > text->viewport()->height() + 1 || needed.width() > text->viewport()->width() + 1) {
      cut << text->toPlainText().left(50);
    }
  }
  for (const auto* label : content->findChildren<QLabel*>()) {
    if (label->isVisibleTo(content) && label->heightForWidth(label->width()) > label->height()) cut << label->text();
  }
  for (const auto* option : content->findChildren<OptionButton*>()) {
    if (option->isVisibleTo(content) && option->heightForWidth(option->width()) > option->height()) {
      cut << option->accessibleName();
    }
  }
  for (const auto* button : content->findChildren<QPushButton*>()) {
    if (button->isVisibleTo(content) && button->minimumSizeHint().width() > button->width()) cut << button->text();
  }
  return cut;
}

void answer(const ExerciseCard& card, const QString& text) {
  card.field()->setText(text);
  QTest::mouseClick(card.checkButton(), Qt::LeftButton);
}

bool stepDone(const LessonPage& page, lessons::LessonStep step) {
  for (const lessons::StepState& each : page.stepBar()->steps()) {
    if (each.step == step) return each.done;
  }
  return false;
}

}  // namespace

class LessonPages : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() { applyTheme(*qApp, Theme::kLight); }

  void theRevealIsHiddenUntilAPredictionIsMade() {
    ShownLesson shown(smallLesson());
    LessonPage& page = shown.page;
    QSignalSpy changed(&page, &LessonPage::progressChanged);
    QVERIFY(!page.isSectionShown(1) && !page.isSectionShown(2));
    QVERIFY(page.skipButton(1) != nullptr && page.skipButton(2) == nullptr);
    QVERIFY(!stepDone(page, lessons::LessonStep::kPredict) && !stepDone(page, lessons::LessonStep::kReveal));
    PredictionCard& card = *page.predictions().front();
    QVERIFY(card.feedback()->isHidden());
    QTest::mouseClick(card.options()[0], Qt::LeftButton);
    QCOMPARE(changed.count(), 1);
    QVERIFY(page.isSectionShown(1));
    QCOMPARE(page.skipButton(1), nullptr);
    QVERIFY(stepDone(page, lessons::LessonStep::kPredict) && stepDone(page, lessons::LessonStep::kReveal));
    QCOMPARE(card.feedback()->kind(), FeedbackBox::Kind::kRight);
    QVERIFY(card.feedback()->text().startsWith(QStringLiteral("Right.")));
  }

  void aWrongPredictionShowsItsFeedbackAndTheRightOption() {
    ShownLesson shown(smallLesson());
    PredictionCard& card = *shown.page.predictions().front();
    QTest::mouseClick(card.options()[1], Qt::LeftButton);
    QCOMPARE(card.feedback()->kind(), FeedbackBox::Kind::kNotYet);
    QCOMPARE(card.feedback()->text(), QStringLiteral("float16 has no such number."));
    QCOMPARE(card.options()[0]->note(), QStringLiteral("this is right"));
    QCOMPARE(card.options()[1]->note(), QStringLiteral("your prediction"));
    QVERIFY(shown.page.isSectionShown(1));
    // The first choice counts.
    QTest::mouseClick(card.options()[0], Qt::LeftButton);
    QVERIFY(card.options()[1]->isChecked());
    QCOMPARE(shown.page.work().predictions.front(), std::optional<std::size_t>(1));
  }

  void predictionsAreMadeByKeyboard() {
    ShownLesson shown(smallLesson());
    PredictionCard& card = *shown.page.predictions().front();
    card.options()[0]->setFocus();
    QTest::keyClick(card.options()[0], Qt::Key_Down);
    QVERIFY(card.options()[1]->hasFocus());
    QVERIFY(!card.chosen().has_value());
    QTest::keyClick(card.options()[1], Qt::Key_Space);
    QCOMPARE(card.chosen(), std::optional<std::size_t>(1));
    // Moving on does not choose again.
    QTest::keyClick(card.options()[1], Qt::Key_Up);
    QCOMPARE(shown.page.work().predictions.front(), std::optional<std::size_t>(1));
  }

  void skipOpensOneSection() {
    ShownLesson shown(smallLesson());
    LessonPage& page = shown.page;
    QTest::mouseClick(page.skipButton(1), Qt::LeftButton);
    QVERIFY(page.isSectionShown(1) && !page.isSectionShown(2));
    QVERIFY(!stepDone(page, lessons::LessonStep::kPredict));
    page.skipButton(2)->setFocus();
    QTest::keyClick(page.skipButton(2), Qt::Key_Space);
    QVERIFY(page.isSectionShown(2));
  }

  void anExerciseOfTheRevealHidesWhatFollows() {
    ShownLesson shown(smallLesson());
    LessonPage& page = shown.page;
    QTest::mouseClick(page.predictions().front()->options()[0], Qt::LeftButton);
    QVERIFY(!page.isSectionShown(2));
    answer(*page.exercises()[0], QStringLiteral("65504"));
    QVERIFY(!page.isSectionShown(2));
    answer(*page.exercises()[0], QStringLiteral("inf"));
    QVERIFY(page.isSectionShown(2));
    // A later wrong answer takes nothing away.
    answer(*page.exercises()[0], QStringLiteral("1"));
    QVERIFY(page.isSectionShown(2));
  }

  void exercisesExplainWrongAnswers() {
    ShownLesson shown(smallLesson(), {.opened = 9});
    ExerciseCard& card = *shown.page.exercises()[0];
    const auto feedback = [&] { return card.feedback()->text(); };
    QVERIFY(card.feedback()->isHidden());
    QTest::mouseClick(card.checkButton(), Qt::LeftButton);
    QVERIFY(!card.feedback()->isHidden());  // an empty field
    QVERIFY(shown.page.work().answers[0].empty());
    answer(card, QStringLiteral("65504"));
    QCOMPARE(feedback(), QStringLiteral("65520 is the tie, and it rounds away."));
    answer(card, QStringLiteral("7"));
    QCOMPARE(feedback(), QStringLiteral("Look at the table."));
    answer(card, QStringLiteral("seven"));
    QCOMPARE(card.feedback()->kind(), FeedbackBox::Kind::kNotYet);
    QVERIFY(feedback() != QStringLiteral("Look at the table."));
    QCOMPARE(shown.page.work().answers[0], std::string("7"));
    QVERIFY(card.hintBox()->isHidden());
    QTest::mouseClick(card.hintButton(), Qt::LeftButton);
    QCOMPARE(card.hintBox()->text(), QStringLiteral("The largest number is 65504."));
    QVERIFY(!card.isRight());
    card.field()->setText(QStringLiteral("inf"));
    QTest::keyClick(card.field(), Qt::Key_Return);
    QVERIFY(card.isRight());
    QCOMPARE(card.feedback()->kind(), FeedbackBox::Kind::kRight);
  }

  // The page is so low that each feedback would be below its end.
  void feedbackComesIntoSight() {
    ShownLesson shown(smallLesson());
    LessonPage& page = shown.page;
    page.resize(480, 320);
    auto* scroll = page.findChild<QScrollArea*>();
    const auto inSight = [&](const QWidget* box) {
      const QRect place(box->mapTo(scroll->viewport(), QPoint()), box->size());
      return box->isVisible() && scroll->viewport()->rect().contains(place);
    };
    const auto placeAtFoot = [&](const QWidget* widget) {
      const int foot = widget->mapTo(page.content(), QPoint(0, widget->height())).y();
      scroll->verticalScrollBar()->setValue(foot - scroll->viewport()->height());
    };
    const PredictionCard& prediction = *page.predictions().front();
    placeAtFoot(prediction.options().back());
    QTest::mouseClick(prediction.options().back(), Qt::LeftButton);
    QTRY_VERIFY(inSight(prediction.feedback()));
    const ExerciseCard& exercise = *page.exercises().front();
    QTRY_VERIFY(exercise.isVisibleTo(page.content()));
    QTest::qWait(0);
    placeAtFoot(exercise.checkButton());
    answer(exercise, QStringLiteral("65504"));
    QTRY_VERIFY(inSight(exercise.feedback()));
    placeAtFoot(exercise.hintButton());
    QTest::mouseClick(exercise.hintButton(), Qt::LeftButton);
    QTRY_VERIFY(inSight(exercise.hintBox()));
  }

  void aDoneLessonIsKeptInItsWork() {
    lessons::LessonWork work;
    {
      ShownLesson shown(smallLesson());
      LessonPage& page = shown.page;
      connect(&page, &LessonPage::progressChanged, &page, [&](const lessons::LessonWork& now) { work = now; });
      QTest::mouseClick(page.predictions().front()->options()[1], Qt::LeftButton);
      answer(*page.exercises()[0], QStringLiteral("inf"));
      QVERIFY(!lessons::is_lesson_done(smallLesson(), work));
      answer(*page.exercises()[1], QStringLiteral(" Too small "));
      QVERIFY(lessons::is_lesson_done(smallLesson(), work));
    }
    ShownLesson again(smallLesson(), work);
    QCOMPARE(again.page.predictions().front()->chosen(), std::optional<std::size_t>(1));
    QVERIFY(again.page.exercises()[1]->isRight());
    QVERIFY(again.page.isSectionShown(2));
    QVERIFY(stepDone(again.page, lessons::LessonStep::kCheck));
    QSignalSpy changed(&again.page, &LessonPage::progressChanged);
    again.page.findChild<QPushButton*>(QStringLiteral("startAgain"))->click();
    QCOMPARE(changed.count(), 1);
    QVERIFY(!again.page.isSectionShown(1));
    QVERIFY(!again.page.predictions().front()->chosen().has_value());
  }

  void experimentsShowTheirStates() {
    using Phase = RunState::Phase;
    ShownLesson shown(smallLesson());
    LessonPage& page = shown.page;
    QCOMPARE(page.runCount(), 1);
    RunCard& card = *page.runs()[0];
    QSignalSpy run(&page, &LessonPage::runRequested);
    QSignalSpy cancel(&page, &LessonPage::cancelRequested);
    QVERIFY(card.accessibleDescription().contains(QStringLiteral("mlp")));
    card.runButton()->setFocus();
    QTest::keyClick(card.runButton(), Qt::Key_Space);
    QCOMPARE(run.count(), 1);
    QCOMPARE(run.first().first().toInt(), 0);
    page.setRunState(0, {Phase::kRunning, 0.25, QStringLiteral("Step 5 of 20")});
    QVERIFY(!card.runButton()->isVisible() && card.cancelButton()->isVisible());
    QVERIFY(!card.figureButton()->isVisible());
    QCOMPARE(card.findChild<QProgressBar*>()->value(), 250);
    QTest::mouseClick(card.cancelButton(), Qt::LeftButton);
    QCOMPARE(cancel.count(), 1);
    page.setRunState(0, {Phase::kFailed, -1, QStringLiteral("The engine ended.")});
    QCOMPARE(card.text(), QStringLiteral("The engine ended."));
    QVERIFY(!stepDone(page, lessons::LessonStep::kRun));
    page.setRunState(0, {Phase::kDone, 1, QStringLiteral("The loss fell.")});
    QCOMPARE(card.text(), QStringLiteral("The loss fell."));
    QVERIFY(stepDone(page, lessons::LessonStep::kRun));
    QCOMPARE(page.work().ran, std::vector<bool>{true});
    page.setRunState(0, {Phase::kDone, 1, QStringLiteral("The loss fell."), true});
    QSignalSpy figure(&page, &LessonPage::runFigureRequested);
    QTest::mouseClick(card.figureButton(), Qt::LeftButton);
    QCOMPARE(figure.count(), 1);
    page.setRunState(5, {Phase::kDone});  // no such experiment
  }

  void withoutAnEngineTheExperimentExplainsItself() {
    ShownLesson shown(smallLesson());
    shown.page.setRunState(0, {RunState::Phase::kNoEngine, -1, QStringLiteral("Install binade-engine.")});
    const RunCard& card = *shown.page.runs()[0];
    QVERIFY(card.text().contains(QStringLiteral("No engine")));
    QVERIFY(card.text().contains(QStringLiteral("Install binade-engine.")));
    QVERIFY(card.runButton()->isVisible());  // to try again
    QTest::mouseClick(shown.page.predictions().front()->options()[0], Qt::LeftButton);
    QVERIFY(shown.page.isSectionShown(1));
  }

  void figuresFollowTheReaderAndTheButtons() {
    LessonPage page;
    page.resize(480, 400);
    QStringList names;
    connect(&page, &LessonPage::figureShown, &page,
            [&](const lessons::Figure& figure) { names << QString::fromStdString(figure.name); });
    page.setLesson(smallLesson(), {1, {true, false, false}}, {.opened = 9});
    QCOMPARE(names, QStringList{QStringLiteral("small")});  // at once
    page.show();
    QTest::qWait(0);
    auto* bar = page.findChild<QScrollArea*>()->verticalScrollBar();
    bar->setValue(bar->maximum());
    QCOMPARE(names.last(), QStringLiteral("ruler"));
    QVERIFY(page.figures()[1]->isShown() && !page.figures()[0]->isShown());
    page.figures()[0]->button()->click();
    QCOMPARE(names.last(), QStringLiteral("small"));
    // It stays while the same place is in sight.
    const auto count = names.size();
    bar->setValue(bar->maximum() - 2);
    QCOMPARE(names.size(), count);
  }

  void aFigureAfterAPredictionIsCoveredUntilThen_data() {
    QTest::addColumn<bool>("skips");
    QTest::newRow("predicted") << false;
    QTest::newRow("skipped") << true;
  }
  void aFigureAfterAPredictionIsCoveredUntilThen() {
    QFETCH(const bool, skips);
    LessonPage page;
    page.resize(480, 800);
    QStringList shown;
    QStringList covered;
    connect(&page, &LessonPage::figureShown, &page,
            [&](const lessons::Figure& figure) { shown << QString::fromStdString(figure.name); });
    connect(&page, &LessonPage::figureCovered, &page,
            [&](const lessons::Figure& figure) { covered << QString::fromStdString(figure.name); });
    page.setLesson(smallLesson(), {1, {true, false, false}});
    page.show();
    QTest::qWait(0);
    QCOMPARE(covered, QStringList{QStringLiteral("small")});
    QCOMPARE(shown, QStringList());
    QVERIFY(!page.figures()[0]->isShown() && !page.figures()[0]->button()->isEnabled());
    QAbstractButton* next = page.skipButton(1);
    if (!skips) next = page.predictions().front()->options()[1];
    next->click();
    QCOMPARE(shown, QStringList{QStringLiteral("small")});
    QVERIFY(page.figures()[0]->isShown() && page.figures()[0]->button()->isEnabled());
    // Other work does not show it again.
    answer(*page.exercises()[0], QStringLiteral("inf"));
    QCOMPARE(shown.count(QStringLiteral("small")), 1);
    QCOMPARE(covered.size(), 1);
    page.findChild<QPushButton*>(QStringLiteral("startAgain"))->click();
    QCOMPARE(covered.size(), 2);
  }

  void aFigureBeforeThePredictionIsShownAtOnce() {
    lessons::Lesson lesson = smallLesson();
    auto& blocks = lesson.sections.front().blocks;
    std::stable_partition(blocks.begin(), blocks.end(),
                          [](const lessons::Block& block) { return std::holds_alternative<lessons::Figure>(block); });
    LessonPage page;
    QSignalSpy shown(&page, &LessonPage::figureShown);
    page.setLesson(lesson, {1, {true, false, false}});
    QCOMPARE(shown.count(), 1);
    QVERIFY(page.figures()[0]->isShown());
  }

  void theFootSaysWhatIsLeft() {
    ShownLesson shown(smallLesson());
    auto* note = shown.page.findChild<QLabel*>(QStringLiteral("lessonNote"));
    QCOMPARE(note->text(), QStringLiteral("2 checks left"));
    answer(*shown.page.exercises()[0], QStringLiteral("inf"));
    QCOMPARE(note->text(), QStringLiteral("1 check left"));
    answer(*shown.page.exercises()[1], QStringLiteral("small"));
    QCOMPARE(note->text(), QStringLiteral("Prediction not made"));
    QTest::mouseClick(shown.page.predictions().front()->options()[0], Qt::LeftButton);
    QVERIFY(note->text().isEmpty() && note->isHidden());
  }

  void stepsLeadToTheirPlaces() {
    ShownLesson shown(smallLesson(), {.opened = 9}, 360);
    shown.page.resize(360, 400);
    QTest::qWait(0);
    auto* bar = shown.page.findChild<QScrollArea*>()->verticalScrollBar();
    QVERIFY(bar->maximum() > 0);
    const auto& buttons = shown.page.stepBar()->buttons();
    QCOMPARE(buttons.size(), std::size_t{4});
    QTest::mouseClick(buttons.back(), Qt::LeftButton);
    QVERIFY(bar->value() > 0);
    buttons.front()->setFocus();
    const int before = bar->value();
    QTest::keyClick(buttons.front(), Qt::Key_Space);
    QVERIFY(bar->value() < before);
  }

  void continueLeadsToTheFirstOpenStep() {
    ShownLesson shown(smallLesson(), {.opened = 9}, 360);
    shown.page.resize(360, 400);
    QTest::qWait(0);
    auto* bar = shown.page.findChild<QScrollArea*>()->verticalScrollBar();
    bar->setValue(bar->maximum());
    QTest::mouseClick(shown.page.continueButton(), Qt::LeftButton);  // to the prediction, at the beginning
    QVERIFY(bar->value() < bar->maximum());
  }

  void backAndNextRequestLessons() {
    ShownLesson shown(smallLesson());
    QSignalSpy requested(&shown.page, &LessonPage::lessonRequested);
    QTest::mouseClick(shown.page.nextButton(), Qt::LeftButton);
    QTest::mouseClick(shown.page.backButton(), Qt::LeftButton);
    QCOMPARE(requested.at(0).first().toInt(), 2);
    QCOMPARE(requested.at(1).first().toInt(), 0);
    shown.page.setLesson(smallLesson(), {0, {false}}, {});
    QVERIFY(!shown.page.backButton()->isEnabled() && !shown.page.nextButton()->isVisible());
  }

  void everyLessonFits_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("width");
    for (const QString& file : lessonFiles()) {
      for (const int width : {360, 480, 900}) {
        QTest::newRow(qPrintable(QStringLiteral("%1 at %2 px").arg(file).arg(width))) << file << width;
      }
    }
  }
  void everyLessonFits() {
    QFETCH(const QString, file);
    QFETCH(const int, width);
    const lessons::Lesson lesson = programLesson(file);
    lessons::LessonWork work{.opened = 99};
    work.predictions = {0};
    work.answers = {"1", "1", "1"};
    ShownLesson shown(lesson, work, width);
    for (int run = 0; run < shown.page.runCount(); ++run) {
      shown.page.setRunState(run, {RunState::Phase::kNoEngine, -1, QStringLiteral("Install binade-engine.")});
    }
    QTest::qWait(0);
    QCOMPARE(shown.page.width(), width);
    QVERIFY(shown.page.content()->width() <= width);
    QCOMPARE(cutTexts(shown.page), QStringList());
    QVERIFY(!shown.page.figures().empty() && !shown.page.exercises().empty());
  }

  void powersAreRaisedExceptInCode() {
    QTextDocument document;
    readLessonText(document, QStringLiteral("Below 2^-14, and `2^-11`, and 2^k."));
    QCOMPARE(document.toPlainText(), QStringLiteral("Below 2−14, and 2^-11, and 2k."));
    int raised = 0;
    const QTextBlock block = document.begin();
    for (auto each = block.begin(); !each.atEnd(); ++each) {
      const QTextFragment part = each.fragment();
      if (part.charFormat().verticalAlignment() != QTextCharFormat::AlignSuperScript) continue;
      ++raised;
      QVERIFY2(part.text() == QStringLiteral("−14") || part.text() == QStringLiteral("k"), qPrintable(part.text()));
    }
    QCOMPARE(raised, 2);
    readLessonText(document, QStringLiteral("A <b>tag</b> is text."));
    QVERIFY(document.toPlainText().contains(QStringLiteral("<b>")));
  }

  void linesOfCodeDoNotWrap() {
    const QString code = QStringLiteral("```\nscaler.step(optimizer)  # divide, check, then step or skip\n```\n");
    LessonText text(code);
    const auto line = [&] { return text.document()->find(QStringLiteral("scaler")).block(); };
    for (const int width : {600, 380}) {
      text.resize(width, 200);
      text.show();
      QTest::qWait(0);
      QCOMPARE(line().layout()->lineCount(), 1);
      QVERIFY(text.document()->size().width() <= text.viewport()->width() + 1);
      QVERIFY(text.document()->size().height() <= text.heightFor(width));
    }
    // What is too long even in small letters goes on below, further to the right than it begins.
    text.resize(160, 200);
    QTest::qWait(0);
    const QTextLayout* layout = line().layout();
    QVERIFY(layout->lineCount() > 1);
    QVERIFY(layout->lineAt(1).x() > layout->lineAt(0).x() + 30);
    QVERIFY(text.document()->size().width() <= text.viewport()->width() + 1);
  }

  void headingsShowNoCaret() {
    ShownLesson shown(smallLesson());
    for (const auto* label : shown.page.content()->findChildren<QLabel*>()) {
      QVERIFY2(!label->textInteractionFlags().testFlag(Qt::TextSelectableByKeyboard), qPrintable(label->text()));
    }
  }

  void theListNamesLessonsAndOpensThem() {
    LessonList list;
    list.setLessons({{QStringLiteral("Range"), QStringLiteral("What bits buy."), true},
                     {QStringLiteral("Sums"), QStringLiteral("What sums lose. ") + kBox.repeated(20), false}},
                    0);
    list.resize(360, 400);
    list.show();
    QTest::qWait(0);
    QSignalSpy requested(&list, &LessonList::lessonRequested);
    QTest::keyClick(&list, Qt::Key_Down);
    QTest::keyClick(&list, Qt::Key_Return);
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.item(0)).center());
    QCOMPARE(requested.count(), 2);
    QCOMPARE(requested.at(0).first().toInt(), 1);
    QCOMPARE(requested.at(1).first().toInt(), 0);
    QVERIFY(list.item(0)->data(Qt::AccessibleTextRole).toString().endsWith(QStringLiteral("done")));
    QVERIFY(!list.item(1)->data(Qt::AccessibleTextRole).toString().endsWith(QStringLiteral("done")));
    // At the right end of its row, beside the texts.
    const auto hasTick = [&list](int row) {
      const QRect rect = list.visualItemRect(list.item(row));
      const QImage end = list.viewport()->grab(QRect(rect.right() - 28, rect.top() + 8, 18, 18)).toImage();
      for (int y = 0; y < end.height(); ++y) {
        for (int x = 0; x < end.width(); ++x) {
          if (end.pixelColor(x, y).lightness() < 128) return true;
        }
      }
      return false;
    };
    QVERIFY(hasTick(0) && !hasTick(1));
  }
};

BINADE_SUITE(LessonPages);

}  // namespace binade::views

#include "tst_lesson_page.moc"
