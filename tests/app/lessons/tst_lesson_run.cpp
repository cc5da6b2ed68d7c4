// SPDX-License-Identifier: Apache-2.0
// Experiments of lessons: the run that is described, and how it ends.
#include "app/lessons/lesson_course.h"
#include "app/lessons/lesson_run.h"
#include "app/lessons/lesson_run_config.h"
#include "app/lessons/sample_training.h"
#include "engine/lessons/blocks_of.h"
#include "engine/lessons/scaled_tail.h"
#include "engine/wire/run_config.h"
#include "tests/app/app_fixture.h"
#include "tests/support/suite.h"

#include <QFileInfo>
#include <QJsonObject>
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

wire::RunConfig configOf(const lessons::Experiment& experiment, const QString& lesson, const std::string& fashion,
                         std::size_t training = 0) {
  return app::lessonRunConfig(experiment, lessons::trainings_of(experiment).at(training), lesson, fashion);
}

// The recipe with each part switched off.
lessons::Experiment withoutParts() {
  lessons::Experiment experiment = experimentOf(lessons::RunKind::kCompare, 24);
  experiment.policies = {lessons::kRecipe};
  experiment.without = {lessons::RecipePart::kLossScale, lessons::RecipePart::kMasterWeights};
  experiment.learning_rate = 3e-5;
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
        for (const lessons::Training& training : lessons::trainings_of(*each)) {
          for (const std::string& folder : {std::string(), std::string("/usr/share/datasets/fashion-mnist")}) {
            const wire::RunConfig config = app::lessonRunConfig(*each, training, QStringLiteral("Lesson"), folder);
            wire::check(config, entry.key.toStdString());
            QCOMPARE(config.steps, std::int64_t{each->steps});
            QVERIFY(config.policy.base == training.policy);
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
    const wire::RunConfig with = configOf(experiment, QStringLiteral("L"), "/data/fashion");
    QCOMPARE(with.data.kind, std::string("idx"));
    QCOMPARE(with.data.folder, std::string("/data/fashion"));
    QVERIFY(with.caption.empty());
    const wire::RunConfig without = configOf(experiment, QStringLiteral("L"), "");
    QCOMPARE(without.data.kind, std::string("synthetic"));
    QVERIFY(without.caption.find("not installed") != std::string::npos);
    lessons::Experiment tokens = experiment;
    tokens.sample = "transformer";
    const wire::RunConfig random = configOf(tokens, QStringLiteral("L"), "/data/fashion");
    QCOMPARE(random.data.kind, std::string("synthetic"));
    QVERIFY(random.caption.find("random") != std::string::npos);
  }

  void theDeepNetworkTrainsWithAdam() {
    lessons::Experiment experiment = experimentOf(lessons::RunKind::kTrain, 10);
    experiment.sample = "deep";
    experiment.scale = 65536;
    const wire::RunConfig config = configOf(experiment, QStringLiteral("L"), "/data/fashion");
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
    QVERIFY(!wire::has_scaler(configOf(experiment, QStringLiteral("L"), "", 2)));
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
    QVERIFY2(run.text().contains(QStringLiteral("in the last 10 of 3")), qPrintable(run.text()));
  }

  // The mean is of the steps that there are, and the number of skipped steps has its grammar.
  void theResultOfAShortTrainingSaysWhatItIsTheMeanOf() {
    test::Explorer explorer;
    explorer.show();
    LessonRun run(&explorer.session());
    run.start(experimentOf(lessons::RunKind::kTrain, 5), QStringLiteral("Lesson 8"));
    QVERIFY(waitEnded(run));
    const auto& steps = explorer.session().run().steps();
    std::int64_t skipped = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) skipped += steps[i].stepped ? 0 : 1;
    QVERIFY2(run.text().contains(QStringLiteral("in all %1 steps.").arg(steps.size())), qPrintable(run.text()));
    const QString wanted = skipped == 0   ? QStringLiteral("No step was skipped.")
                           : skipped == 1 ? QStringLiteral("One step was skipped.")
                                          : QStringLiteral("%1 steps were skipped.").arg(skipped);
    QVERIFY2(run.text().contains(wanted), qPrintable(run.text()));
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

  void partsOfTheRecipeAreSwitchedOff() {
    const lessons::Experiment experiment = withoutParts();
    const wire::RunConfig recipe = configOf(experiment, QStringLiteral("L"), "", 0);
    const wire::RunConfig unscaled = configOf(experiment, QStringLiteral("L"), "", 1);
    const wire::RunConfig half = configOf(experiment, QStringLiteral("L"), "", 2);
    QVERIFY(recipe.policy.base == policy::Base::kApexO2 && !wire::has_scaler(recipe));  // a dynamic scale
    QVERIFY(unscaled.policy == recipe.policy);
    QVERIFY(unscaled.scaler.fixed && unscaled.scaler.init_scale == 1);
    QVERIFY(half.policy.base == policy::Base::kApexO3 && !wire::has_scaler(half));
    for (const wire::RunConfig& each : {recipe, unscaled, half}) {
      QCOMPARE(each.optimizer.learning_rate, 3e-5);
      QCOMPARE(each.seed, recipe.seed);
      wire::check(each, each.name);
    }
  }

  void aComparisonTrainsTheRecipeWithoutEachPart() {
    test::Explorer explorer;
    explorer.show();
    LessonRun run(&explorer.session());
    run.start(withoutParts(), QStringLiteral("Lesson 10"));
    QVERIFY2(run.text().contains(QStringLiteral("apex-o2 (1 of 3)")), qPrintable(run.text()));
    QVERIFY(waitEnded(run));
    QVERIFY2(run.isComplete() && run.hasFigure(), qPrintable(run.text()));
    const QList<QJsonObject> started = explorer.requests(QStringLiteral("run.start"));
    QCOMPARE(started.size(), 3);
    const lessons::FigureData figure = run.figure();
    QCOMPARE(figure.panels.size(), std::size_t{2});
    for (const char* name : {"apex-o2", "apex-o2 without loss scaling", "apex-o2 without master weights"}) {
      const lessons::Fact* fact = figure.fact(name);
      QVERIFY2(fact != nullptr && std::isfinite(fact->value), name);
    }
  }

  // What a teacher hands out: each training is recorded like any other run, under the name of the lesson.
  void everyTrainingHasARunFile() {
    test::Explorer explorer;
    explorer.show();
    LessonRun run(&explorer.session());
    run.start(withoutParts(), QStringLiteral("Lesson 1.5: 1/2 and 1/4"));
    QVERIFY(waitEnded(run));
    const QFileInfo ordinary(app::Session::newRunFile(QStringLiteral("model.pt")));
    QStringList names;
    for (const QJsonObject& started : explorer.requests(QStringLiteral("run.start"))) {
      const QFileInfo file(started[QLatin1String("config")][QLatin1String("run_file")].toString());
      QCOMPARE(file.path(), ordinary.path());
      names << file.fileName();
    }
    QCOMPARE(names.size(), 3);
    QVERIFY2(names[0].startsWith(QStringLiteral("Lesson-1.5-1-2-and-1-4-apex-o2-2")), qPrintable(names[0]));
    QVERIFY2(names[1].startsWith(QStringLiteral("Lesson-1.5-1-2-and-1-4-apex-o2-without-loss-scaling-2")),
             qPrintable(names[1]));
    QVERIFY2(names[2].contains(QStringLiteral("without-master-weights")), qPrintable(names[2]));
    for (const QString& name : names) QVERIFY(name.endsWith(QStringLiteral(".binade")));
  }

  void theScaledTailIsThatOfTheRun() {
    test::Explorer explorer;
    explorer.show();
    LessonRun run(&explorer.session());
    lessons::Experiment experiment = experimentOf(lessons::RunKind::kTrain, 60);
    experiment.show = lessons::RunView::kScaledTail;
    experiment.scale = 4096;
    run.start(experiment, QStringLiteral("Lesson 6"));
    QVERIFY(run.hasFigure() && !run.tail().hasFigure());
    QVERIFY(!run.tail().missing().headline.isEmpty() && !run.tail().missing().sentence.isEmpty());
    QVERIFY(QTest::qWaitFor([&] { return run.tail().hasFigure(); }, 10000));
    run.setTailExponent(7);
    QVERIFY(waitEnded(run));
    QVERIFY2(run.isComplete(), qPrintable(run.text()));
    QCOMPARE(run.tail().exponent(), 7);  // new steps keep the slider
    QCOMPARE(explorer.session().run().config().observe.level, std::string("what-if"));

    // The same from the run's newest statistics; the made-up run has gradients of outputs only.
    const app::RunModel& shown = explorer.session().run();
    formats::TensorStats all;
    double scale = 0;
    std::int64_t newest = 0;
    for (const auto& [id, track] : shown.tensors()) {
      if (!wire::is_scaled(track.tensor) || track.histograms.empty()) continue;
      formats::add(all, track.histograms.latest());
      scale = track.histograms.latestScale();
      newest = track.histograms.latestStep();
    }
    const lessons::FigureData wanted = lessons::scaled_tail_of(all, formats::kFloat16, 7, 0.001, std::ilogb(scale));
    const lessons::FigureData got = run.tail().figure();
    QCOMPARE(got.text, wanted.text);
    QCOMPARE(got.title,
             std::string("The measured gradients and the range of float16"));  // not that of the lesson's own
    QCOMPARE(got.slider.value().value, 7.0);
    const QString& caption = run.tail().caption();
    QVERIFY2(caption.contains(QStringLiteral("in step %1,").arg(newest)), qPrintable(caption));
    QVERIFY2(caption.contains(QStringLiteral("those of conv1/aten::conv2d#0 are the smallest")), qPrintable(caption));
  }

  void aTailNeedsAPowerOfTwoAndAValueOtherThan0() {
    app::LiveTail tail;
    app::RunModel run;
    tail.update(run);
    QVERIFY(!tail.hasFigure() && !tail.missing().sentence.isEmpty());
    wire::RunStarted started;
    started.config.scaler.init_scale = 1000;
    started.model.sites.emplace_back();
    started.policy.decisions.emplace_back();
    run.begin(started, app::RunModel::Source::kLive);
    wire::StepRecord record;
    record.scale = 1000;
    wire::WatchedTensor& gradient = record.new_tensors.emplace_back();
    gradient.kind = wire::WatchedTensor::Kind::kOutputGradient;
    gradient.format = formats::kFloat16;
    record.observations = {{0, formats::measure(std::vector<float>{0, 0}, formats::kFloat16)}};
    run.addSteps({record});
    tail.update(run);
    QVERIFY2(tail.missing().headline.contains(QStringLiteral("are 0")), qPrintable(tail.missing().headline));
    record.step = 1;
    record.new_tensors.clear();
    record.observations = {{0, formats::measure(std::vector<float>{1, 0}, formats::kFloat16)}};
    run.addSteps({record});
    tail.update(run);
    QVERIFY2(tail.missing().headline.contains(QStringLiteral("power of two")), qPrintable(tail.missing().headline));
    record.step = 2;
    record.scale = 1024;
    run.addSteps({record});
    tail.update(run);
    QVERIFY(tail.hasFigure());
    QVERIFY2(tail.caption().contains(QStringLiteral("of the values were 0")), qPrintable(tail.caption()));
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
    const app::RunModel& shown = explorer.session().run();
    std::int64_t first = -1;
    for (std::size_t i = 0; i < shown.events().size() && first < 0; ++i) {
      if (app::isNonFinite(shown.events()[i].kind)) first = shown.events()[i].step;
    }
    // The number is that of the charts, whatever number of steps has run.
    QVERIFY2(run.text().startsWith(QStringLiteral("Step %1 is not finite.").arg(first)), qPrintable(run.text()));
    QCOMPARE(shown.config().diverged_after, std::int64_t{1});
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
