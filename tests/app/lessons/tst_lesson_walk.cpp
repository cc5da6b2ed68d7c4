// SPDX-License-Identifier: Apache-2.0
// Every lesson as a student takes it, through the window: predictions, figures, experiments, wrong and right answers.
#include "app/docks/events_dock.h"
#include "app/docks/figure_dock.h"
#include "app/docks/gradients_dock.h"
#include "app/docks/graph_dock.h"
#include "app/docks/inspector_dock.h"
#include "app/docks/lesson_dock.h"
#include "app/docks/log_dock.h"
#include "app/docks/numbers_dock.h"
#include "app/docks/questions_dock.h"
#include "app/docks/series_dock.h"
#include "app/docks/silent_dock.h"
#include "app/lessons/lesson_course.h"
#include "app/window/actions.h"
#include "app/window/banner.h"
#include "app/window/lesson_flow.h"
#include "app/window/start_page.h"
#include "app/window/status_line.h"
#include "engine/lessons/blocks_of.h"
#include "engine/lessons/compute_figure.h"
#include "tests/app/app_fixture.h"
#include "tests/app/lessons/lesson_text.h"
#include "tests/support/suite.h"
#include "views/lessons/exercise_card.h"
#include "views/lessons/feedback_box.h"
#include "views/lessons/figure_link.h"
#include "views/lessons/figure_slider.h"
#include "views/lessons/figure_view.h"
#include "views/lessons/lesson_list.h"
#include "views/lessons/lesson_page.h"
#include "views/lessons/option_button.h"
#include "views/lessons/prediction_card.h"
#include "views/lessons/run_card.h"
#include "views/numbers/numbers_view.h"

#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSlider>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using namespace binade;
using app::Arrangement;
using app::LessonRun;
using test::Explorer;
using views::ExerciseCard;
using views::PredictionCard;
using views::RunCard;

void settleLesson() {
  for (int i = 0; i < 5; ++i) QApplication::processEvents();
}

QString typed(const std::variant<double, std::string>& answer) {
  if (const auto* word = std::get_if<std::string>(&answer)) return QString::fromStdString(*word);
  const double number = std::get<double>(answer);
  if (std::isnan(number)) return QStringLiteral("nan");
  if (std::isinf(number)) return number < 0 ? QStringLiteral("-inf") : QStringLiteral("inf");
  return QString::number(number, 'g', 17);
}

QString rightAnswer(const lessons::Exercise& exercise) {
  if (const auto* names = std::get_if<std::vector<std::string>>(&exercise.answer)) {
    return QString::fromStdString(names->front());
  }
  return typed(std::get<double>(exercise.answer));
}

void checkAnswer(ExerciseCard* card, const QString& answer) {
  card->field()->setText(answer);
  card->checkButton()->click();
}

// The window with a lesson in the arrangement Learn.
class Student {
 public:
  explicit Student(const QString& lesson, const QStringList& engine = {}) : explorer_(engine) {
    explorer_.show();
    explorer_.window().openLesson(lesson);
    settleLesson();
  }

  Explorer& explorer() { return explorer_; }
  app::MainWindow& window() { return explorer_.window(); }
  app::LessonDock* dock() { return window().docks()->lesson; }
  app::FigureDock* figure() { return window().docks()->figure; }
  const lessons::Lesson& lesson() { return *dock()->entry()->lesson(); }

  views::LessonPage* page() { return dock()->page(); }
  // Whether a card's section is open.
  bool isOpen(const QWidget* card) { return card->isVisibleTo(page()->content()); }

  // Makes all predictions that are open.
  void predict(bool right) {
    const auto predictions = lessons::blocks_of<lessons::Prediction>(lesson());
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      PredictionCard* card = page()->predictions()[i];
      if (card->chosen() || !isOpen(card)) continue;
      const auto& options = predictions[i]->options;
      const auto wanted = std::find_if(options.begin(), options.end(),
                                       [&](const lessons::Option& each) { return each.right == right; });
      card->options()[static_cast<std::size_t>(wanted - options.begin())]->click();
      QCOMPARE(card->feedback()->text(), QString::fromStdString(wanted->feedback));
      settleLesson();
    }
  }

  bool run(std::size_t index) {
    page()->runs()[index]->runButton()->click();
    return QTest::qWaitFor([&] { return window().lessons()->run()->state() == LessonRun::State::kEnded; }, 30000);
  }

 private:
  Explorer explorer_;
};

class LessonWalks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyLessonFromThePredictionToTheLastCheck_data() {
    QTest::addColumn<int>("number");
    for (int number = 1; number <= 11; ++number) QTest::addRow("lesson %d", number) << number;
  }

  void everyLessonFromThePredictionToTheLastCheck() {
    QFETCH(const int, number);
    Student student(QString::number(number));
    app::MainWindow& window = student.window();
    QVERIFY(window.showsRun() && window.arrangement() == Arrangement::kLearn);
    QVERIFY2(window.windowTitle().startsWith(QStringLiteral("Lesson %1: ").arg(number)),
             qPrintable(window.windowTitle()));
    // The figure would give the answer of the prediction away.
    const views::FigureView* figure = student.figure()->view();
    QVERIFY(!figure->showsFigure());
    QVERIFY2(figure->accessibleDescription().contains(QStringLiteral("Make your prediction first.")),
             qPrintable(figure->accessibleDescription()));
    const auto figures = lessons::blocks_of<lessons::Figure>(student.lesson());
    QVERIFY(!figures.empty());
    student.predict(number % 2 == 0);
    // Lesson 9 asks for the op call before its figures show what happened.
    QCOMPARE(figure->showsFigure(), number != 9);
    if (number != 9) QCOMPARE(figure->accessibleDescription(), QString());
    const auto experiments = lessons::blocks_of<lessons::Experiment>(student.lesson());
    const auto exercises = lessons::blocks_of<lessons::Exercise>(student.lesson());
    views::LessonPage* page = student.page();
    QCOMPARE(page->runs().size(), experiments.size());
    QCOMPARE(page->exercises().size(), exercises.size());
    std::size_t ran = 0;
    std::size_t answered = 0;
    while (ran < experiments.size() || answered < exercises.size()) {
      student.predict(true);  // questions of sections that have opened
      if (ran < experiments.size() && student.isOpen(page->runs()[ran])) {
        QVERIFY(student.run(ran));
        QVERIFY2(window.lessons()->run()->isComplete(), qPrintable(window.lessons()->run()->text()));
        QCOMPARE(page->runs()[ran]->text(), window.lessons()->run()->text());
        ++ran;
        continue;
      }
      QVERIFY2(answered < exercises.size() && student.isOpen(page->exercises()[answered]),
               "neither a question nor an experiment is open");
      const lessons::Exercise& exercise = *exercises[answered];
      ExerciseCard* card = page->exercises()[answered++];
      for (const lessons::WrongAnswer& wrong : exercise.wrong) {
        checkAnswer(card, typed(wrong.answer));
        QVERIFY2(!card->isRight(), qPrintable(typed(wrong.answer)));
        QCOMPARE(card->feedback()->text(), QString::fromStdString(wrong.feedback));
      }
      checkAnswer(card, rightAnswer(exercise));
      QVERIFY2(card->isRight(), qPrintable(rightAnswer(exercise)));
      QCOMPARE(card->feedback()->text(), QString::fromStdString(exercise.right));
      settleLesson();
    }
    for (std::size_t i = 0; i < student.lesson().sections.size(); ++i) QVERIFY(page->isSectionShown(i));
    QVERIFY(std::none_of(page->figures().begin(), page->figures().end(),
                         [](const views::FigureLink* link) { return !link->button()->isEnabled(); }));
    QCOMPARE(window.lessons()->progressText(), QStringLiteral("1 of 11 lessons done"));
    Explorer::picture(&window, QStringLiteral("lesson-%1-done").arg(number));
  }

  void everyFigureShowsWhatIsComputed_data() { everyLessonFromThePredictionToTheLastCheck_data(); }

  void everyFigureShowsWhatIsComputed() {
    QFETCH(const int, number);
    Student student(QString::number(number));
    views::FigureView* view = student.figure()->view();
    for (const lessons::Figure* figure : lessons::blocks_of<lessons::Figure>(student.lesson())) {
      student.figure()->showFigure(*figure);
      QVERIFY(view->showsFigure());
      const auto compare = [&](std::optional<double> at) {
        const lessons::FigureData wanted = lessons::compute(*figure->kind, figure->parameters, at);
        QCOMPARE(view->figure().facts.size(), wanted.facts.size());
        for (std::size_t i = 0; i < wanted.facts.size(); ++i) {
          QCOMPARE(view->figure().facts[i].name, wanted.facts[i].name);
          QCOMPARE(view->figure().facts[i].text, wanted.facts[i].text);
        }
        QCOMPARE(view->figure().text, wanted.text);
      };
      compare({});
      if (!figure->kind->has_slider()) continue;
      QSlider* slider = view->slider()->slider();
      slider->setValue(slider->maximum());
      compare(figure->kind->slider.high);
      slider->setValue(slider->minimum());
      compare(figure->kind->slider.low);
    }
  }

  void progressIsKeptOverStarts() {
    Student student(QStringLiteral("1"));
    student.predict(false);
    const auto exercises = lessons::blocks_of<lessons::Exercise>(student.lesson());
    checkAnswer(student.page()->exercises().front(), rightAnswer(*exercises.front()));
    const std::optional<std::size_t> chosen = student.page()->predictions().front()->chosen();
    QVERIFY(chosen);
    student.window().close();

    app::Session session(test::fakeEngine(), &student.explorer().settings());
    app::MainWindow again(&session, &student.explorer().settings());
    again.resize(1600, 1000);
    again.show();
    again.startPage()->doors()[4]->trigger();  // Learn, key 5
    settleLesson();
    app::LessonDock* dock = again.docks()->lesson;
    QVERIFY(again.showsRun() && dock->shown() == std::optional<std::size_t>(0));
    QCOMPARE(dock->page()->predictions().front()->chosen(), chosen);
    QVERIFY(dock->page()->exercises().front()->isRight());
  }

  // Lesson 9 asks for the op call before it shows the verdict, in any dock that could name it. That its experiment has
  // a verdict is shown by LessonJourneys, with the real engine.
  void theVerdictIsCoveredUntilTheOpCallIsNamed() {
    Student student(QStringLiteral("9"));
    app::DockSet* docks = student.window().docks();
    const std::vector<app::Dock*> verdicts = {docks->inspector, docks->questions, docks->events,
                                              docks->silent,    docks->graph,     docks->log};
    std::vector<QWidget*> contents;
    for (const app::Dock* dock : verdicts) contents.push_back(dock->widget());
    // All six show a sentence in place of their contents, or all six show their contents.
    const auto all = [&](bool covered) {
      for (std::size_t i = 0; i < verdicts.size(); ++i) {
        const auto* sentence = qobject_cast<const QLabel*>(verdicts[i]->widget());
        const bool says = sentence != nullptr && sentence->text().contains(QStringLiteral("covered"));
        const bool shows = verdicts[i]->widget() == contents[i] && contents[i]->isVisibleTo(verdicts[i]);
        const bool hides = !contents[i]->isVisibleTo(verdicts[i]);
        if (verdicts[i]->isCovered() == covered && (covered ? says && hides : shows)) continue;
        qWarning("%s", qPrintable(verdicts[i]->windowTitle()));
        return false;
      }
      return true;
    };
    student.predict(true);
    QVERIFY(all(false));
    student.page()->runs().front()->runButton()->click();
    QVERIFY(all(true));
    QVERIFY(
        QTest::qWaitFor([&] { return student.window().lessons()->run()->state() == LessonRun::State::kEnded; }, 30000));
    QVERIFY(all(true));
    student.window().setArrangement(Arrangement::kDiagnose);
    QCOMPARE(student.explorer().session().selection().event(), -1);
    student.window().setArrangement(Arrangement::kLearn);
    settleLesson();
    ExerciseCard* card = student.page()->exercises().front();
    QVERIFY(student.isOpen(card));
    checkAnswer(card, QStringLiteral("aten::softmax#0"));
    QVERIFY(all(true));
    checkAnswer(card, QStringLiteral("aten::matmul#0"));
    QVERIFY(all(false));
  }

  void aRunOfTheirOwnUncoversTheVerdict() {
    Student student(QStringLiteral("9"));
    student.predict(true);
    QVERIFY(student.run(0));
    QVERIFY(student.window().docks()->inspector->isCovered());
    student.explorer().session().runDemo();
    QVERIFY(QTest::qWaitFor([&] { return !student.window().docks()->inspector->isCovered(); }, 10000));
  }

  void aRunInProgressIsNotStoppedUnasked() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    explorer.window().openLesson(QStringLiteral("7"));
    settleLesson();
    app::LessonDock* dock = explorer.window().docks()->lesson;
    for (const QMessageBox::StandardButton answer : {QMessageBox::No, QMessageBox::Yes}) {
      bool asked = false;
      QTimer::singleShot(0, &explorer.window(), [&] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (box == nullptr) return;
        asked = true;
        box->button(answer)->click();
      });
      dock->page()->runs().front()->runButton()->click();
      QVERIFY(asked);
      if (answer == QMessageBox::No) {
        QCOMPARE(explorer.session().run().config().name, std::string("demo"));
        QVERIFY(explorer.session().run().isActive());
        QVERIFY(!explorer.window().lessons()->run()->isActive());
      }
    }
    QVERIFY(QTest::qWaitFor([&] { return explorer.session().run().config().name != "demo"; }, 10000));
    QVERIFY(explorer.window().arrangement() == Arrangement::kLearn);
  }

  void theCaptionOfAFigureIsShownOnceBesideItsLesson() {
    Student student(QStringLiteral("2"));
    student.predict(true);
    const auto* caption = student.figure()->view()->findChild<QLabel*>(QStringLiteral("figureCaption"));
    QVERIFY(!student.figure()->view()->caption().isEmpty());
    QVERIFY(!caption->isVisible());
    student.dock()->showList();
    QVERIFY(caption->isVisible());
    student.dock()->showLesson(1);
    QVERIFY(!caption->isVisible());
    student.dock()->hide();
    QVERIFY(caption->isVisible());
  }

  // Lesson 6: the slider moves the scale over the gradients that the run has measured last.
  void theLiveTailFollowsRunAndSlider() {
    Student student(QStringLiteral("6"));
    student.predict(true);
    const std::vector<views::FigureLink*>& links = student.page()->figures();
    QVERIFY(links.front()->isShown());
    RunCard* card = student.page()->runs().front();
    QVERIFY(card->figureButton()->isHidden());
    QVERIFY(student.run(0));
    const LessonRun& run = *student.window().lessons()->run();
    QVERIFY2(run.isComplete() && run.tail().hasFigure(), qPrintable(run.text()));
    QVERIFY(std::none_of(links.begin(), links.end(), [](const views::FigureLink* each) { return each->isShown(); }));
    const views::FigureView* view = student.figure()->view();
    QVERIFY(view->showsFigure() && student.figure()->isVisible());
    QCOMPARE(view->figure().text, run.tail().figure().text);
    QVERIFY2(view->caption().contains(QStringLiteral("The gradients of")), qPrintable(view->caption()));

    const double before = view->figure().fact("normal")->value;
    view->slider()->slider()->setValue(10);
    QCOMPARE(run.tail().exponent(), 10);
    QCOMPARE(view->figure().slider.value().value, 10.0);
    QVERIFY(view->figure().fact("normal")->value > before);
    QVERIFY2(view->figure().text.find("2^10") != std::string::npos, view->figure().text.c_str());
    Explorer::picture(&student.window(), QStringLiteral("lesson-6-live-tail"));

    // The figures of the text and that of the run take turns.
    links.front()->button()->click();
    QVERIFY(links.front()->isShown());
    QVERIFY(view->figure().text != run.tail().figure().text);
    QVERIFY(card->figureButton()->isVisible());
    card->figureButton()->click();
    QVERIFY(!links.front()->isShown());
    QCOMPARE(view->figure().text, run.tail().figure().text);
    QCOMPARE(view->figure().slider.value().value, 10.0);
  }

  void beforeTheFirstStatisticsTheTailIsExplained() {
    Student student(QStringLiteral("6"), {QStringLiteral("--no-steps")});
    student.predict(true);
    student.page()->runs().front()->runButton()->click();
    const LessonRun& run = *student.window().lessons()->run();
    QVERIFY(QTest::qWaitFor([&] { return run.state() == LessonRun::State::kTraining; }, 10000));
    const views::FigureView* view = student.figure()->view();
    QVERIFY(!view->showsFigure());
    QVERIFY2(view->accessibleDescription().contains(QStringLiteral("No gradient has been measured yet.")),
             qPrintable(view->accessibleDescription()));
  }

  void aPausedExperimentIsNamedInTheStatusLine() {
    const QByteArray longer = "kind: train\nsample: mlp\nsteps: 5000\npolicy: cuda-amp\n";
    Student student(test::writeLesson(test::lessonWithRun(longer)));
    student.predict(true);
    student.page()->runs().front()->runButton()->click();
    const LessonRun& run = *student.window().lessons()->run();
    QVERIFY(QTest::qWaitFor([&] { return run.state() == LessonRun::State::kTraining; }, 10000));
    app::Session& session = student.explorer().session();
    session.pause();
    const auto isPaused = [&] { return session.run().state() == wire::RunState::kPaused; };
    QVERIFY(QTest::qWaitFor(isPaused, 10000));
    QCOMPARE(student.window().statusLine()->stateText(), QStringLiteral("Lesson: paused"));
    session.runDemo();
    QVERIFY(QTest::qWaitFor([&] { return session.run().config().name == "demo"; }, 10000));
    session.pause();
    QVERIFY(QTest::qWaitFor(isPaused, 10000));
    QCOMPARE(student.window().statusLine()->stateText(), QStringLiteral("Paused"));
  }

  void withoutAnEngineTheLessonSaysWhy() {
    QSettings settings(test::temporaryFolder() + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    app::Session session({QStringLiteral("/no/such/engine"), {}}, &settings);
    app::MainWindow window(&session, &settings);
    window.resize(1600, 1000);
    window.show();
    window.openLesson(QStringLiteral("7"));
    settleLesson();
    window.docks()->lesson->page()->skipButton(1)->click();
    QVERIFY(window.docks()->figure->view()->showsFigure());
    const RunCard* card = window.docks()->lesson->page()->runs().front();
    card->runButton()->click();
    QVERIFY(QTest::qWaitFor([&] { return window.lessons()->run()->hasFailed(); }, 10000));
    QVERIFY2(card->text().contains(QStringLiteral("/no/such/engine")), qPrintable(card->text()));
  }

  void aDamagedFileIsShownWithItsProblems() {
    const QByteArray text = test::shortLesson().replace("kind: sum", "kind: summ");
    Student student(test::writeLesson(text));
    QVERIFY(student.dock()->entry() != nullptr && student.dock()->entry()->lesson() == nullptr);
    QVERIFY(!student.window().actions()->export_lesson->isEnabled());
    QVERIFY(!student.figure()->view()->showsFigure());
    const QStringList shown = student.dock()->shownProblems();
    QCOMPARE(shown.size(), 1);
    QVERIFY2(
        shown.front().contains(QStringLiteral("lesson.md:9")) || shown.front().contains(QStringLiteral("lesson.md:1")),
        qPrintable(shown.front()));
    QVERIFY2(shown.front().contains(QStringLiteral("summ")), qPrintable(shown.front()));
  }

  void aFileIsOpenedLikeAnyOther() {
    Explorer explorer;
    explorer.show();
    const QString file = test::writeLesson(test::shortLesson());
    explorer.window().openFiles({file});
    QVERIFY(explorer.window().arrangement() == Arrangement::kLearn && explorer.window().showsRun());
    QVERIFY2(explorer.window().windowTitle().startsWith(QStringLiteral("Lesson: A sum in float16")),
             qPrintable(explorer.window().windowTitle()));
    QCOMPARE(explorer.session().recentFiles().path(0), file);
    QVERIFY(explorer.window().actions()->export_lesson->isEnabled());
  }

  void aNumberWithoutALessonIsAProblemAndTheListIsShown() {
    Explorer explorer;
    explorer.show();
    explorer.window().openLesson(QStringLiteral("12"));
    QVERIFY(explorer.window().banner()->message().contains(QStringLiteral("12")));
    QVERIFY(!explorer.window().docks()->lesson->shown());
    QVERIFY(explorer.window().arrangement() == Arrangement::kLearn);
  }

  void learnNeedsNoRunAndLeavesThePagesAsTheyWere() {
    Explorer explorer;
    explorer.window().resize(1600, 1000);
    explorer.window().show();
    explorer.window().actions()->lessons->trigger();
    QVERIFY(explorer.window().showsRun());
    QVERIFY(!explorer.window().docks()->lesson->isHidden());
    explorer.window().setArrangement(Arrangement::kExplore);
    QVERIFY(!explorer.window().showsRun() && explorer.window().startPage()->isVisible());
    // A run that is opened from the start page is not shown beside a lesson.
    explorer.window().setArrangement(Arrangement::kLearn);
    explorer.window().showStart();
    test::feedRun(explorer.session().run(), 10);
    QVERIFY(explorer.window().arrangement() == Arrangement::kExplore);
  }

  void aNumberOfAFigureGoesToTheNumberFormats() {
    Student student(QStringLiteral("2"));
    Q_EMIT student.figure()->view()->numberRequested({65520, formats::kFloat16});
    app::NumbersDock* numbers = student.window().docks()->numbers;
    QCOMPARE(numbers->view()->value(), 65520.0);
    QVERIFY(!numbers->isHidden());
  }
};

BINADE_SUITE(LessonWalks);

}  // namespace

#include "tst_lesson_walk.moc"
