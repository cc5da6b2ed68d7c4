// SPDX-License-Identifier: Apache-2.0
// Experiments of lessons on the real engine: its samples are those that lessons know, and each of them trains.
#include "app/lessons/lesson_course.h"
#include "app/lessons/lesson_run.h"
#include "app/lessons/sample_training.h"
#include "app/session/fashion_data.h"
#include "app/session/session.h"
#include "engine/lessons/blocks_of.h"
#include "tests/app/journey.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSettings>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>

namespace {

using namespace binade;
using app::LessonRun;

class LessonJourneys : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (!QFileInfo::exists(test::enginePath())) QSKIP("binade-engine is not built");
    settings_ =
        std::make_unique<QSettings>(test::temporaryFolder() + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    session_ = std::make_unique<app::Session>(
        app::EngineCommand{test::enginePath(), {QStringLiteral("serve")}, app::Confinement::kIfPossible},
        settings_.get());
    QObject::connect(&session_->run(), &app::RunModel::reset, session_.get(), [this] {
      const QString file = session_->run().runFile();
      if (!file.isEmpty()) run_files_ << file;
    });
    session_->startEngine();
    QTRY_VERIFY_WITH_TIMEOUT(session_->engine().state() == app::EngineClient::State::kReady, test::kPatience);
  }

  void cleanupTestCase() {
    session_.reset();
    for (const QString& file : run_files_) {
      QFile::remove(file);
      QDir(file + QStringLiteral(".checkpoints")).removeRecursively();
    }
  }

  void lessonsKnowTheSamplesOfTheEngine() {
    QProcess process;
    process.start(test::enginePath(), {QStringLiteral("sample"), QStringLiteral("--json")});
    QVERIFY(process.waitForFinished(test::kPatience));
    QStringList built;
    for (const QByteArray& line : process.readAllStandardOutput().split('\n')) {
      const QJsonObject each = QJsonDocument::fromJson(line).object();
      if (each[QLatin1String("event")] == QLatin1String("sample")) built << each[QLatin1String("name")].toString();
    }
    QStringList known;
    for (const app::SampleTraining& each : app::sampleTrainings()) known << QString::fromStdString(each.name);
    built.sort();
    known.sort();
    QCOMPARE(known, built);
  }

  void everySampleTrains_data() {
    QTest::addColumn<QString>("sample");
    for (const app::SampleTraining& each : app::sampleTrainings()) {
      QTest::newRow(each.name.c_str()) << QString::fromStdString(each.name);
    }
  }

  void everySampleTrains() {
    QFETCH(const QString, sample);
    lessons::Experiment experiment;
    experiment.sample = sample.toStdString();
    experiment.steps = 2;
    experiment.policies = {policy::Base::kCudaAmp};
    LessonRun run(session_.get());
    run.start(experiment, QStringLiteral("Lesson"));
    QVERIFY(QTest::qWaitFor([&] { return run.state() == LessonRun::State::kEnded; }, test::kPatience));
    QVERIFY2(run.isComplete(), qPrintable(run.text()));
    QCOMPARE(session_->run().steps().size(), std::size_t{2});
  }

  // What a teacher relies on: every student sees the same.
  void twoRunsOfAnExperimentAreEqual() {
    lessons::Experiment experiment;
    experiment.sample = "mlp";
    experiment.steps = 5;
    experiment.policies = {policy::Base::kCudaAmp};
    std::vector<double> losses[2];
    for (auto& each : losses) {
      LessonRun run(session_.get());
      run.start(experiment, QStringLiteral("Lesson"));
      QVERIFY(QTest::qWaitFor([&] { return run.state() == LessonRun::State::kEnded; }, test::kPatience));
      QVERIFY2(run.text().contains(QStringLiteral("in all 5 steps. No step was skipped.")), qPrintable(run.text()));
      for (std::size_t i = 0; i < session_->run().steps().size(); ++i) each.push_back(session_->run().steps()[i].loss);
    }
    QCOMPARE(losses[0].size(), std::size_t{5});
    QVERIFY(losses[0] == losses[1]);
  }

  // A class gets the file of an experiment, and everyone sees the same steps.
  void anExperimentCanBeHandedOutAsARunFile() {
    lessons::Experiment experiment;
    experiment.sample = "mlp";
    experiment.steps = 5;
    experiment.policies = {policy::Base::kCudaAmp};
    LessonRun run(session_.get());
    run.start(experiment, QStringLiteral("Lesson 7: The dynamic scaler"));
    QVERIFY(QTest::qWaitFor([&] { return run.state() == LessonRun::State::kEnded; }, test::kPatience));
    QVERIFY2(run.isComplete(), qPrintable(run.text()));
    const double loss = session_->run().steps()[4].loss;
    const QFileInfo file(session_->run().runFile());
    QVERIFY2(file.fileName().startsWith(QStringLiteral("Lesson-7-The-dynamic-scaler-cuda-amp-")),
             qPrintable(file.fileName()));
    session_->openFile(file.filePath());
    QVERIFY(QTest::qWaitFor([&] { return session_->run().source() == app::RunModel::Source::kFile; }, test::kPatience));
    QCOMPARE(session_->run().steps().size(), std::size_t{5});
    QCOMPARE(session_->run().steps()[4].loss, loss);
  }

  // Lesson 5: nothing is learned without a loss scale; with a dynamic one the loss falls, and few steps are skipped.
  void lesson5LearnsWithALossScale() {
    if (app::fashionFolder().empty()) QSKIP("Fashion-MNIST is not installed");
    app::LessonCourse course(settings_.get());
    const app::LessonEntry& entry = course.entries()[4];
    std::vector<double> last;
    for (const lessons::Experiment* each : lessons::blocks_of<lessons::Experiment>(*entry.lesson())) {
      LessonRun run(session_.get());
      run.start(*each, entry.title());
      QVERIFY(QTest::qWaitFor([&] { return run.state() == LessonRun::State::kEnded; }, test::kPatience));
      QVERIFY2(run.isComplete(), qPrintable(run.text()));
      const auto& steps = session_->run().steps();
      double sum = 0;
      std::size_t skipped = 0;
      for (std::size_t i = 0; i < steps.size(); ++i) {
        sum += i + 10 >= steps.size() ? steps[i].loss : 0;
        skipped += steps[i].stepped ? 0 : 1;
      }
      last.push_back(sum / 10);
      QVERIFY2(skipped < 8, qPrintable(run.text()));
    }
    QCOMPARE(last.size(), std::size_t{2});
    QVERIFY2(last[0] > 2.25 && last[1] < 1.8, qPrintable(QStringLiteral("%1, %2").arg(last[0]).arg(last[1])));
  }

  // Lesson 6 slides the scale over these gradients: the left tail comes back, and the right one overflows.
  void lesson6MeasuresGradientsWithTwoTails() {
    app::LessonCourse course(settings_.get());
    const app::LessonEntry& entry = course.entries()[5];
    LessonRun run(session_.get());
    run.start(*lessons::blocks_of<lessons::Experiment>(*entry.lesson()).front(), entry.title());
    QVERIFY(QTest::qWaitFor([&] { return run.state() == LessonRun::State::kEnded; }, test::kPatience));
    QVERIFY2(run.isComplete() && run.tail().hasFigure(), qPrintable(run.text()));
    QVERIFY2(run.tail().caption().startsWith(QStringLiteral("The gradients of all weights in step 343,")),
             qPrintable(run.tail().caption()));
    QVERIFY2(!run.tail().caption().contains(QStringLiteral("bounds")), qPrintable(run.tail().caption()));
    if (app::fashionFolder().empty()) QSKIP("Fashion-MNIST is not installed");
    const auto at = [&run](int exponent) {
      run.setTailExponent(exponent);
      return run.tail().figure();
    };
    QVERIFY2(at(0).fact("zero")->value > 0.1 && at(0).fact("zero")->value < 1, at(0).text.c_str());
    QVERIFY2(at(12).fact("zero")->value < 0.1 && at(12).fact("overflow")->value == 0, at(12).text.c_str());
    QVERIFY2(at(24).fact("overflow")->value > 0.1, at(24).text.c_str());
  }

  // Lesson 10: what each part of the recipe is for.
  void lesson10ShowsWhatEachPartIsFor() {
    app::LessonCourse course(settings_.get());
    const app::LessonEntry& entry = course.entries()[9];
    std::vector<lessons::FigureData> figures;
    for (const lessons::Experiment* each : lessons::blocks_of<lessons::Experiment>(*entry.lesson())) {
      if (each->without.empty()) continue;
      LessonRun run(session_.get());
      run.start(*each, entry.title());
      QVERIFY(QTest::qWaitFor([&] { return run.state() == LessonRun::State::kEnded; }, test::kPatience));
      QVERIFY2(run.isComplete(), qPrintable(run.text()));
      figures.push_back(run.figure());
    }
    QCOMPARE(figures.size(), std::size_t{2});
    if (app::fashionFolder().empty()) QSKIP("Fashion-MNIST is not installed");
    const auto loss = [](const lessons::FigureData& figure, const char* name) { return figure.fact(name)->value; };
    const lessons::FigureData& deep = figures[0];
    QVERIFY2(loss(deep, "apex-o2") < loss(deep, "apex-o2 without loss scaling") - 0.2, deep.text.c_str());
    const lessons::FigureData& small = figures[1];
    const double recipe = loss(small, "apex-o2");
    QVERIFY2(std::abs(recipe - loss(small, "apex-o2 without loss scaling")) < 0.1, small.text.c_str());
    // The difference grows with the steps, and a slow machine makes fewer of them in the time of an experiment.
    QVERIFY2(recipe < loss(small, "apex-o2 without master weights") - 0.05, small.text.c_str());
  }

  // The experiment of lesson 9 has the fault that its first exercise asks for.
  void lesson9OverflowsInTheProductOfQueriesAndKeys() {
    app::LessonCourse course(settings_.get());
    const app::LessonEntry& entry = course.entries()[8];
    LessonRun run(session_.get());
    run.start(*lessons::blocks_of<lessons::Experiment>(*entry.lesson()).front(), entry.title());
    QVERIFY(QTest::qWaitFor([&] { return run.state() == LessonRun::State::kEnded; }, test::kPatience));
    QVERIFY2(run.isComplete(), qPrintable(run.text()));
    QCOMPARE(session_->run().steps().size(), std::size_t{1});
    QVERIFY2(run.text().startsWith(QStringLiteral("Step 0 is not finite.")), qPrintable(run.text()));
    QVERIFY(!session_->run().events().empty());
    const wire::Event& event = session_->run().events().front();
    QVERIFY(event.diagnosis && !event.diagnosis->roots.empty());
    const int site = event.diagnosis->roots.front().site;
    const policy::SiteKey& key = session_->run().sites()[static_cast<std::size_t>(site)].key;
    const auto exercise = lessons::blocks_of<lessons::Exercise>(*entry.lesson()).front();
    const auto& names = std::get<std::vector<std::string>>(exercise->answer);
    const std::string name = key.op + '#' + std::to_string(key.ordinal);
    QVERIFY2(std::find(names.begin(), names.end(), name) != names.end(), name.c_str());
  }

 private:
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<app::Session> session_;
  QStringList run_files_;
};

BINADE_SUITE(LessonJourneys);

}  // namespace

#include "tst_lesson_journeys.moc"
