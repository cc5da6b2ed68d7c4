// SPDX-License-Identifier: Apache-2.0
#include "app/window/banner.h"
#include "tests/app/app_fixture.h"
#include "tests/app/row_mutator.h"
#include "tests/app/wait_opened.h"
#include "tests/support/suite.h"

#include <QAbstractItemModel>
#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include <chrono>
#include <csignal>

namespace {

using namespace binade;

// One engine after the other sends a run in which every third message is not as any engine would send it. What comes
// is shown or left out; the window stays usable.
void meet(int first, int count, int steps) {
  for (int seed = first; seed < first + count; ++seed) {
    if (qEnvironmentVariableIsSet("BINADE_TEST_TELL")) std::fprintf(stderr, "seed %d\n", seed);
    test::Explorer explorer({QStringLiteral("--odd"), QString::number(seed)});
    app::Session& session = explorer.session();
    explorer.show();
    session.runDemo();
    session.compareWithFloat32();
    // Some runs cannot begin; then the engine was sent away, and the window says so.
    const auto came = [&] { return static_cast<int>(session.run().steps().size()) >= steps; };
    static_cast<void>(QTest::qWaitFor(came, 1500));
    for (int i = 0; i < std::min(static_cast<int>(session.run().events().size()), 4); ++i) session.selectEvent(i);
    explorer.window().setArrangement(static_cast<app::Arrangement>(seed % 4));
    for (const QAbstractItemModel* model : explorer.window().findChildren<QAbstractItemModel*>()) {
      for (int row = 0; row < std::min(model->rowCount(), 50); ++row) {
        for (int column = 0; column < model->columnCount(); ++column) model->index(row, column).data();
      }
    }
    QApplication::processEvents();
    explorer.window().grab();
    for (std::size_t i = 1; i < session.run().steps().size(); ++i) {
      QVERIFY(session.run().steps()[i].step > session.run().steps()[i - 1].step);
    }
  }
}

class OddEngines : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatAnEngineSendsOddlyIsLeftOutAndSaid() { meet(0, 5, 60); }
};

/// Engines that do not come up as they should.
class EngineStarts : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anEngineThatDiesAtItsStartIsOneMessage() {
    const QString folder = test::temporaryFolder();
    QSettings settings(folder + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    app::Session session({QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QStringLiteral("echo no GPU >&2; exit 7")}},
                         &settings);
    app::MainWindow window(&session, &settings);
    window.show();
    QSignalSpy problems(&session, &app::Session::problem);
    session.startEngine();
    QTRY_COMPARE(problems.count(), 1);
    const QString told = window.banner()->message();
    QVERIFY2(told.contains(QStringLiteral("exit code 7")) && told.contains(QStringLiteral("no GPU")), qPrintable(told));
    QVERIFY(session.engine().state() == app::EngineClient::State::kStopped);
    opensARunFile(session, window);
    session.restartEngine();  // a person asks again, and is told again
    QTRY_COMPARE(problems.count(), 2);
  }

  void anEngineThatNeverAnswersLeavesTheWindowUsable() {
    test::Explorer explorer({QStringLiteral("--hang"), QStringLiteral("engine.hello")});
    explorer.show();
    QTRY_VERIFY(explorer.session().engine().processId() > 0);
    opensARunFile(explorer.session(), explorer.window());
    const qint64 first = explorer.session().engine().processId();
    explorer.session().restartEngine();
    QVERIFY(explorer.session().engine().processId() != first);
    QTRY_VERIFY_WITH_TIMEOUT(isGone(first), 20000);
  }

  void anEngineThatHangsInARequestLeavesTheWindowUsable() {
    test::Explorer explorer({QStringLiteral("--hang"), QStringLiteral("run.demo")});
    explorer.session().engine().setAnswerLimit(std::chrono::milliseconds(50));
    explorer.show();
    explorer.session().runDemo();
    QTRY_COMPARE(explorer.requests(QStringLiteral("run.demo")).size(), 1);
    explorer.session().restartEngine();
    QTRY_VERIFY(explorer.session().engine().state() == app::EngineClient::State::kReady);
    opensARunFile(explorer.session(), explorer.window());
  }

  // It neither answers nor reads: nothing but a kill ends it.
  void aWindowClosedDuringTheStartLeavesNoEngine_data() {
    QTest::addColumn<QStringList>("options");
    QTest::newRow("asleep") << QStringList{QStringLiteral("--slow-start"), QStringLiteral("600000")};
    QTest::newRow("never answers") << QStringList{QStringLiteral("--hang"), QStringLiteral("engine.hello")};
    QTest::newRow("lingers") << QStringList{QStringLiteral("--linger")};
    QTest::newRow("well") << QStringList();
  }
  void aWindowClosedDuringTheStartLeavesNoEngine() {
    QFETCH(QStringList, options);
    qint64 engine = 0;
    {
      test::Explorer explorer(options);
      explorer.show();
      QTRY_VERIFY(explorer.session().engine().processId() > 0);
      engine = explorer.session().engine().processId();
      explorer.window().close();
    }
    QVERIFY(isGone(engine));
  }

 private:
  static bool isGone(qint64 process) { return ::kill(static_cast<pid_t>(process), 0) != 0; }

  static void opensARunFile(app::Session& session, app::MainWindow& window) {
    const QString path = test::temporaryFolder() + QStringLiteral("/good.binade");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(test::wholeRunFile());
    file.close();
    window.openFiles({path});
    test::waitOpened(session);
    QVERIFY(window.showsRun());
    QCOMPARE(session.run().steps().size(), std::size_t{60});
  }
};

/// Some ten thousand messages.
class OddEnginesAll : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void tenThousandOddMessagesAreShownOrLeftOut() { meet(0, 200, 300); }
};

BINADE_SUITE(EngineStarts);
BINADE_SUITE(OddEngines);
BINADE_SUITE(OddEnginesAll);

}  // namespace

#include "tst_odd_engines.moc"
