// SPDX-License-Identifier: Apache-2.0
// Experiments of lessons: the run that is described, and how it ends.
#include "app/lessons/lesson_course.h"
#include "app/lessons/lesson_run.h"
#include "app/lessons/lesson_run_config.h"
#include "app/lessons/sample_training.h"
#include "engine/lessons/blocks_of.h"
#include "engine/wire/run_config.h"
#include "tests/app/app_fixture.h"
#include "tests/support/suite.h"

#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

namespace {

using namespace binade;
using app::LessonRun;

lessons::Experiment experimentOf(lessons::RunKind kind, int steps) {
  lessons::Experiment experiment;
  experiment.kind = kind;
  experiment.sample = "cnn";
  experiment.steps = steps;
  experiment.policies = {policy::Base::kCudaAmp};
  if (kind == lessons::RunKind::kCompare) {
    experiment.policies = {policy::Base::kApexO0, policy::Base::kApexO1, policy::Base::kApexO3};
  }
  return experiment;
}

bool waitEnded(const LessonRun& run) {
  return QTest::qWaitFor([&] { return run.state() == LessonRun::State::kEnded; }, 20000);
}

class LessonRuns : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyExperimentOfTheLessonsDescribesAValidRun() {
    QSettings settings(test::temporaryFolder() + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    app::LessonCourse course(&settings);
    int checked = 0;
    for (const app::LessonEntry& entry : course.entries()) {
      for (const lessons::Experiment* each : lessons::blocks_of<lessons::Experiment>(*entry.lesson())) {
        for (std::size_t i = 0; i < each->policies.size(); ++i) {
          for (const std::string& folder : {std::string(), std::string("/usr/share/datasets/fashion-mnist")}) {
            const wire::RunConfig config = app::lessonRunConfig(*each, i, QStringLiteral("Lesson"), folder);
            wire::check(config, entry.key.toStdString());
            QCOMPARE(config.steps, std::int64_t{each->steps});
            QVERIFY(config.policy.base == each->policies[i]);
            QVERIFY(config.run_file.empty() && config.checkpoint.folder.empty());
            // Nothing depends on the time: neither seed nor what is observed.
            QCOMPARE(config.seed, std::uint64_t{1});
            QCOMPARE(config.observe.live, 0.0);
            QVERIFY(!config.observe.measure_cost);
            ++checked;
          }
        }
      }
    }
    QVERIFY(checked >= 20);
  }

  void picturesAreFashionMnistOrAreSaidToBeRandom() {
    const lessons::Experiment experiment = experimentOf(lessons::RunKind::kTrain, 10);
    const wire::RunConfig with = app::lessonRunConfig(experiment, 0, QStringLiteral("L"), "/data/fashion");
    QCOMPARE(with.data.kind, std::string("idx"));
    QCOMPARE(with.data.folder, std::string("/data/fashion"));
    QVERIFY(with.caption.empty());
    const wire::RunConfig without = app::lessonRunConfig(experiment, 0, QStringLiteral("L"), "");
    QCOMPARE(without.data.kind, std::string("synthetic"));
    QVERIFY(without.caption.find("not installed") != std::string::npos);
    lessons::Experiment tokens = experiment;
    tokens.sample = "transformer";
    const wire::RunConfig random = app::lessonRunConfig(tokens, 0, QStringLiteral("L"), "/data/fashion");
    QCOMPARE(random.data.kind, std::string("synthetic"));
    QVERIFY(random.caption.find("random") != std::string::npos);
  }

  void theDeepNetworkTrainsWithAdam() {
    lessons::Experiment experiment = experimentOf(lessons::RunKind::kTrain, 10);
    experiment.sample = "deep";
    experiment.scale = 65536;
    const wire::RunConfig config = app::lessonRunConfig(experiment, 0, QStringLiteral("L"), "/data/fashion");
    QCOMPARE(config.optimizer.kind, std::string("adam"));
    QCOMPARE(config.optimizer.learning_rate, 1e-3);
    QCOMPARE(config.batch, std::int64_t{64});
    QCOMPARE(config.data.kind, std::string("idx"));
    QVERIFY(config.scaler.fixed);
    QCOMPARE(config.scaler.init_scale, 65536.0);
  }

  // Apex's O0 and O3 have no loss scale; a scaler in the description would give them one.
  void withoutAScaleApexLevelsKeepTheirOwn() {
    const lessons::Experiment experiment = experimentOf(lessons::RunKind::kCompare, 10);
    QVERIFY(!wire::has_scaler(app::lessonRunConfig(experiment, 2, QStringLiteral("L"), "")));
  }

  void aTrainingRunsToItsEndAndSaysTheLoss() {
    test::Explorer explorer;
    explorer.show();
    LessonRun run(&explorer.session());
    QSignalSpy ended(&run, &LessonRun::ended);
    run.start(experimentOf(lessons::RunKind::kTrain, 30), QStringLiteral("Lesson 7"));
    QVERIFY(run.isActive() && !run.text().isEmpty());
    QVERIFY(waitEnded(run));
    QVERIFY(run.isComplete() && run.isShown() && !run.hasFailed());
    QCOMPARE(run.progress(), 1.0);
    QCOMPARE(ended.count(), 1);
    QCOMPARE(explorer.requests(QStringLiteral("run.start")).size(), 1);
    QCOMPARE(explorer.session().run().config().name, std::string("Lesson 7, cuda-amp"));
    QVERIFY2(run.text().contains(QStringLiteral("first step")), qPrintable(run.text()));
  }

  void aComparisonTrainsEachPolicyAndDrawsTheLosses() {
    test::Explorer explorer;
    explorer.show();
    LessonRun run(&explorer.session());
    run.start(experimentOf(lessons::RunKind::kCompare, 24), QStringLiteral("Lesson 10"));
    QVERIFY(waitEnded(run));
    QVERIFY2(run.isComplete(), qPrintable(run.text()));
    QCOMPARE(explorer.requests(QStringLiteral("run.start")).size(), 3);
    const lessons::FigureData figure = run.figure();
    QCOMPARE(figure.panels.size(), std::size_t{2});  // each level beside O0
    QCOMPARE(figure.table.rows.size(), std::size_t{3});
    for (const lessons::Panel& panel : figure.panels) {
      QCOMPARE(panel.series.size(), std::size_t{2});
      QVERIFY(panel.series.front().points.size() >= 24);
      QVERIFY(panel.series.back().points.size() >= 24);
    }
    for (const char* name : {"apex-o0", "apex-o1", "apex-o3"}) {
      const lessons::Fact* fact = figure.fact(name);
      QVERIFY2(fact != nullptr && std::isfinite(fact->value), name);
      QVERIFY2(run.text().contains(QLatin1String(name)), qPrintable(run.text()));
    }
  }

  void aDiagnosisStopsAtTheFirstStepThatIsNotFinite() {
    test::Explorer explorer;
    explorer.show();
    LessonRun run(&explorer.session());
    lessons::Experiment experiment = experimentOf(lessons::RunKind::kDiagnose, 5000);
    experiment.scale = 16777216;  // the made-up run overflows there
    run.start(experiment, QStringLiteral("Lesson 9"));
    QVERIFY(waitEnded(run));
    QVERIFY2(run.isComplete(), qPrintable(run.text()));
    QVERIFY(!explorer.session().run().events().empty());
    QVERIFY(explorer.session().run().steps().size() < 5000);
    QVERIFY2(run.text().contains(QStringLiteral("not finite")), qPrintable(run.text()));
  }

  void theTimeLimitEndsATraining() {
    test::Explorer explorer;
    explorer.show();
    LessonRun run(&explorer.session());
    lessons::Experiment experiment = experimentOf(lessons::RunKind::kTrain, 1'000'000);
    experiment.limit_s = 1;
    run.start(experiment, QStringLiteral("Lesson 7"));
    QVERIFY(waitEnded(run));
    QVERIFY(run.isComplete());
    QVERIFY2(run.text().contains(QStringLiteral("time limit of 1 s")), qPrintable(run.text()));
    QVERIFY(!explorer.session().run().isActive());
  }

  void cancellingEndsIt_data() {
    QTest::addColumn<bool>("loading");
    QTest::newRow("while it loads") << true;
    QTest::newRow("while it trains") << false;
  }

  void cancellingEndsIt() {
    QFETCH(const bool, loading);
    test::Explorer explorer({QStringLiteral("--slow-load"), loading ? QStringLiteral("200") : QStringLiteral("0")});
    explorer.show();
    LessonRun run(&explorer.session());
    run.start(experimentOf(lessons::RunKind::kTrain, 1'000'000), QStringLiteral("Lesson 7"));
    if (!loading) QVERIFY(QTest::qWaitFor([&] { return run.state() == LessonRun::State::kTraining; }, 10000));
    run.cancel();
    if (loading) QVERIFY(!run.isActive());  // at once
    QVERIFY(waitEnded(run));
    QVERIFY(!run.isComplete());
    // The engine goes on loading it; then it is stopped.
    QVERIFY(QTest::qWaitFor([&] { return explorer.session().run().finished().has_value(); }, 10000));
    QVERIFY(explorer.session().run().finished()->outcome == wire::Outcome::kStopped);
  }

  void itMayBeStartedAgainWhileACancelledOneLoads() {
    test::Explorer explorer({QStringLiteral("--slow-load"), QStringLiteral("200")});
    explorer.show();
    LessonRun run(&explorer.session());
    run.start(experimentOf(lessons::RunKind::kTrain, 1'000'000), QStringLiteral("Lesson 7"));
    run.cancel();
    run.start(experimentOf(lessons::RunKind::kTrain, 10), QStringLiteral("Lesson 7"));
    QVERIFY(waitEnded(run));
    QVERIFY2(run.isComplete() && run.isShown(), qPrintable(run.text()));
    QCOMPARE(explorer.session().run().config().steps, std::int64_t{10});
    QCOMPARE(explorer.requests(QStringLiteral("run.start")).size(), 2);
  }

  void aRestartOfTheEngineEndsALoadingOne() {
    test::Explorer explorer({QStringLiteral("--slow-load"), QStringLiteral("500")});
    explorer.show();
    LessonRun run(&explorer.session());
    run.start(experimentOf(lessons::RunKind::kTrain, 10), QStringLiteral("Lesson 7"));
    QVERIFY(QTest::qWaitFor([&] { return !explorer.requests(QStringLiteral("run.start")).isEmpty(); }, 10000));
    explorer.session().restartEngine();
    QVERIFY(waitEnded(run));
    QVERIFY(!run.isComplete());
  }

  void anotherStartTakesThePlaceOfAWaitingOne() {
    test::Explorer explorer;
    explorer.show();
    app::Session& session = explorer.session();
    session.runDemo();
    QVERIFY(QTest::qWaitFor([&] { return session.run().isActive(); }, 10000));
    LessonRun run(&session);
    QSignalSpy abandoned(&session, &app::Session::startAbandoned);
    run.start(experimentOf(lessons::RunKind::kTrain, 10), QStringLiteral("Lesson 7"));
    QVERIFY(run.isActive());
    session.runDemo();
    QCOMPARE(abandoned.count(), 1);
    QVERIFY(run.state() == LessonRun::State::kEnded && !run.isComplete());
    QVERIFY(QTest::qWaitFor([&] { return explorer.requests(QStringLiteral("run.demo")).size() == 2; }, 10000));
    QVERIFY(explorer.requests(QStringLiteral("run.start")).isEmpty());
  }

  void aProblemElsewhereIsNotItsOwn() {
    test::Explorer explorer;
    explorer.show();
    LessonRun run(&explorer.session());
    run.start(experimentOf(lessons::RunKind::kTrain, 30), QStringLiteral("Lesson 7"));
    QVERIFY(QTest::qWaitFor([&] { return run.state() == LessonRun::State::kTraining; }, 10000));
    Q_EMIT explorer.session().problem({QStringLiteral("The disk is full."), {}});
    QVERIFY(waitEnded(run));
    QVERIFY2(run.isComplete() && !run.hasFailed(), qPrintable(run.text()));
  }

  void aRefusedOrCrashedRunSaysWhy_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("says");
    QTest::newRow("refused") << QStringList{QStringLiteral("--refuse"), QStringLiteral("run.start")}
                             << QStringLiteral("not a TorchScript file");
    QTest::newRow("crash") << QStringList{QStringLiteral("--crash-at"), QStringLiteral("5")}
                           << QStringLiteral("crashed");
  }

  void aRefusedOrCrashedRunSaysWhy() {
    QFETCH(const QStringList, options);
    QFETCH(const QString, says);
    test::Explorer explorer(options);
    explorer.show();
    LessonRun run(&explorer.session());
    run.start(experimentOf(lessons::RunKind::kTrain, 1000), QStringLiteral("Lesson 7"));
    QVERIFY(waitEnded(run));
    QVERIFY(!run.isComplete() && run.hasFailed());
    QVERIFY2(run.text().contains(says), qPrintable(run.text()));
  }

  void withoutAnEngineItSaysSo() {
    QSettings settings(test::temporaryFolder() + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    app::Session session({QStringLiteral("/no/such/engine"), {}}, &settings);
    LessonRun run(&session);
    run.start(experimentOf(lessons::RunKind::kTrain, 10), QStringLiteral("Lesson 7"));
    QVERIFY(waitEnded(run));
    QVERIFY(run.hasFailed() && run.lacksEngine());
    QVERIFY2(run.text().contains(QStringLiteral("/no/such/engine")), qPrintable(run.text()));
  }

  void anotherRunInItsPlaceEndsIt() {
    test::Explorer explorer;
    explorer.show();
    LessonRun run(&explorer.session());
    run.start(experimentOf(lessons::RunKind::kTrain, 1'000'000), QStringLiteral("Lesson 7"));
    QVERIFY(QTest::qWaitFor([&] { return run.state() == LessonRun::State::kTraining; }, 10000));
    explorer.session().runDemo();
    QVERIFY(waitEnded(run));
    QVERIFY(!run.isComplete());
    QVERIFY(QTest::qWaitFor([&] { return explorer.session().run().config().name == "demo"; }, 10000));
    QVERIFY(!run.isShown());
  }
};

BINADE_SUITE(LessonRuns);

}  // namespace

#include "tst_lesson_run.moc"
