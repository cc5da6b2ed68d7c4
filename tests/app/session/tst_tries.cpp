// SPDX-License-Identifier: Apache-2.0
// Tries of the shown run: the state that they start from, and that the run goes on.
#include "app/session/session.h"
#include "app/session/tries.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_try.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <memory>

namespace {

using namespace binade;
using app::Session;
using app::Tries;
using test::FakeTry;

const QString& atOnce() {
  static const QString body = QStringLiteral("cat \"$folder/tried\"");
  return body;
}

/// An empty file with this name.
QString fileOf(const QString& name) {
  const QString path = test::temporaryFolder() + u'/' + name;
  QFile file(path);
  return file.open(QIODevice::WriteOnly) ? path : QString();
}

class TriesOfRuns : public test::Suite {
  Q_OBJECT

 private:
  std::unique_ptr<QSettings> settings_;

  std::unique_ptr<Session> sessionWith(const app::EngineCommand& engine) {
    settings_ = std::make_unique<QSettings>(test::temporaryFolder() + QStringLiteral("/s.ini"), QSettings::IniFormat);
    return std::make_unique<Session>(engine, settings_.get());
  }

  /// A made-up run that has ended, recorded in this file.
  static void feedEnded(Session& session, const QString& run_file) {
    wire::RunStarted started = test::FakeRun().started();
    started.run_file = run_file.toStdString();
    session.run().begin(started, app::RunModel::Source::kLive);
    session.run().finish({wire::Outcome::kCompleted, 0, {}, {}});
    session.document().adopt(started.policy.policy, 0);
  }

  static bool tries(Session& session, const app::TryWish& wish) {
    QSignalSpy finished(&session.tries(), &Tries::finished);
    session.tries().start(wish);
    return !finished.isEmpty() || finished.wait(20000);
  }

 private Q_SLOTS:
  void aLiveRunSavesACheckpointAndGoesOn() {
    const FakeTry fake(atOnce());
    const auto session = sessionWith(fake.engine());
    session->runDemo();
    QVERIFY(QTest::qWaitFor([&] { return session->run().steps().size() > 5; }, 20000));
    app::TryWish wish{session->document().policy(), test::fakeTrial().after};
    wish.steps = 40;
    QVERIFY(tries(*session, wish));
    QVERIFY2(fake.arguments().value(1).endsWith(QStringLiteral(".safetensors")),
             qPrintable(fake.arguments().join(u' ')));
    QVERIFY(fake.after() == wish.after);
    QVERIFY(session->run().isActive());
    const auto steps = session->run().steps().size();
    QVERIFY(QTest::qWaitFor([&] { return session->run().steps().size() > steps; }, 20000));
    QCOMPARE(session->run().trials().size(), std::size_t{1});
    QVERIFY(session->document().policy() == wish.before);  // tried, not applied
  }

  void theNewestEditIsTriedFromTheCheckpointBeforeIt() {
    const FakeTry fake(atOnce());
    const auto session = sessionWith(fake.engine());
    test::feedRun(session->run(), 5);
    const policy::Policy first = session->run().policies().back().policy;
    session->document().adopt(first, 0);
    const QString saved = fileOf(QStringLiteral("before-edit.safetensors"));
    wire::CheckpointInfo checkpoint;
    checkpoint.file = saved.toStdString();
    checkpoint.step = 5;
    checkpoint.reason = "edit";
    session->run().addCheckpoint(checkpoint);
    wire::PolicyApplied applied = session->run().policies().back();
    applied.revision = 1;
    applied.step = 5;
    applied.policy = test::fakeTrial().after;
    session->run().addPolicy(applied);
    const auto wish = app::tryOfNewestEdit(session->run(), applied.policy);
    QVERIFY(wish && wish->before == first && wish->after == applied.policy);
    QVERIFY(tries(*session, *wish));
    QCOMPARE(fake.arguments().value(1), saved);
    QVERIFY(fake.before() == first);
  }

  // Runs without a file have no name that tells them apart.
  void aTryOfARunWithoutAFileIsNotOfTheNextOne() {
    const FakeTry fake(atOnce());
    const auto session = sessionWith(fake.engine());
    app::RunModel& run = session->run();
    const auto feed = [&] {
      wire::RunStarted started = test::FakeRun().started();
      started.run_file.clear();
      run.begin(started, app::RunModel::Source::kLive);
    };
    feed();
    session->document().adopt(run.policies().back().policy, 0);
    const app::RunIdentity first = run.identity();
    const policy::Policy same = session->document().policy();
    QVERIFY(tries(*session, {same, same}));  // is refused, and still belongs to the run
    QVERIFY(session->tries().isOfShownRun());
    feed();
    QVERIFY(!(run.identity() == first));
    QVERIFY(!session->tries().isOfShownRun());
  }

  void aPausedRunIsTriedFromTheCheckpointThatItHas() {
    const FakeTry fake(atOnce());
    const auto session = sessionWith(fake.engine());
    app::RunModel& run = session->run();
    test::feedRun(run, 5);
    wire::CheckpointInfo checkpoint;
    checkpoint.file = fileOf(QStringLiteral("paused.safetensors")).toStdString();
    checkpoint.step = run.steps().back().step + 1;
    checkpoint.reason = "request";
    run.addCheckpoint(checkpoint);
    run.setState({wire::RunState::kPaused, {}});
    session->document().adopt(run.policies().back().policy, 0);
    QVERIFY(tries(*session, {session->document().policy(), test::fakeTrial().after}));
    QCOMPARE(fake.arguments().value(1), QString::fromStdString(checkpoint.file));
  }

  void anEndedRunIsTriedFromItsFile() {
    const FakeTry fake(atOnce());
    const auto session = sessionWith(fake.engine());
    const QString file = fileOf(QStringLiteral("demo.binade"));
    feedEnded(*session, file);
    QVERIFY(tries(*session, {session->document().policy(), test::fakeTrial().after}));
    QCOMPARE(fake.arguments().value(1), file);
    QCOMPARE(fake.option(QStringLiteral("--record")), file);
    QCOMPARE(session->run().trials().size(), std::size_t{1});
  }

  void withoutAStateToStartFromItSaysSo() {
    const FakeTry fake(atOnce());
    const auto session = sessionWith(fake.engine());
    QVERIFY(session->tries().whyNot());  // no run
    feedEnded(*session, {});
    const auto why = session->tries().whyNot();
    QVERIFY(why && why->message.contains(QStringLiteral("neither a run file nor a checkpoint")));
    QSignalSpy finished(&session->tries(), &Tries::finished);
    session->tries().start({session->document().policy(), test::fakeTrial().after});
    QCOMPARE(finished.count(), 1);
    QVERIFY(fake.arguments().isEmpty());
    wire::CheckpointInfo checkpoint;
    checkpoint.file = "/checkpoints/last.safetensors";
    session->run().addCheckpoint(checkpoint);
    QVERIFY(!session->tries().whyNot());
  }

  void equalPoliciesAreNotTrained() {
    const FakeTry fake(atOnce());
    const auto session = sessionWith(fake.engine());
    feedEnded(*session, fileOf(QStringLiteral("demo.binade")));
    QVERIFY(tries(*session, {session->document().policy(), session->document().policy()}));
    QVERIFY(fake.arguments().isEmpty());
    QVERIFY(session->run().trials().empty());
  }

  void aResultOfAnotherRunIsNotShownInThisOne() {
    const FakeTry fake(QStringLiteral("sleep 0.3; cat \"$folder/tried\""));
    const auto session = sessionWith(fake.engine());
    feedEnded(*session, fileOf(QStringLiteral("demo.binade")));
    QSignalSpy finished(&session->tries(), &Tries::finished);
    session->tries().start({session->document().policy(), test::fakeTrial().after});
    feedEnded(*session, fileOf(QStringLiteral("other.binade")));
    QVERIFY(finished.wait(20000));
    QVERIFY(session->run().trials().empty());
  }

  void aModelThatIsGoneIsNamed() {
    const FakeTry fake(atOnce());
    const auto session = sessionWith(fake.engine());
    wire::RunStarted started = test::FakeRun().started();
    started.config.model = "/models/gone.pt";
    started.run_file = fileOf(QStringLiteral("demo.binade")).toStdString();
    session->run().begin(started, app::RunModel::Source::kFile);
    const auto why = session->tries().whyNot();
    QVERIFY(why && why->message.contains(QStringLiteral("/models/gone.pt")));
  }
};

BINADE_SUITE(TriesOfRuns);

}  // namespace

#include "tst_tries.moc"
