// SPDX-License-Identifier: Apache-2.0
// What is shown beside a lesson's text: its figure, covered until the prediction is made; the curves of an experiment
// in their colours, and no message that moves the page.
#include "app/docks/figure_dock.h"
#include "app/docks/lesson_dock.h"
#include "app/lessons/run_losses.h"
#include "app/window/arrangement.h"
#include "app/window/banner.h"
#include "app/window/lesson_flow.h"
#include "tests/app/app_fixture.h"
#include "tests/app/lessons/lesson_text.h"
#include "tests/support/suite.h"
#include "views/lessons/figure_link.h"
#include "views/lessons/figure_slider.h"
#include "views/lessons/figure_view.h"
#include "views/lessons/lesson_page.h"
#include "views/lessons/option_button.h"
#include "views/lessons/prediction_card.h"
#include "views/lessons/run_card.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <optional>
#include <vector>

namespace {

using namespace binade;
using test::Explorer;

app::TrainingLosses trainingIn(const char* name, policy::Base base) {
  return {.training = {name, base, {}}, .losses = {{0, 2.0}, {1, 1.5}}};
}

QString messagesOf(app::Session& session) {
  QString text;
  const QAbstractItemModel& log = session.log();
  for (int row = 0; row < log.rowCount(); ++row) {
    for (int column = 0; column < log.columnCount(); ++column) text += log.index(row, column).data().toString() + u'\n';
  }
  return text;
}

class LessonSides : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aTrainingKeepsItsColour() {
    const app::TrainingLosses wide = trainingIn("all-float32", policy::Base::kAllFloat32);
    const app::TrainingLosses narrow = trainingIn("cuda-amp", policy::Base::kCudaAmp);
    const auto alone = app::lossFigure({wide}, 2);
    const auto both = app::lossFigure({wide, narrow}, 2);
    const lessons::Series& first = both.panels.front().series.front();
    QCOMPARE(first.title, std::string("all-float32"));
    QVERIFY(first.format == formats::kFloat32);
    QVERIFY(alone.panels.front().series.front().format == first.format);
    QVERIFY(alone.panels.front().series.front().role == first.role);
    QVERIFY(both.panels.front().series.back().format == formats::kFloat16);
    // Of two trainings in one format, the first has a colour of its own: the same alone and beside the other.
    const auto same = app::lossFigure({narrow, trainingIn("apex-o1", policy::Base::kApexO1)}, 2);
    const lessons::Series& own = same.panels.front().series.front();
    QVERIFY(own.format != same.panels.front().series.back().format);
    QVERIFY(app::lossFigure({narrow}, 2).panels.front().series.front().format == own.format);
  }

  void withoutALessonTheFigureOffersTheFirstThatIsNotDone() {
    Explorer explorer;
    explorer.show();
    app::DockSet::raise(explorer.window().docks()->figure);
    explorer.window().setArrangement(app::Arrangement::kLearn);
    explorer.window().setArrangement(app::Arrangement::kTune);
    app::DockSet::raise(explorer.window().docks()->figure);
    QPushButton* open = explorer.window().docks()->figure->lessonButton();
    QVERIFY(open != nullptr);
    QTRY_VERIFY(open->isVisible());
    QVERIFY2(open->text().contains(QStringLiteral("Range and precision")), qPrintable(open->text()));
    open->click();
    QVERIFY(explorer.window().arrangement() == app::Arrangement::kLearn);
    QCOMPARE(explorer.window().docks()->lesson->shown(), std::optional<std::size_t>(0));
    QVERIFY(!open->isVisible());
  }

  // Lesson 6: the figure has a slider, and its table shows the answer too.
  void aFigureIsCoveredUntilAPredictionIsChosen() {
    Explorer explorer;
    explorer.show();
    explorer.window().openLesson(QStringLiteral("6"));
    views::FigureView* view = explorer.window().docks()->figure->view();
    QTRY_VERIFY(view->uncoverButton()->isVisible());
    QVERIFY(!view->showsFigure() && !view->canvas()->isVisible() && !view->slider()->isVisible());
    QVERIFY2(view->accessibleDescription().contains(QStringLiteral("The figure is covered")),
             qPrintable(view->accessibleDescription()));
    QVERIFY(!view->uncoverButton()->accessibleDescription().isEmpty());
    views::LessonPage* page = explorer.window().docks()->lesson->page();
    page->predictions().front()->options().front()->click();
    QTRY_VERIFY(view->canvas()->isVisible() && view->slider()->isVisible());
    QVERIFY(!view->uncoverButton()->isVisible());
    // A lesson whose prediction was made shows its figure at once, also after another lesson.
    explorer.window().openLesson(QStringLiteral("7"));
    QVERIFY(!view->showsFigure());
    explorer.window().openLesson(QStringLiteral("6"));
    QVERIFY(view->showsFigure());
  }

  void aCoveredFigureIsShownByItsButton() {
    Explorer explorer;
    explorer.show();
    explorer.window().openLesson(QStringLiteral("2"));
    app::FigureDock* dock = explorer.window().docks()->figure;
    views::FigureView* view = dock->view();
    QTRY_VERIFY(view->uncoverButton()->isVisible());
    explorer.window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&explorer.window()));
    dock->setFocus();
    QTRY_VERIFY(view->uncoverButton()->hasFocus());
    QTest::keyClick(view->uncoverButton(), Qt::Key_Space);
    QVERIFY(view->showsFigure());
    QTRY_VERIFY(view->canvas()->hasFocus());
    // The prediction can still be made, and the text after it stays hidden until then.
    views::LessonPage* page = explorer.window().docks()->lesson->page();
    QVERIFY(!page->predictions().front()->chosen() && !page->isSectionShown(1));
    // The second figure, which is the next one of the question, has a cover of its own.
    QVERIFY(page->figures().front()->button()->isEnabled() && !page->figures()[1]->button()->isEnabled());
    page->predictions().front()->options().front()->click();
    QVERIFY(view->showsFigure() && page->isSectionShown(1));
  }

  // The figures of lesson 9 wait for an exercise too.
  void theCoverNamesTheExerciseAfterThePrediction() {
    Explorer explorer;
    explorer.show();
    explorer.window().openLesson(QStringLiteral("9"));
    const views::FigureView* view = explorer.window().docks()->figure->view();
    QVERIFY(view->accessibleDescription().contains(QStringLiteral("Make your prediction first.")));
    explorer.window().docks()->lesson->page()->predictions().front()->options().front()->click();
    QVERIFY(!view->showsFigure());
    QVERIFY2(view->accessibleDescription().contains(QStringLiteral("Answer the exercise")),
             qPrintable(view->accessibleDescription()));
  }

  void aComparisonOfAnExperimentIsLoggedWithoutABanner() {
    Explorer explorer({QStringLiteral("--compare-at"), QStringLiteral("4")});
    explorer.show();
    explorer.window().openLesson(test::writeLesson(test::lessonWithRun()));
    views::LessonPage* page = explorer.window().docks()->lesson->page();
    if (QPushButton* skip = page->skipButton(1)) skip->click();
    QSignalSpy news(&explorer.session(), &app::Session::comparedByItself);
    page->runs().front()->runButton()->click();
    const app::LessonRun* run = explorer.window().lessons()->run();
    QTRY_VERIFY_WITH_TIMEOUT(run->state() == app::LessonRun::State::kEnded, 20000);
    QCOMPARE(news.count(), 1);
    QVERIFY2(!explorer.window().banner()->isVisible(), qPrintable(explorer.window().banner()->message()));
    QVERIFY2(messagesOf(explorer.session()).contains(QStringLiteral("beside float32")),
             qPrintable(messagesOf(explorer.session())));
  }
};

BINADE_SUITE(LessonSides);

}  // namespace

#include "tst_lesson_beside.moc"
