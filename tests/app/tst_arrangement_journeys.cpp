// SPDX-License-Identifier: Apache-2.0
// One piece of work per arrangement, from start to end, in the real window with the real engine. Diagnose goes by
// keyboard alone. Tuning has a journey of its own (TuningJourney).
#include "app/docks/events_dock.h"
#include "app/docks/inspector_dock.h"
#include "app/docks/inspector_page.h"
#include "app/docks/lesson_dock.h"
#include "app/docks/profile_dock.h"
#include "app/docks/scale_dock.h"
#include "app/docks/series_dock.h"
#include "app/docks/sites_dock.h"
#include "app/form/setup_page.h"
#include "app/lessons/lesson_course.h"
#include "app/lessons/lesson_run.h"
#include "app/session/session.h"
#include "app/window/banner.h"
#include "app/window/dock_set.h"
#include "app/window/lesson_flow.h"
#include "app/window/main_window.h"
#include "app/window/time_line_bar.h"
#include "engine/lessons/blocks_of.h"
#include "tests/app/journey.h"
#include "tests/app/wait_opened.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "views/lessons/exercise_card.h"
#include "views/lessons/feedback_box.h"
#include "views/lessons/lesson_page.h"
#include "views/lessons/option_button.h"
#include "views/lessons/prediction_card.h"
#include "views/lessons/run_card.h"

#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QWindow>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

namespace {

using namespace binade;
using app::Arrangement;

// A key as the window system delivers it: to the active window, which finds the shortcut or the widget with the focus.
void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
  if (QWindow* window = QGuiApplication::focusWindow()) QTest::keyClick(window, key, modifiers);
}

// Presses Tab until the widget has the focus.
bool tabTo(const QWidget* wanted) {
  constexpr int kMostWidgets = 400;
  for (int i = 0; i < kMostWidgets && QApplication::focusWidget() != wanted; ++i) press(Qt::Key_Tab);
  return QApplication::focusWidget() == wanted;
}

class ArrangementJourneys : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (!QFileInfo::exists(test::enginePath())) QSKIP("binade-engine is not built");
  }
  void cleanup() {
    window_.reset();
    session_.reset();
    settings_.reset();
  }

  // A training diverges. By keyboard alone: it is opened from the recent files, run, diagnosed, corrected and run
  // again.
  void diagnoseByKeyboardAlone() {
    prepare();
    const QString file = folder_ + QStringLiteral("/bright.run.json");
    QVERIFY(QFile::copy(QStringLiteral(BINADE_TEST_DATA "/tuning/bright.run.json"), file));
    session_->recentFiles().add(file);
    open();
    if (QTest::currentTestFailed()) return;

    const auto* recent = window_->findChild<QTableView*>(QStringLiteral("recentFiles"));
    QVERIFY(tabTo(recent));
    press(Qt::Key_Down);
    press(Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(window_->showsSetup() && session_->description().file() == file, test::kPatience);
    QVERIFY(session_->run().isEmpty());  // Return opened the file, and nothing else
    press(Qt::Key_F5);
    app::RunModel& run = session_->run();
    QTRY_VERIFY_WITH_TIMEOUT(run.state() == wire::RunState::kPaused && run.events().size() > 1, test::kPatience);

    press(Qt::Key_3, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(window_->arrangement(), Arrangement::kDiagnose);
    const app::DockSet* docks = window_->docks();
    QVERIFY(tabTo(docks->events->table()));
    for (int i = 0; i < docks->events->model()->rowCount(); ++i) press(Qt::Key_Down);
    for (int i = 0; i < docks->events->model()->rowCount(); ++i) press(Qt::Key_Up);
    const int newest = session_->selection().event();
    QVERIFY(newest > 0);
    // The newest says that the loss was not finite again and again. The events below it say why.
    const app::InspectorPage* page = docks->inspector->page();
    const auto offersFix = [page] { return page->apply()->isVisible() && page->apply()->isEnabled(); };
    for (int i = 0; i < newest && !offersFix(); ++i) press(Qt::Key_Down);
    QVERIFY2(offersFix(), qPrintable(page->sentence()->text()));
    QVERIFY2(page->sentence()->text().contains(QStringLiteral("conv1")), qPrintable(page->sentence()->text()));
    QVERIFY(tabTo(page->apply()));
    press(Qt::Key_Space);
    QCOMPARE(session_->document().undoStack()->count(), 1);
    const auto& rules = session_->document().policy().sites;
    QVERIFY(std::any_of(rules.begin(), rules.end(), [](const policy::SiteRule& rule) {
      return rule.match == "conv1/aten::conv2d#0" && rule.format == formats::kFloat32;
    }));

    press(Qt::Key_F5, Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(run.finished().has_value(), test::kPatience);
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(run.isActive() && run.steps().size() >= 8, test::kPatience);
    for (std::size_t i = 0; i < 8; ++i) QVERIFY(std::isfinite(run.steps()[i].loss));
    press(Qt::Key_F5, Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(run.finished().has_value(), test::kPatience);
  }

  // A model is trained, looked at, edited and put back; its run file shows the same afterwards.
  void exploreAModelFromItsFileToItsRunFile() {
    prepare();
    open();
    if (QTest::currentTestFailed()) return;
    const QString model = folder_ + QStringLiteral("/mlp.pt");
    QProcess sample;
    sample.start(test::enginePath(), {QStringLiteral("sample"), QStringLiteral("mlp"), QStringLiteral("--out"), model});
    QVERIFY(sample.waitForFinished(test::kPatience) && sample.exitCode() == 0);
    window_->openFiles({model});
    QTRY_VERIFY_WITH_TIMEOUT(window_->showsSetup() && window_->setupPage()->startButton()->isEnabled(),
                             test::kPatience);
    QTest::mouseClick(window_->setupPage()->startButton(), Qt::LeftButton);
    app::RunModel& run = session_->run();
    QTRY_VERIFY_WITH_TIMEOUT(run.steps().size() >= 40 && run.hasObservations(), test::kPatience);
    window_->setArrangement(Arrangement::kExplore);
    press(Qt::Key_F6);
    QTRY_VERIFY_WITH_TIMEOUT(run.state() == wire::RunState::kPaused, test::kPatience);

    // An op call gets another format, which every chart marks, and loses it again.
    const app::DockSet* docks = window_->docks();
    QTableView* table = docks->sites->table();
    const int site = firstInFloat16();
    QVERIFY(site >= 0);
    const QModelIndex cell = rowOf(site);
    QVERIFY(cell.isValid());
    table->scrollTo(cell);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::NoModifier, table->visualRect(cell).center());
    QCOMPARE(session_->selection().sites(), std::vector<int>{site});
    press(Qt::Key_2, Qt::ControlModifier);
    press(Qt::Key_F10);
    QTRY_VERIFY_WITH_TIMEOUT(run.policies().size() == 2, test::kPatience);
    QVERIFY(run.decision(site)->format == formats::kBFloat16);
    QCOMPARE(views::countMarks(docks->loss->plot()->marks(), views::MarkKind::kPolicyEdit), std::int64_t{1});
    press(Qt::Key_Z, Qt::ControlModifier);
    press(Qt::Key_F10);
    QTRY_VERIFY_WITH_TIMEOUT(run.policies().size() == 3, test::kPatience);
    QVERIFY(run.decision(site)->format == formats::kFloat16);
    QTRY_VERIFY_WITH_TIMEOUT(run.state() == wire::RunState::kPaused, test::kPatience);

    // The time line goes to a step, and back to the newest.
    press(Qt::Key_G, Qt::ControlModifier);
    QCOMPARE(QApplication::focusWidget(), window_->timeLine()->field());
    press(Qt::Key_5);
    press(Qt::Key_Return);
    QVERIFY(run.shownStep() == std::optional<std::int64_t>(5));
    session_->selection().setShown(std::nullopt);

    press(Qt::Key_F5, Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(run.finished().has_value(), test::kPatience);
    const std::size_t steps = run.steps().size();
    const double loss = run.steps()[steps - 1].loss;
    const QString file = run.runFile();
    session_->openFile(file);
    test::waitOpened(*session_);
    QVERIFY2(run.source() == app::RunModel::Source::kFile, qPrintable(window_->banner()->message()));
    QCOMPARE(run.steps().size(), steps);
    QCOMPARE(run.steps()[steps - 1].loss, loss);
    QCOMPARE(run.policies().size(), std::size_t{3});
    QCOMPARE(docks->loss->plot()->series(0).size(), steps);
  }

  // Which op call takes the most time, and does it still when it has another format?
  void profileTheCostliestOpCallInTwoFormats() {
    prepare();
    open();
    if (QTest::currentTestFailed()) return;
    startMlp();
    if (QTest::currentTestFailed()) return;
    app::RunModel& run = session_->run();
    press(Qt::Key_4, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(window_->arrangement(), Arrangement::kProfile);
    app::ProfileDock* profile = window_->docks()->profile;
    QTRY_VERIFY_WITH_TIMEOUT(!run.profile().latest().sites.empty() && profile->model()->rowCount() > 0,
                             test::kPatience);
    QCOMPARE(static_cast<std::size_t>(profile->model()->rowCount()), run.profile().latest().sites.size());
    const QModelIndex first = profile->table()->model()->index(0, 0);
    QTest::mouseClick(profile->table()->viewport(), Qt::LeftButton, Qt::NoModifier,
                      profile->table()->visualRect(first).center());
    QCOMPARE(session_->selection().sites().size(), std::size_t{1});
    const int site = session_->selection().sites().front();
    // Newer figures may rank it otherwise, but it was the first of some profile: none costs nothing.
    QVERIFY(!profile->detail()->text().isEmpty());

    const policy::SiteKey& key = run.sites()[static_cast<std::size_t>(site)].key;
    const bool was_float32 =
        run.decision(site)->kind != policy::Decision::Kind::kFormat || run.decision(site)->format == formats::kFloat32;
    session_->document().setFormat({key}, was_float32 ? formats::kBFloat16 : formats::kFloat32);
    const int revision = session_->document().revision();
    QTRY_VERIFY_WITH_TIMEOUT(run.policies().back().revision == revision, test::kPatience);
    const std::int64_t edited = run.policies().back().step;
    QTRY_VERIFY_WITH_TIMEOUT(run.profile().latest().first_step >= edited && !run.profile().latest().sites.empty(),
                             test::kPatience);
    QVERIFY(session_->selection().sites() == std::vector<int>{site});  // still chosen among newer figures
    press(Qt::Key_F5, Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(run.finished().has_value(), test::kPatience);
  }

  // A student takes a lesson: predictions, the experiment in the engine, and the exercises about it.
  void learnWhyATrainingDiverges() {
    prepare();
    open();
    if (QTest::currentTestFailed()) return;
    window_->openLesson(QStringLiteral("9"));
    QCOMPARE(window_->arrangement(), Arrangement::kLearn);
    app::LessonDock* dock = window_->docks()->lesson;
    views::LessonPage* page = dock->page();
    const lessons::Lesson& lesson = *dock->entry()->lesson();
    const auto predictions = lessons::blocks_of<lessons::Prediction>(lesson);
    const auto exercises = lessons::blocks_of<lessons::Exercise>(lesson);
    const auto isOpen = [page](const QWidget* card) { return card->isVisibleTo(page->content()); };
    std::size_t ran = 0;
    std::size_t answered = 0;
    while (ran < page->runs().size() || answered < exercises.size()) {
      QApplication::processEvents();
      for (std::size_t i = 0; i < predictions.size(); ++i) {
        views::PredictionCard* card = page->predictions()[i];
        const auto& options = predictions[i]->options;
        const auto right =
            std::find_if(options.begin(), options.end(), [](const lessons::Option& each) { return each.right; });
        if (!card->chosen() && isOpen(card))
          card->options()[static_cast<std::size_t>(right - options.begin())]->click();
      }
      QApplication::processEvents();
      if (ran < page->runs().size() && isOpen(page->runs()[ran])) {
        page->runs()[ran]->runButton()->click();
        const app::LessonRun* run = window_->lessons()->run();
        QTRY_VERIFY_WITH_TIMEOUT(run->state() == app::LessonRun::State::kEnded, test::kPatience);
        QVERIFY2(run->isComplete(), qPrintable(run->text()));
        QVERIFY(!session_->run().steps().empty());
        ++ran;
        continue;
      }
      QVERIFY(answered < exercises.size() && isOpen(page->exercises()[answered]));
      views::ExerciseCard* card = page->exercises()[answered];
      card->field()->setFocus();
      QTest::keyClicks(card->field(), answerOf(*exercises[answered]));
      card->checkButton()->click();
      QVERIFY2(card->isRight(), qPrintable(card->feedback()->text()));
      ++answered;
    }
    QCOMPARE(window_->lessons()->progressText(), QStringLiteral("1 of 11 lessons done"));
    // The student's run is there to look at.
    window_->setArrangement(Arrangement::kDiagnose);
    QVERIFY(window_->showsRun());
  }

 private:
  void prepare() {
    folder_ = test::temporaryFolder();
    qputenv("XDG_DATA_HOME", (folder_ + QStringLiteral("/own")).toUtf8());
    settings_ = std::make_unique<QSettings>(folder_ + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    session_ = std::make_unique<app::Session>(
        app::EngineCommand{test::enginePath(), {QStringLiteral("serve")}, app::Confinement::kIfPossible},
        settings_.get());
  }

  void open() {
    window_ = std::make_unique<app::MainWindow>(session_.get(), settings_.get());
    window_->resize(1600, 1000);
    window_->show();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    session_->startEngine();
    QTRY_VERIFY_WITH_TIMEOUT(session_->engine().state() == app::EngineClient::State::kReady, test::kPatience);
  }

  void startMlp() {
    wire::RunConfig config;
    config.name = "mlp";
    config.model = "sample:mlp";
    config.batch = 16;
    config.data.inputs = {"float32[16,1,28,28]"};
    config.steps = 10'000'000;
    config.scaler.init_scale = 1024;
    config.run_file = (folder_ + QStringLiteral("/mlp.binade")).toStdString();
    session_->startRun(config);
    QTRY_VERIFY_WITH_TIMEOUT(session_->run().steps().size() > 5, test::kPatience);
  }

  int firstInFloat16() const {
    for (const wire::SiteInfo& site : session_->run().sites()) {
      const policy::Decision* decision = session_->run().decision(site.id);
      if (decision != nullptr && decision->kind == policy::Decision::Kind::kFormat &&
          decision->format == formats::kFloat16) {
        return site.id;
      }
    }
    return -1;
  }

  /// The cell with the name of an op call.
  QModelIndex rowOf(int site) const {
    const QString name = QString::fromStdString(session_->run().sites()[static_cast<std::size_t>(site)].key.name());
    const auto* filter = window_->docks()->sites->filter();
    for (int row = 0; row < filter->rowCount(); ++row) {
      const QModelIndex cell = filter->index(row, app::SiteTableModel::kCall);
      if (cell.data().toString() == name) return cell;
    }
    return {};
  }

  static QString answerOf(const lessons::Exercise& exercise) {
    if (const auto* names = std::get_if<std::vector<std::string>>(&exercise.answer)) {
      return QString::fromStdString(names->front());
    }
    return QString::number(std::get<double>(exercise.answer), 'g', 17);
  }

  QString folder_;
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<app::Session> session_;
  std::unique_ptr<app::MainWindow> window_;
};

BINADE_SUITE(ArrangementJourneys);

}  // namespace

#include "tst_arrangement_journeys.moc"
