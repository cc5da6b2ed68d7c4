// SPDX-License-Identifier: Apache-2.0
#include "app/session/engine_client.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"

#include <QSignalSpy>
#include <QTest>

#include <csignal>
#include <memory>
#include <optional>

namespace {

using namespace binade;
using app::EngineClient;
using app::Problem;
using namespace std::chrono_literals;

bool becomesReady(EngineClient& client) {
  client.start();
  return QTest::qWaitFor([&] { return client.state() == EngineClient::State::kReady; }, 10000);
}

class EngineProcess : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void helloTellsWhatTheEngineIs() {
    EngineClient client(test::fakeEngine());
    QSignalSpy ready(&client, &EngineClient::ready);
    QVERIFY(becomesReady(client));
    QCOMPARE(ready.count(), 1);
    QCOMPARE(client.welcome().libtorch, std::string("2.11.0"));
    QVERIFY(client.processId() > 0);
  }

  void notificationsCarryWhatTheEngineSent() {
    EngineClient client(test::fakeEngine());
    std::optional<wire::RunStarted> started;
    std::vector<wire::StepRecord> steps;
    std::vector<wire::Event> events;
    connect(&client, &EngineClient::notified, this, [&](const wire::RunNotification& notification) {
      std::visit(
          wire::Overloaded{
              [&](const wire::RunStarted& value) { started = value; },
              [&](const wire::StepBatch& batch) { steps.insert(steps.end(), batch.steps.begin(), batch.steps.end()); },
              [&](const wire::Event& value) { events.push_back(value); },
              [](const auto& /*other*/) {},
          },
          notification);
    });
    QVERIFY(becomesReady(client));
    client.startDemo({});
    QTRY_VERIFY(steps.size() >= 60);
    test::FakeRun same;
    QVERIFY(started.has_value());
    QVERIFY(*started == same.started());
    for (int i = 0; i < 60; ++i) {
      const wire::StepRecord expected = same.next();
      const wire::StepRecord& got = steps[static_cast<std::size_t>(i)];
      QCOMPARE(got.step, expected.step);
      QCOMPARE(got.scale, expected.scale);
      QVERIFY(got.observations == expected.observations);
    }
    QVERIFY(!events.empty());
  }

  void aRefusalComesBackWithItsHint() {
    EngineClient client(test::fakeEngine({QStringLiteral("--refuse"), QStringLiteral("model.inspect")}));
    QVERIFY(becomesReady(client));
    std::optional<Problem> problem;
    client.inspect(QStringLiteral("model.pt"), [&](const auto& answer) { problem = std::get<Problem>(answer); });
    QTRY_VERIFY(problem.has_value());
    QVERIFY(problem->message.contains(QStringLiteral("model.pt")));
    QVERIFY(!problem->hint.isEmpty());
    QCOMPARE(client.state(), EngineClient::State::kReady);
  }

  void aRequestThatHangsFailsInTimeAndALateAnswerIsDropped() {
    EngineClient client(test::fakeEngine({QStringLiteral("--hang"), QStringLiteral("run.pause")}));
    client.setAnswerLimit(150ms);
    QVERIFY(becomesReady(client));
    int answers = 0;
    std::optional<Problem> problem;
    client.pause([&](const std::optional<Problem>& answer) {
      ++answers;
      problem = answer;
    });
    QTRY_COMPARE(answers, 1);
    QVERIFY(problem.has_value());
    QVERIFY(problem->message.contains(QStringLiteral("run.pause")));
    QCOMPARE(client.state(), EngineClient::State::kReady);
  }

  void aCrashFailsOpenRequestsOnceAndTellsTheLastLines() {
    EngineClient client(test::fakeEngine(
        {QStringLiteral("--crash-at"), QStringLiteral("20"), QStringLiteral("--hang"), QStringLiteral("run.pause")}));
    QVERIFY(becomesReady(client));
    QSignalSpy stopped(&client, &EngineClient::stopped);
    int answers = 0;
    client.pause([&](const std::optional<Problem>& problem) { answers += problem ? 1 : 100; });
    client.startDemo({});
    QTRY_COMPARE_WITH_TIMEOUT(stopped.count(), 1, 10000);
    QCOMPARE(answers, 1);
    QCOMPARE(client.state(), EngineClient::State::kStopped);
    const auto problem = stopped.front().front().value<Problem>();
    QVERIFY2(problem.message.contains(QStringLiteral("crash as told")), qPrintable(problem.message));
    // And it can be had again.
    QVERIFY(becomesReady(client));
  }

  // Messages are decoded on another thread: those before the end are received before it, and none after.
  void whatACrashedEngineSentIsReceivedBeforeItsEnd() {
    EngineClient client(test::fakeEngine({QStringLiteral("--crash-at"), QStringLiteral("60")}));
    std::vector<std::int64_t> steps;
    std::optional<std::size_t> at_end;
    connect(&client, &EngineClient::notified, this, [&](const wire::RunNotification& notification) {
      const auto* batch = std::get_if<wire::StepBatch>(&notification);
      if (batch == nullptr) return;
      for (const wire::StepRecord& each : batch->steps) steps.push_back(each.step);
    });
    connect(&client, &EngineClient::stopped, this, [&] { at_end = steps.size(); });
    QVERIFY(becomesReady(client));
    client.startDemo({});
    QTRY_VERIFY_WITH_TIMEOUT(at_end.has_value(), 10000);
    QCoreApplication::processEvents();
    QCOMPARE(steps.size(), *at_end);
    QVERIFY(steps.size() >= 40);  // the step of the crash ends a batch that is not sent
    for (std::size_t i = 0; i < steps.size(); ++i) QCOMPARE(steps[i], static_cast<std::int64_t>(i));
  }

  void anEngineThatIsRestartedFromASlotSendsNothingOfTheOldOne() {
    EngineClient client(test::fakeEngine());
    int begun = 0;
    bool old = false;
    connect(&client, &EngineClient::notified, this, [&](const wire::RunNotification& notification) {
      old = old || (begun > 0 && !std::holds_alternative<wire::LogLine>(notification));
      if (begun > 0 || !std::holds_alternative<wire::RunStarted>(notification)) return;
      ++begun;
      client.shutDown();
      client.start();
    });
    QVERIFY(becomesReady(client));
    client.startDemo({});
    QTRY_VERIFY(begun == 1 && client.state() == EngineClient::State::kReady);
    QVERIFY(!old);
  }

  void aKilledEngineIsNoticed() {
    EngineClient client(test::fakeEngine());
    QVERIFY(becomesReady(client));
    QSignalSpy stopped(&client, &EngineClient::stopped);
    ::kill(static_cast<pid_t>(client.processId()), SIGKILL);
    QTRY_COMPARE(stopped.count(), 1);
  }

  void aMissingProgramIsOneProblemWithANextStep() {
    EngineClient client({QStringLiteral("no-such-binade-engine"), {QStringLiteral("serve")}});
    QSignalSpy stopped(&client, &EngineClient::stopped);
    client.start();
    QTRY_COMPARE(stopped.count(), 1);
    const auto problem = stopped.front().front().value<Problem>();
    QVERIFY(problem.message.contains(QStringLiteral("no-such-binade-engine")));
    QVERIFY(problem.hint.contains(QStringLiteral("BINADE_ENGINE")));
  }

  void aProgramThatIsNoEngineIsOneProblem() {
    EngineClient client(test::fakeEngine({QStringLiteral("--junk")}));
    QSignalSpy stopped(&client, &EngineClient::stopped);
    client.start();
    QTRY_COMPARE(stopped.count(), 1);
    QTest::qWait(100);
    QCOMPARE(stopped.count(), 1);
    QVERIFY(stopped.front().front().value<Problem>().message.contains(QStringLiteral("protocol")));
  }

  void anEngineOfAnotherProtocolIsRefused() {
    EngineClient client(test::fakeEngine({QStringLiteral("--protocol"), QStringLiteral("99")}));
    QSignalSpy stopped(&client, &EngineClient::stopped);
    client.start();
    QTRY_COMPARE(stopped.count(), 1);
    QVERIFY(stopped.front().front().value<Problem>().message.contains(QStringLiteral("99")));
  }

  void askingWithoutAnEngineIsAnsweredLater() {
    EngineClient client(test::fakeEngine());
    bool answered = false;
    client.pause([&](const std::optional<Problem>& problem) { answered = problem.has_value(); });
    QVERIFY(!answered);
    QTRY_VERIFY(answered);
  }

  void theProcessGoesWithItsClient() {
    qint64 pid = 0;
    {
      EngineClient client(test::fakeEngine());
      QVERIFY(becomesReady(client));
      pid = client.processId();
    }
    QVERIFY(pid > 0);
    QCOMPARE(::kill(static_cast<pid_t>(pid), 0), -1);
  }

  void aShutDownWaitsForNobodyAndFailsRequestsOfAStoppedEngine() {
    EngineClient client(
        test::fakeEngine({QStringLiteral("--linger"), QStringLiteral("--hang"), QStringLiteral("run.pause")}));
    QVERIFY(becomesReady(client));
    const auto pid = static_cast<pid_t>(client.processId());
    std::optional<EngineClient::State> seen;
    client.pause([&](const std::optional<Problem>&) { seen = client.state(); });
    client.shutDown();
    QCOMPARE(seen, std::optional(EngineClient::State::kStopped));
    QCOMPARE(::kill(pid, 0), 0);  // it does not leave by itself, and was not waited for
    QVERIFY(becomesReady(client));
    QVERIFY(client.processId() != pid);
    QTRY_COMPARE_WITH_TIMEOUT(::kill(pid, 0), -1, 10000);
    QCOMPARE(client.state(), EngineClient::State::kReady);
  }

  void theEngineIsFoundWhereItWasNamed() {
    QCOMPARE(
        app::engineCommand(QStringLiteral("ssh \"my host\" binade-engine serve")),
        (app::EngineCommand{QStringLiteral("ssh"),
                            {QStringLiteral("my host"), QStringLiteral("binade-engine"), QStringLiteral("serve")}}));
    const QString ssh = QStringLiteral("ssh");
    const QString serve = QStringLiteral("binade-engine serve");
    QCOMPARE(app::engineCommand(QStringLiteral("me@box")),
             (app::EngineCommand{ssh, {QStringLiteral("me@box"), serve}}));
    QCOMPARE(app::engineCommand(QStringLiteral("box:/opt/b/binade-engine serve")),
             (app::EngineCommand{ssh, {QStringLiteral("box"), QStringLiteral("/opt/b/binade-engine serve")}}));
    QCOMPARE(app::engineCommand(QStringLiteral("/opt/engine serve")).program, QStringLiteral("/opt/engine"));
    QCOMPARE(app::hostOf(app::engineCommand(QStringLiteral("ssh -p 2222 -T box binade-engine serve"))),
             QStringLiteral("box"));
    QCOMPARE(app::hostOf(app::engineCommand(QStringLiteral("/opt/engine serve"))), QString());
    QVERIFY(!app::isLocal(app::engineCommand(QStringLiteral("box"))));
    QVERIFY(!app::whyNoHost(QStringLiteral("-oProxyCommand=x")).isEmpty());
    QVERIFY(app::whyNoHost(QStringLiteral(" box ")).isEmpty());
    qputenv("BINADE_ENGINE", "/opt/engine");
    QCOMPARE(app::engineCommand({}), (app::EngineCommand{QStringLiteral("/opt/engine"), {QStringLiteral("serve")}}));
    qunsetenv("BINADE_ENGINE");
    QVERIFY(app::engineCommand({}).program.endsWith(QStringLiteral("binade-engine")));
  }
};

BINADE_SUITE(EngineProcess);

}  // namespace

#include "tst_engine_client.moc"
