// SPDX-License-Identifier: Apache-2.0
// Engines that answer late, in another order, twice, or never: each request has its own answer, and only one.
#include "app/window/banner.h"
#include "app/window/banner_questions.h"
#include "tests/app/app_fixture.h"
#include "tests/support/suite.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <optional>
#include <string>
#include <vector>

namespace {

using namespace binade;
using app::EngineClient;
using app::Problem;
using namespace std::chrono_literals;

QStringList optionsOf(const char* line) {
  return QString::fromLatin1(line).split(u' ', Qt::SkipEmptyParts);
}

class LateAnswers : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void answersInAnotherOrderReachTheirRequests() {
    EngineClient client(test::fakeEngine(optionsOf("--swap data.arrays")));
    client.start();
    std::vector<std::string> answered;
    const auto ask = [&](const std::string& file) {
      client.listArrays({file}, [&answered, file](const auto& answer) {
        answered.push_back(file + ": " + std::get<wire::DataArrays>(answer).arrays.front().file);
      });
    };
    ask("first.npz");
    ask("second.npz");
    QTRY_COMPARE_WITH_TIMEOUT(answered.size(), std::size_t{2}, 20000);
    QCOMPARE(answered[0], std::string("second.npz: second.npz"));
    QCOMPARE(answered[1], std::string("first.npz: first.npz"));
  }

  void anAnswerThatComesTwiceCountsOnce() {
    EngineClient client(test::fakeEngine(optionsOf("--twice")));
    client.start();
    int first = 0;
    int second = 0;
    client.setObserve({}, [&](const std::optional<Problem>& problem) { first += problem ? 100 : 1; });
    client.listArrays({"set.npz"}, [&](const auto& answer) {
      second += std::get<wire::DataArrays>(answer).arrays.front().file == "set.npz" ? 1 : 100;
    });
    QTRY_COMPARE_WITH_TIMEOUT(second, 1, 20000);
    bool third = false;  // by now the copies of the first two have come
    client.setObserve({}, [&](const std::optional<Problem>& problem) { third = !problem; });
    QTRY_VERIFY_WITH_TIMEOUT(third, 20000);
    QCOMPARE(first, 1);
    QCOMPARE(second, 1);
  }

  void aLateAnswerHoldsUpNoOther() {
    EngineClient client(test::fakeEngine(optionsOf("--delay data.arrays 300")));
    client.start();
    QStringList order;
    client.listArrays({"set.npz"}, [&](const auto&) { order << QStringLiteral("arrays"); });
    client.setObserve({}, [&](const std::optional<Problem>&) { order << QStringLiteral("observe"); });
    QTRY_COMPARE_WITH_TIMEOUT(order, (QStringList{QStringLiteral("observe"), QStringLiteral("arrays")}), 20000);
  }

  void aWaitIsReportedAndEndsWithTheAnswer() {
    EngineClient client(test::fakeEngine(optionsOf("--delay data.arrays 400")));
    client.setPatience(100ms);
    client.start();
    QTRY_VERIFY_WITH_TIMEOUT(client.state() == EngineClient::State::kReady, 20000);
    QSignalSpy waiting(&client, &EngineClient::waiting);
    QSignalSpy ended(&client, &EngineClient::waitingEnded);
    bool answered = false;
    client.listArrays({"set.npz"}, [&](const auto&) { answered = true; });
    QTRY_COMPARE_WITH_TIMEOUT(waiting.count(), 1, 20000);
    QCOMPARE(waiting.front().front().toString(), QStringLiteral("data.arrays"));
    QVERIFY(!answered);
    QTRY_VERIFY_WITH_TIMEOUT(answered, 20000);
    QCOMPARE(ended.count(), 1);
    QCOMPARE(waiting.count(), 1);
  }

  void aCancelledRequestIsAnsweredOnceAndItsLateAnswerDropped() {
    EngineClient client(test::fakeEngine(optionsOf("--delay data.arrays 200")));
    client.start();
    QTRY_VERIFY_WITH_TIMEOUT(client.state() == EngineClient::State::kReady, 20000);
    int problems = 0;
    int answers = 0;
    const auto ask = [&] {
      client.listArrays({"set.npz"},
                        [&](const auto& answer) { ++(std::holds_alternative<Problem>(answer) ? problems : answers); });
    };
    ask();
    client.cancelRequests();
    QCOMPARE(problems, 1);
    ask();  // its answer comes behind the dropped one
    QTRY_COMPARE_WITH_TIMEOUT(answers, 1, 20000);
    QCOMPARE(problems, 1);
    QVERIFY(client.state() == EngineClient::State::kReady);
  }

  void aStartThatIsCancelledEndsTheEngine() {
    EngineClient client(test::fakeEngine(optionsOf("--hang engine.hello")));
    QSignalSpy stopped(&client, &EngineClient::stopped);
    client.start();
    client.cancelRequests();
    QCOMPARE(stopped.count(), 1);
    QVERIFY(stopped.front().front().value<Problem>().message.contains(QStringLiteral("cancelled")));
    QVERIFY(client.state() == EngineClient::State::kStopped);
  }

  // ---- in the window ----

  void theBannerSaysThatTheEngineDoesNotAnswerAndCancels() {
    test::Explorer explorer(optionsOf("--drop run.pause"));
    app::Session& session = explorer.session();
    explorer.show();
    session.runDemo();
    QTRY_VERIFY_WITH_TIMEOUT(session.run().steps().size() > 3, 20000);
    session.engine().setPatience(50ms);
    session.pause();
    app::Banner* banner = explorer.window().banner();
    QTRY_VERIFY_WITH_TIMEOUT(banner->message().contains(QStringLiteral("run.pause")), 20000);
    QCOMPARE(banner->otherOffered()->text(), QStringLiteral("Restart engine"));
    const qint64 engine = session.engine().processId();
    QTest::mouseClick(banner->offered(), Qt::LeftButton);
    QVERIFY2(banner->message().contains(QStringLiteral("cancelled")), qPrintable(banner->message()));
    // The window goes on with the same engine.
    session.stop();
    QTRY_VERIFY_WITH_TIMEOUT(session.run().finished().has_value(), 20000);
    QCOMPARE(session.engine().processId(), engine);
  }

  void theNoticeDisappearsWithALateAnswer() {
    test::Explorer explorer(optionsOf("--delay model.inspect 400"));
    explorer.show();
    app::Session& session = explorer.session();
    QTRY_VERIFY_WITH_TIMEOUT(session.engine().state() == EngineClient::State::kReady, 20000);
    session.engine().setPatience(50ms);
    QSignalSpy inspected(&session, &app::Session::modelInspected);
    session.openModel(QStringLiteral("model.pt"));
    app::Banner* banner = explorer.window().banner();
    QTRY_VERIFY_WITH_TIMEOUT(!banner->isHidden(), 20000);
    QVERIFY2(banner->message().contains(QStringLiteral("model.inspect")), qPrintable(banner->message()));
    QTRY_COMPARE_WITH_TIMEOUT(inspected.count(), 1, 20000);
    QVERIFY(banner->isHidden());
  }

  void aCancelledRunIsNotStartedLater_data() {
    QTest::addColumn<bool>("cancel");
    QTest::newRow("Cancel") << true;
    QTest::newRow("Restart engine") << false;
  }
  void aCancelledRunIsNotStartedLater() {
    QFETCH(bool, cancel);
    test::Explorer explorer(optionsOf("--hang run.demo"));
    explorer.show();
    app::Session& session = explorer.session();
    QTRY_VERIFY_WITH_TIMEOUT(session.engine().state() == EngineClient::State::kReady, 20000);
    session.engine().setPatience(50ms);
    const qint64 engine = session.engine().processId();
    QSignalSpy abandoned(&session, &app::Session::startAbandoned);
    session.runDemo();
    app::Banner* banner = explorer.window().banner();
    QTRY_VERIFY_WITH_TIMEOUT(banner->message().contains(QStringLiteral("run.demo")), 20000);
    QTest::mouseClick(cancel ? banner->offered() : banner->otherOffered(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(abandoned.count() > 0, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(session.engine().state() == EngineClient::State::kReady, 20000);
    QVERIFY(session.engine().processId() != engine);
    QVERIFY(session.run().isEmpty());
    QVERIFY(!explorer.window().questions()->isAsked(QStringLiteral("waiting for the engine")));
  }

  // Answers in another order: the model that was opened last is shown, whichever answer comes last.
  void theModelThatWasOpenedLastIsShown() {
    test::Explorer explorer(optionsOf("--swap model.inspect"));
    explorer.show();
    app::Session& session = explorer.session();
    QTRY_VERIFY_WITH_TIMEOUT(session.engine().state() == EngineClient::State::kReady, 20000);
    QSignalSpy inspected(&session, &app::Session::modelInspected);
    session.openModel(QStringLiteral("first.pt"));
    session.openModel(QStringLiteral("second.pt"));
    QTRY_COMPARE_WITH_TIMEOUT(inspected.count(), 1, 20000);
    bool later = false;
    session.engine().setObserve({}, [&](const std::optional<Problem>&) { later = true; });
    QTRY_VERIFY_WITH_TIMEOUT(later, 20000);
    QCOMPARE(inspected.count(), 1);
    QCOMPARE(session.recentFiles().rowCount(), 1);
    QVERIFY(session.recentFiles().index(0, 0).data().toString().contains(QStringLiteral("second.pt")));
  }
};

BINADE_SUITE(LateAnswers);

}  // namespace

#include "tst_late_answers.moc"
