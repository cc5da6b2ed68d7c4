// SPDX-License-Identifier: Apache-2.0
// The window attached to a real training: `binade-engine train`, which was started without it.
#include "app/session/attachment.h"
#include "app/session/session.h"
#include "app/session/training_list.h"
#include "tests/app/journey.h"
#include "tests/support/suite.h"
#include "tests/support/warnings.h"

#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <csignal>
#include <memory>

namespace {

using namespace binade;
using app::Attachment;

// A window without widgets, and its settings.
struct Window {
  explicit Window(const QString& folder)
      : settings(folder + QStringLiteral("/settings.ini"), QSettings::IniFormat),
        session({test::enginePath(), {QStringLiteral("serve")}, app::Confinement::kIfPossible}, &settings) {}

  void attach(qint64 process, bool watch = false) {
    session.attachTo(app::attachCommand(session.engine().command(), QString::number(process)), watch);
  }
  bool follows(std::size_t steps) {
    return QTest::qWaitFor([&] { return session.attachment().caughtUp() && session.run().steps().size() >= steps; },
                           test::kPatience);
  }

  QSettings settings;
  app::Session session;
};

class AttachJourney : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (!QFileInfo::exists(test::enginePath())) QSKIP("binade-engine is not built");
    runtime_before_ = qgetenv("XDG_RUNTIME_DIR");
  }
  // The runtime folder is the test's own, so the list of trainings never contains those of the user.
  void init() {
    test::failOnWarnings();
    folder_ = test::temporaryFolder();
    QFile::setPermissions(folder_, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("XDG_RUNTIME_DIR", folder_.toLocal8Bit());
    QFile run(folder_ + QStringLiteral("/run.json"));
    QVERIFY(run.open(QIODevice::WriteOnly));
    QVERIFY(run.write("{\"binade_run\": 1, \"name\": \"journey\", \"model\": \"sample:mlp\", \"batch\": 8,"
                      " \"data\": {\"kind\": \"synthetic\", \"inputs\": [\"float32[8,1,28,28]\"]},"
                      " \"steps\": 10000000}") > 0);
    run.close();
    training_ = std::make_unique<QProcess>();
    training_->setProcessChannelMode(QProcess::MergedChannels);
    training_->setStandardOutputFile(folder_ + QStringLiteral("/training.log"));
    training_->start(test::enginePath(), {QStringLiteral("train"), folder_ + QStringLiteral("/run.json"),
                                          QStringLiteral("--run-file"), runFile()});
    QVERIFY(training_->waitForStarted());
  }
  void cleanup() {
    if (training_ && training_->state() != QProcess::NotRunning) {
      training_->kill();
      training_->waitForFinished();
    }
    training_.reset();
    qputenv("XDG_RUNTIME_DIR", runtime_before_);
  }

  void itIsListedEditedAndLetGoAndGoesOn() {
    QVERIFY(isListed());
    Window window(folder_);
    window.attach(training_->processId());
    QVERIFY(window.follows(5));
    app::Session& session = window.session;
    QCOMPARE(session.attachment().training().process, training_->processId());
    QVERIFY(session.attachment().isEditor());
    QCOMPARE(session.run().runFile(), QFileInfo(runFile()).absoluteFilePath());
    session.pause();
    QTRY_VERIFY_WITH_TIMEOUT(session.run().state() == wire::RunState::kPaused, test::kPatience);
    session.document().setFormat({session.run().sites().front().key}, formats::kFloat32);
    session.resume();
    QTRY_VERIFY_WITH_TIMEOUT(session.run().policies().back().policy == session.document().policy(), test::kPatience);
    session.letGo();
    QVERIFY(session.hasLetGo());

    // It goes on, and another window finds it further along, under the edited policy.
    const std::size_t steps = session.run().steps().size();
    Window later(folder_);
    later.attach(training_->processId());
    QVERIFY(later.follows(1));
    QTRY_VERIFY_WITH_TIMEOUT(later.session.run().steps().back().step > static_cast<std::int64_t>(steps),
                             test::kPatience);
    QVERIFY(later.session.document().policy() == session.document().policy());
    QVERIFY(training_->state() == QProcess::Running);

    // Its editor can end it for all.
    later.session.stop();
    QTRY_VERIFY_WITH_TIMEOUT(later.session.run().finished().has_value(), test::kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(training_->state() == QProcess::NotRunning, test::kPatience);
    QVERIFY(!isListed());
  }

  void oneEditsAnotherWatchesAndTheyChangePlaces() {
    QVERIFY(isListed());
    Window first(folder_);
    first.attach(training_->processId());
    QVERIFY(first.follows(2));
    Window second(folder_);
    second.attach(training_->processId());
    QVERIFY(second.follows(2));
    QTRY_COMPARE_WITH_TIMEOUT(first.session.attachment().others(), 1, test::kPatience);
    QVERIFY(first.session.attachment().isEditor() && !second.session.attachment().isEditor());
    QVERIFY(!second.session.attachment().otherEditor().isEmpty());

    first.session.document().setFormat({first.session.run().sites().front().key}, formats::kFloat32);
    QTRY_VERIFY_WITH_TIMEOUT(second.session.document().policy() == first.session.document().policy(), test::kPatience);
    second.session.attachment().takeEditing();
    QTRY_VERIFY_WITH_TIMEOUT(second.session.attachment().isEditor(), test::kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!first.session.attachment().isEditor(), test::kPatience);
    const policy::Policy before = first.session.document().policy();
    second.session.document().clearRules({second.session.run().sites().front().key});
    QTRY_VERIFY_WITH_TIMEOUT(!(first.session.document().policy() == before), test::kPatience);
    QVERIFY(first.session.document().policy() == second.session.document().policy());
  }

  void aKilledBridgeIsReplacedAndAKilledTrainingIsReported() {
    QVERIFY(isListed());
    Window window(folder_);
    app::Session& session = window.session;
    session.attachment().setFirstPause(std::chrono::milliseconds(10));
    window.attach(training_->processId());
    QVERIFY(window.follows(5));
    QSignalSpy problems(&session, &app::Session::problem);
    QSignalSpy resets(&session.run(), &app::RunModel::reset);
    bool lost = false;
    connect(&session.attachment(), &Attachment::changed, this,
            [&] { lost = lost || session.attachment().state() == Attachment::State::kLost; });
    ::kill(static_cast<pid_t>(session.engine().processId()), SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(lost, test::kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(
        session.attachment().state() == Attachment::State::kConnected && session.attachment().caughtUp(),
        test::kPatience);
    QCOMPARE(resets.count(), 0);
    QCOMPARE(problems.count(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(session.attachment().isEditor(), test::kPatience);
    // No step is missing or there twice.
    const auto& steps = session.run().steps();
    for (std::size_t i = 1; i < steps.size(); ++i) QCOMPARE(steps[i].step, steps[i - 1].step + 1);

    training_->kill();
    training_->waitForFinished();
    QTRY_COMPARE_WITH_TIMEOUT(problems.count(), 1, test::kPatience);
    QVERIFY(problems.front().front().value<app::Problem>().hint.contains(QStringLiteral("journey.binade")));
    QVERIFY(!session.run().isActive() && !session.attachment().isOn());
  }

 private:
  QString runFile() const { return folder_ + QStringLiteral("/journey.binade"); }

  // Asks as the dialog does, until the training answers or has ended.
  bool isListed() {
    app::TrainingList list;
    std::optional<std::vector<app::RunningTraining>> found;
    connect(&list, &app::TrainingList::listed, this, [&](const auto& trainings) { found = trainings; });
    const app::EngineCommand engine{test::enginePath(), {QStringLiteral("serve")}};
    const auto among = [&] {
      found.reset();
      list.ask(engine);
      if (!QTest::qWaitFor([&] { return found.has_value(); }, test::kPatience)) return false;
      for (const app::RunningTraining& each : *found) {
        if (each.problem.isEmpty() && each.run.name == "journey" && each.run.step > 0) return true;
      }
      return false;
    };
    while (training_->state() != QProcess::NotRunning) {
      if (among()) return true;
      QTest::qWait(100);
    }
    return among();
  }

  QString folder_;
  QByteArray runtime_before_;
  std::unique_ptr<QProcess> training_;
};

BINADE_SUITE(AttachJourney);

}  // namespace

#include "tst_attach_journey.moc"
