// SPDX-License-Identifier: Apache-2.0
// A session attached to a training that goes on without it, with the fake engine as the training.
#include "app/session/attachment.h"
#include "app/session/continuation.h"
#include "app/session/training_list.h"
#include "engine/formats/format.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>

namespace {

using namespace binade;
using app::Attachment;
using app::EngineClient;
using test::Explorer;

QStringList attached(const Explorer& explorer, const QStringList& more = {}) {
  return QStringList{QStringLiteral("--log"), explorer.folder() + QStringLiteral("/attached.log"),
                     QStringLiteral("--attached"), QStringLiteral("20")} +
         more;
}

QStringList cutAt(const Explorer& explorer, int step) {
  return {QStringLiteral("--cut-once"), QString::number(step), explorer.folder() + QStringLiteral("/cut")};
}

// The steps of a run are those of the made-up training, from the first on, each once.
void compareWithTraining(const app::RunModel& run) {
  test::FakeRun training;
  for (std::size_t i = 0; i < run.steps().size(); ++i) {
    const wire::StepRecord step = training.next();
    QCOMPARE(run.steps()[i].step, static_cast<std::int64_t>(i));
    QCOMPARE(run.steps()[i].loss, step.loss);
    QCOMPARE(run.steps()[i].scale, step.scale);
  }
}

bool hasRequest(const Explorer& explorer, const QString& method) {
  QFile log(explorer.folder() + QStringLiteral("/attached.log"));
  return log.open(QIODevice::ReadOnly) && log.readAll().contains(QStringLiteral("\"%1\"").arg(method).toUtf8());
}

std::vector<wire::RunNotification> historyOf(int steps) {
  test::FakeRun training;
  std::vector<wire::RunNotification> history{training.started()};
  while (training.step() < steps) {
    wire::StepBatch batch;
    batch.steps.push_back(training.next());
    history.push_back(batch);
    if (training.event() != nullptr) history.push_back(*training.event());
  }
  return history;
}

class Attachments : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aRunningTrainingIsShownFromItsFirstStepAndGoesOn() {
    Explorer explorer;
    app::Session& session = explorer.session();
    session.attachTo(test::fakeEngine(attached(explorer)));
    QTRY_VERIFY(session.run().steps().size() > 25);
    const Attachment& attachment = session.attachment();
    QVERIFY(attachment.isEditor() && attachment.state() == Attachment::State::kConnected);
    QCOMPARE(attachment.trainingText(), QStringLiteral("made-up"));
    QVERIFY(attachment.caughtUp().has_value());
    compareWithTraining(session.run());
    QVERIFY(session.run().whyNoEdit().isEmpty());
    QVERIFY(session.isUndisturbed());
    // An edit comes into force as in a run of its own.
    const auto key = session.run().sites()[1].key;
    session.document().setFormat({key}, formats::kFloat32);
    QTRY_COMPARE(session.run().policies().back().revision, session.document().revision());
    QVERIFY(session.document().policy() == session.run().policies().back().policy);
  }

  void lettingGoStopsNoTrainingAndReturnsToTheOwnEngine() {
    Explorer explorer;
    app::Session& session = explorer.session();
    session.startEngine();
    QTRY_VERIFY(session.engine().state() == EngineClient::State::kReady);
    const app::EngineCommand own = session.engine().command();
    session.attachTo(test::fakeEngine(attached(explorer)));
    QTRY_VERIFY(session.run().steps().size() > 25);
    QSignalSpy problems(&session, &app::Session::problem);
    session.letGo();
    QVERIFY(!session.attachment().isOn() && session.hasLetGo() && !session.run().isActive());
    QCOMPARE(session.engine().command(), own);
    QTRY_VERIFY(session.engine().state() == EngineClient::State::kReady);
    QVERIFY(!hasRequest(explorer, QStringLiteral("run.stop")));
    QCOMPARE(problems.count(), 0);
    QVERIFY(!session.run().steps().empty());
  }

  void theDemoLetsGoInsteadOfStoppingTheTraining() {
    Explorer explorer;
    app::Session& session = explorer.session();
    session.attachTo(test::fakeEngine(attached(explorer)));
    QTRY_VERIFY(session.run().steps().size() > 25);
    session.runDemo();
    QTRY_VERIFY(!session.attachment().isOn() && session.run().isActive());
    QTRY_COMPARE(explorer.requests(QStringLiteral("run.demo")).size(), 1);
    QVERIFY(!hasRequest(explorer, QStringLiteral("run.stop")));
    QVERIFY(!session.hasLetGo());
  }

  void aWatcherEditsNothingUntilItTakesOver() {
    Explorer explorer;
    app::Session& session = explorer.session();
    session.attachTo(test::fakeEngine(attached(explorer, {QStringLiteral("--other-edits")})));
    QTRY_VERIFY(session.run().steps().size() > 25);
    Attachment& attachment = session.attachment();
    QVERIFY(!attachment.isEditor());
    QCOMPARE(attachment.otherEditor(), QStringLiteral("anna at desk"));
    QCOMPARE(attachment.others(), 1);
    QVERIFY(session.run().whyNoEdit().contains(QStringLiteral("anna at desk")));
    const policy::Policy before = session.document().policy();
    const auto key = session.run().sites()[1].key;
    QSignalSpy problems(&session, &app::Session::problem);
    session.document().setFormat({key}, formats::kFloat32);
    session.setScale(2);
    QCOMPARE(problems.count(), 2);
    QVERIFY(session.document().policy() == before);
    QVERIFY(!session.document().undoStack()->canUndo());
    QVERIFY(!hasRequest(explorer, QStringLiteral("policy.set")));

    attachment.takeEditing();
    QTRY_VERIFY(attachment.isEditor());
    QVERIFY(session.run().whyNoEdit().isEmpty());
    session.document().setFormat({key}, formats::kFloat32);
    QTRY_VERIFY(session.run().policies().back().policy == session.document().policy());
    attachment.releaseEditing();
    QTRY_VERIFY(!attachment.isEditor());
    QVERIFY(!session.run().whyNoEdit().isEmpty());
  }

  void oneThatOnlyWatchesIsNotMadeTheEditor() {
    Explorer explorer;
    explorer.session().attachTo(test::fakeEngine(attached(explorer)), true);
    QTRY_VERIFY(explorer.session().run().steps().size() > 25);
    QVERIFY(!explorer.session().attachment().isEditor());
    QVERIFY(explorer.session().attachment().otherEditor().isEmpty());
  }

  void aCutConnectionIsMadeAgainAndNothingShownIsLost() {
    Explorer explorer;
    app::Session& session = explorer.session();
    session.attachment().setFirstPause(std::chrono::milliseconds(10));
    QSignalSpy resets(&session.run(), &app::RunModel::reset);
    QSignalSpy problems(&session, &app::Session::problem);
    bool lost = false;
    connect(&session.attachment(), &Attachment::changed, this, [&] {
      if (session.attachment().state() != Attachment::State::kLost || lost) return;
      lost = true;
      QVERIFY(session.run().isActive());
      QVERIFY(!session.run().whyNoEdit().isEmpty());
    });
    session.attachTo(test::fakeEngine(attached(explorer, cutAt(explorer, 40))));
    QTRY_VERIFY(lost);
    QTRY_VERIFY(session.attachment().state() == Attachment::State::kConnected && session.run().steps().size() > 60);
    compareWithTraining(session.run());
    QCOMPARE(resets.count(), 1);
    QCOMPARE(problems.count(), 0);
    QVERIFY(session.attachment().isEditor());
    QCOMPARE(session.attachment().attempts(), 0);
  }

  void editsMadeWhileTheConnectionIsLostAreKeptAndAppliedOnRequest() {
    Explorer explorer;
    app::Session& session = explorer.session();
    session.attachment().setFirstPause(std::chrono::hours(1));
    session.attachTo(test::fakeEngine(attached(explorer, cutAt(explorer, 40))));
    QTRY_VERIFY(session.attachment().state() == Attachment::State::kLost);
    session.document().setFormat({session.run().sites()[1].key}, formats::kFloat32);
    const policy::Policy edited = session.document().policy();
    QVERIFY(!session.isUndisturbed());
    QSignalSpy kept(&session.attachment(), &Attachment::editsKept);
    session.attachment().reconnect();
    QTRY_COMPARE(kept.count(), 1);
    QVERIFY(session.document().policy() == edited);
    QVERIFY(!(session.run().policies().back().policy == edited));
    session.attachment().applyKeptEdits();
    QTRY_VERIFY(session.run().policies().back().policy == edited);
    QVERIFY(!session.attachment().keepsEdits() && session.isUndisturbed());
  }

  void keptEditsCanBeDropped() {
    Explorer explorer;
    app::Session& session = explorer.session();
    session.attachment().setFirstPause(std::chrono::hours(1));
    session.attachTo(test::fakeEngine(attached(explorer, cutAt(explorer, 40))));
    QTRY_VERIFY(session.attachment().state() == Attachment::State::kLost);
    const policy::Policy before = session.document().policy();
    session.document().setFormat({session.run().sites()[1].key}, formats::kFloat32);
    session.attachment().reconnect();
    QTRY_VERIFY(session.attachment().keepsEdits() && session.attachment().caughtUp());
    session.attachment().dropKeptEdits();
    QVERIFY(session.document().policy() == before);
    QVERIFY(!hasRequest(explorer, QStringLiteral("policy.set")));
  }

  void aTrainingThatIsGoneIsSaidToHaveEnded() {
    Explorer explorer;
    app::Session& session = explorer.session();
    session.attachment().setFirstPause(std::chrono::milliseconds(10));
    QSignalSpy problems(&session, &app::Session::problem);
    session.attachTo(test::fakeEngine(attached(explorer, cutAt(explorer, 40) + QStringList{QStringLiteral("--gone")})));
    QTRY_COMPARE(problems.count(), 1);
    const auto problem = problems.front().front().value<app::Problem>();
    QVERIFY(problem.message.contains(QStringLiteral("no training of process 4242")));
    QVERIFY(problem.hint.contains(QStringLiteral("/far/made-up.binade")));
    QVERIFY(!session.attachment().isOn() && !session.run().isActive());
    QVERIFY(session.run().steps().size() >= 40);
    QTRY_VERIFY(session.engine().state() == EngineClient::State::kReady);
  }

  void restartingTheEngineEndsTheConnectionOnlyAndMakesItAgain() {
    Explorer explorer;
    app::Session& session = explorer.session();
    session.attachTo(test::fakeEngine(attached(explorer)));
    QTRY_VERIFY(session.run().steps().size() > 20);
    Attachment& attachment = session.attachment();
    attachment.setFirstPause(std::chrono::hours(1));
    session.restartEngine();  // ends the connection only, and makes it again at once
    QTRY_VERIFY(attachment.state() == Attachment::State::kConnected && session.run().isActive());
    QVERIFY(!hasRequest(explorer, QStringLiteral("run.stop")));
    QCOMPARE(attachment.secondsLeft(), 0);
  }

  void whatASlowLinkLeavesOutIsKnownAndMarksAreReturned() {
    Explorer explorer;
    app::Session& session = explorer.session();
    session.attachTo(test::fakeEngine(attached(explorer, {QStringLiteral("--slow-link")})));
    QTRY_VERIFY(session.linkDetail().slow);
    QCOMPARE(session.linkDetail().statistics, std::int64_t{12});
    QTRY_VERIFY(hasRequest(explorer, QStringLiteral("link.seen")));
    const QAbstractItemModel& log = session.log();
    bool said = false;
    for (int row = 0; row < log.rowCount(); ++row) {
      said = said || log.index(row, app::LogModel::kText).data().toString().contains(QStringLiteral("is slow"));
    }
    QVERIFY(said);
  }

  void aHistoryContinuesWhatIsShown() {
    Explorer explorer;
    test::feedRun(explorer.session().run(), 30);
    const app::RunModel& run = explorer.session().run();
    const auto lacking = app::continuation(run, historyOf(50));
    QVERIFY(lacking.has_value());
    std::int64_t next = 30;
    for (const wire::RunNotification& each : *lacking) {
      QVERIFY(!std::holds_alternative<wire::RunStarted>(each));
      const auto* batch = std::get_if<wire::StepBatch>(&each);
      if (batch == nullptr) continue;
      for (const wire::StepRecord& step : batch->steps) QCOMPARE(step.step, next++);
    }
    QCOMPARE(next, std::int64_t{50});
  }

  void aRewoundTrainingReplacesWhatIsShown() {
    Explorer explorer;
    test::feedRun(explorer.session().run(), 30);
    const app::RunModel& run = explorer.session().run();
    // Rewound, and not yet as far as before.
    auto history = historyOf(30);
    history.push_back(wire::Rewound{10, "kept"});
    QVERIFY(!app::continuation(run, history));
    // Rewound, and past it by another way.
    wire::StepBatch other;
    for (std::int64_t step = 10; step < 40; ++step) {
      wire::StepRecord record;
      record.step = step;
      record.loss = 99;
      other.steps.push_back(record);
    }
    history.push_back(other);
    QVERIFY(!app::continuation(run, history));
    // Rewound, and past it by the same way: nothing is different.
    auto same = historyOf(30);
    same.push_back(wire::Rewound{10, "kept"});
    test::FakeRun training;
    wire::StepBatch again;
    while (training.step() < 40) {
      const wire::StepRecord record = training.next();
      if (record.step >= 10) again.steps.push_back(record);
    }
    same.push_back(again);
    QVERIFY(app::continuation(run, same).has_value());
  }

  void commandsNameTheTraining() {
    using app::attachCommand;
    const app::EngineCommand here{QStringLiteral("/opt/binade-engine"), {QStringLiteral("serve")}};
    QCOMPARE(attachCommand(here, QStringLiteral("42")).arguments,
             (QStringList{QStringLiteral("attach"), QStringLiteral("42")}));
    QVERIFY(app::isLocal(attachCommand(here, {})) && app::attaches(attachCommand(here, {})) && !app::attaches(here));
    const app::EngineCommand far = app::remoteCommand(QStringLiteral("box"), {});
    QCOMPARE(attachCommand(far, QStringLiteral("my run")).arguments,
             (QStringList{QStringLiteral("box"), QStringLiteral("binade-engine attach 'my run'")}));
    QCOMPARE(app::listTrainingsCommand(far).arguments.last(), QStringLiteral("binade-engine attach --list --json"));
    QVERIFY(app::attaches(attachCommand(far, QStringLiteral("a"))));
    // As on the command line: --connect 'ssh -p 2222 box binade-engine attach'.
    const app::EngineCommand words = app::engineCommand(QStringLiteral("ssh -p 2222 box binade-engine attach"));
    QVERIFY(app::attaches(words) && app::hostOf(words) == QStringLiteral("box"));
    QCOMPARE(attachCommand(words, {}), words);
    QCOMPARE(attachCommand(words, QStringLiteral("7")).arguments.join(u' '),
             QStringLiteral("-p 2222 box binade-engine attach 7"));
    // The other commands of a local engine are found from either.
    QCOMPARE(app::otherCommand(attachCommand(here, QStringLiteral("42")), {QStringLiteral("export")}).arguments,
             QStringList{QStringLiteral("export")});
  }

  void aListIsReadLineByLine() {
    const auto trainings = app::readTrainings(
        "a word of the shell\n"
        "{\"event\":\"training\",\"name\":\"old\",\"process\":7,\"since\":100,\"step\":5,\"run_file\":\"/r.binade\"}\n"
        "{\"event\":\"training\",\"name\":\"new\",\"process\":8,\"since\":200,\"step\":6,\"explorers\":2}\n"
        "{\"event\":\"training\",\"name\":\"deaf\",\"process\":9,\"since\":50,\"problem\":\"does not answer\"}\n");
    QCOMPARE(trainings.size(), std::size_t{3});
    QCOMPARE(trainings[0].run.name, std::string("new"));
    QCOMPARE(trainings[0].run.peers, std::int64_t{2});
    QCOMPARE(trainings[1].run.run_file, std::string("/r.binade"));
    QVERIFY(trainings[1].problem.isEmpty());
    QCOMPARE(trainings[2].problem, QStringLiteral("does not answer"));
  }
};

BINADE_SUITE(Attachments);

}  // namespace

#include "tst_attachments.moc"
