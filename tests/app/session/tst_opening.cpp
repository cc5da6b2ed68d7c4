// SPDX-License-Identifier: Apache-2.0
// Run files are read on another thread: the window stays usable, and what is no longer wanted is dropped.
#include "app/model/run_file_source.h"
#include "app/window/banner.h"
#include "app/window/status_line.h"
#include "engine/record/run_writer.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/app/wait_opened.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace {

using namespace binade;
using app::Session;

QString writeRun(const QString& name, int steps) {
  const QString file = test::temporaryFolder() + u'/' + name;
  test::FakeRun fake;
  wire::RunConfig config = test::FakeRun::config();
  config.steps = steps;
  fake.restart(config);
  record::RunWriter writer(file.toStdString());
  writer.add(fake.started());
  for (int i = 0; i < steps; ++i) writer.add(fake.next());
  writer.add(wire::Evaluated{steps, 0.875, 0.3});
  writer.add(wire::Finished{wire::Outcome::kCompleted, steps, "", ""});
  writer.close();
  return file;
}

QString writePolicy() {
  const QString file = test::temporaryFolder() + QStringLiteral("/own.policy.json");
  QFile out(file);
  if (out.open(QIODevice::WriteOnly)) {
    out.write(R"({ "binade_policy": 1, "name": "own", "base": "cuda-amp", "low": "float16",
                   "sites": [ { "match": "fc2", "format": "float32" } ] })");
  }
  return file;
}

// Writes a run with so many statistics that it is shown before they are read.
QString writeObservedRun() {
  constexpr std::size_t kStatistics = 60'000;
  const QString file = test::temporaryFolder() + QStringLiteral("/observed.binade");
  test::FakeRun fake;
  wire::RunConfig config = test::FakeRun::config();
  config.observe.inputs = config.observe.parameters = true;
  fake.restart(config);
  record::RunWriter writer(file.toStdString());
  writer.add(fake.started());
  std::int64_t steps = 0;
  for (std::size_t written = 0; written < kStatistics; ++steps) {
    const wire::StepRecord step = fake.next();
    written += step.observations.size();
    writer.add(step);
  }
  writer.add(wire::Finished{wire::Outcome::kCompleted, steps, "", ""});
  writer.close();
  return file;
}

class Openings : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theEventLoopRunsWhileALargeFileIsRead() {
    test::Explorer explorer;
    explorer.window().show();
    Session& session = explorer.session();
    const QSignalSpy opened(&session, &Session::opened);
    const QSignalSpy progress(&session, &Session::opening);
    const QString file = writeRun(QStringLiteral("large.binade"), 1500);
    bool delivered_before = false;
    QMetaObject::invokeMethod(
        &session, [&] { delivered_before = session.isOpening() && session.run().isEmpty(); }, Qt::QueuedConnection);
    session.openFile(file);
    test::waitOpened(session);
    QVERIFY(delivered_before);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened.front().front().toString(), file);
    QCOMPARE(session.run().steps().size(), std::size_t{1500});
    QCOMPARE(session.run().policies().size(), std::size_t{1});
    QVERIFY(explorer.window().showsRun());
    double share = -1;
    for (const auto& each : progress) {
      QVERIFY(each[1].toDouble() > share);
      share = each[1].toDouble();
    }
    QVERIFY(progress.count() > 2 && share <= 1);
  }

  void aCancelledFileLeavesWhatIsShown() {
    test::Explorer explorer;
    explorer.window().show();
    Session& session = explorer.session();
    explorer.window().openFiles({writeRun(QStringLiteral("first.binade"), 30)});
    test::waitOpened(session);
    const QSignalSpy failed(&session, &Session::openFailed);
    const QSignalSpy problems(&session, &Session::problem);
    const QSignalSpy resets(&session.run(), &app::RunModel::reset);
    QPushButton* cancel = explorer.window().statusLine()->cancelButton();
    QVERIFY(cancel->isHidden());
    explorer.window().openFiles({writeRun(QStringLiteral("second.binade"), 2000)});
    QVERIFY(cancel->isVisible());
    QVERIFY(explorer.window().statusLine()->stateText().contains(QStringLiteral("second.binade")));
    cancel->click();
    QVERIFY(!session.isOpening() && cancel->isHidden());
    QCOMPARE(failed.count(), 1);
    QApplication::processEvents();
    QCOMPARE(session.run().steps().size(), std::size_t{30});
    QVERIFY(session.run().runFile().endsWith(QStringLiteral("first.binade")));
    QCOMPARE(resets.count(), 0);
    QCOMPARE(problems.count(), 0);
    QVERIFY(!explorer.window().statusLine()->stateText().contains(QStringLiteral("second.binade")));
  }

  void escapeCancels() {
    test::Explorer explorer;
    explorer.window().show();
    explorer.window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&explorer.window()));
    explorer.window().openFiles({writeRun(QStringLiteral("run.binade"), 2000)});
    QTest::keyClick(&explorer.window(), Qt::Key_Escape);
    QTRY_VERIFY(!explorer.session().isOpening());
    QVERIFY(explorer.session().run().isEmpty());
  }

  void aSecondFileTakesThePlaceOfTheFirst() {
    test::Explorer explorer;
    Session& session = explorer.session();
    const QString first = writeRun(QStringLiteral("first.binade"), 1500);
    const QString second = writeRun(QStringLiteral("second.binade"), 25);
    const QSignalSpy opened(&session, &Session::opened);
    const QSignalSpy failed(&session, &Session::openFailed);
    const QSignalSpy resets(&session.run(), &app::RunModel::reset);
    explorer.window().openFiles({first});
    explorer.window().openFiles({second});
    test::waitOpened(session);
    QApplication::processEvents();
    QCOMPARE(failed.count(), 1);
    QCOMPARE(failed.front().front().toString(), first);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened.front().front().toString(), second);
    QCOMPARE(resets.count(), 1);
    QCOMPARE(session.run().steps().size(), std::size_t{25});
  }

  void severalFilesAreOpenedOneAfterTheOther() {
    test::Explorer explorer;
    Session& session = explorer.session();
    explorer.window().openFiles({writeRun(QStringLiteral("run.binade"), 40), writePolicy()});
    test::waitOpened(session);
    QCOMPARE(session.run().steps().size(), std::size_t{40});
    QCOMPARE(session.document().title(), QStringLiteral("own"));  // not that of the run
  }

  void aPolicyBehindARunFileThatIsNotShownIsNotOpened() {
    test::Explorer explorer;
    Session& session = explorer.session();
    const QString title = session.document().title();
    const QString policy = writePolicy();
    const QString large = writeRun(QStringLiteral("large.binade"), 1500);
    explorer.window().openFiles({large, policy});
    session.cancelOpening();
    QApplication::processEvents();
    QCOMPARE(session.document().title(), title);

    const QString damaged = test::temporaryFolder() + QStringLiteral("/damaged.binade");
    QFile out(damaged);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(QByteArray("SQLite format 3\0\x10\0", 18));
    out.close();
    explorer.window().openFiles({damaged, policy});
    test::waitOpened(session);
    QApplication::processEvents();
    QCOMPARE(session.document().title(), title);

    explorer.window().openFiles({test::temporaryFolder() + QStringLiteral("/missing.binade"), policy});
    QCOMPARE(session.document().title(), title);

    test::feedRun(session.run(), 3);
    explorer.window().openFiles({large, policy});
    QVERIFY(!session.isOpening());
    QCOMPARE(session.document().title(), title);

    // A choice made while a file is read is not part of what was cancelled.
    session.run().finish({wire::Outcome::kStopped, 3, {}, {}});
    explorer.window().openFiles({large});
    explorer.window().openFiles({writeRun(QStringLiteral("small.binade"), 20), policy});
    test::waitOpened(session);
    QApplication::processEvents();
    QCOMPARE(session.run().steps().size(), std::size_t{20});
    QCOMPARE(session.document().title(), QStringLiteral("own"));
  }

  void aStartedRunIsNotReplacedByTheFilesThatWait() {
    test::Explorer explorer;
    Session& session = explorer.session();
    bool active = false;
    connect(&session, &Session::openFailed, this, [&] { active = session.run().isActive(); });
    explorer.window().openFiles(
        {writeRun(QStringLiteral("large.binade"), 1500), writeRun(QStringLiteral("small.binade"), 20)});
    QVERIFY(session.isOpening());
    Q_EMIT session.engine().notified(test::FakeRun().started());
    QVERIFY(active);
    QVERIFY(!session.isOpening());
    QApplication::processEvents();
    QVERIFY(!session.isOpening());
    QVERIFY(session.run().isActive());
  }

  void aFileReadWhileARunBeginsIsNotShown() {
    test::Explorer explorer;
    Session& session = explorer.session();
    const QSignalSpy problems(&session, &Session::problem);
    const QSignalSpy failed(&session, &Session::openFailed);
    session.openFile(writeRun(QStringLiteral("run.binade"), 200));
    test::feedRun(session.run(), 3);
    test::waitOpened(session);
    QCOMPARE(failed.count(), 1);
    QCOMPARE(problems.count(), 1);
    QVERIFY(problems.front().front().value<app::Problem>().message.startsWith(QStringLiteral("A run is in progress")));
    QVERIFY(session.run().isActive());
    QCOMPARE(session.run().steps().size(), std::size_t{3});
  }

  void aRunFileIsRefusedWhileARunIsStarting() {
    test::Explorer explorer({QStringLiteral("--slow-load"), QStringLiteral("500")});
    Session& session = explorer.session();
    const QSignalSpy opened(&session, &Session::opened);
    const QSignalSpy problems(&session, &Session::problem);
    const QString file = writeRun(QStringLiteral("run.binade"), 30);
    session.runDemo();
    session.openFile(file);
    QVERIFY(!session.isOpening());
    QCOMPARE(problems.count(), 1);
    QVERIFY(problems.front().front().value<app::Problem>().message.startsWith(QStringLiteral("A run is starting")));
    QTRY_VERIFY(session.run().steps().size() > 3);
    // The run has the policy that it was started with.
    QVERIFY(explorer.requests(QStringLiteral("policy.set")).isEmpty());
    session.stop();
    QTRY_VERIFY(session.run().finished().has_value());
    session.openFile(file);
    test::waitOpened(session);
    QCOMPARE(opened.count(), 1);
  }

  void aRefusedStartLeavesAnEarlierOnePending() {
    test::Explorer explorer({QStringLiteral("--hang"), QStringLiteral("run.demo"), QStringLiteral("--refuse"),
                             QStringLiteral("run.start")});
    Session& session = explorer.session();
    const QSignalSpy problems(&session, &Session::problem);
    const QSignalSpy busy(&session, &Session::busy);
    session.runDemo();
    session.startDescribed();
    QTRY_COMPARE(problems.count(), 1);
    QVERIFY(!busy.back().front().toString().isEmpty());
    session.openFile(writeRun(QStringLiteral("run.binade"), 30));
    QCOMPARE(problems.count(), 2);
    QVERIFY(problems.back().front().value<app::Problem>().message.startsWith(QStringLiteral("A run is starting")));
    session.restartEngine();  // ends the request that hangs
    QVERIFY(busy.back().front().toString().isEmpty());
  }

  void aFileReadWhenARunIsRequestedIsNotShown() {
    test::Explorer explorer({QStringLiteral("--hang"), QStringLiteral("run.demo")});
    Session& session = explorer.session();
    const QSignalSpy problems(&session, &Session::problem);
    const QString file = writeRun(QStringLiteral("run.binade"), 200);
    session.openFile(file);
    session.runDemo();
    test::waitOpened(session);
    QCOMPARE(problems.count(), 1);
    QVERIFY(session.run().isEmpty());
    session.restartEngine();  // the request is over
    session.openFile(file);
    test::waitOpened(session);
    QCOMPARE(session.run().steps().size(), std::size_t{200});
  }

  void aRunFileOpensAfterAStartThatWasRefused() {
    test::Explorer explorer({QStringLiteral("--refuse"), QStringLiteral("run.demo")});
    Session& session = explorer.session();
    const QSignalSpy problems(&session, &Session::problem);
    session.runDemo();
    QTRY_COMPARE(problems.count(), 1);
    session.openFile(writeRun(QStringLiteral("run.binade"), 30));
    test::waitOpened(session);
    QCOMPARE(session.run().steps().size(), std::size_t{30});
  }

  void aDamagedFileIsOneProblemAndNothingChanges() {
    test::Explorer explorer;
    explorer.window().show();
    Session& session = explorer.session();
    explorer.window().openFiles({writeRun(QStringLiteral("good.binade"), 30)});
    test::waitOpened(session);
    const QString file = test::temporaryFolder() + QStringLiteral("/damaged.binade");
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(QByteArray("SQLite format 3\0\x10\0", 18));
    out.close();
    const QSignalSpy problems(&session, &Session::problem);
    const QSignalSpy failed(&session, &Session::openFailed);
    explorer.window().openFiles({file});
    test::waitOpened(session);
    QCOMPARE(problems.count(), 1);
    QCOMPARE(failed.count(), 1);
    QVERIFY(explorer.window().banner()->message().contains(QStringLiteral("damaged.binade")));
    QCOMPARE(session.run().steps().size(), std::size_t{30});
  }

  void anEditDuringTheReadingIsKept() {
    test::Explorer explorer;
    Session& session = explorer.session();
    const QSignalSpy problems(&session, &Session::problem);
    session.openFile(writeRun(QStringLiteral("run.binade"), 200));
    session.document().setFormat({test::FakeRun::model().sites.front().key}, formats::kBFloat16);
    test::waitOpened(session);
    QCOMPARE(problems.count(), 1);
    QVERIFY(session.run().isEmpty());
    QVERIFY(session.document().isModified());
  }

  void statisticsFollowThoughAnotherFileIsOpenedAndTheReadingIsCancelled() {
    const QString file = writeObservedRun();
    QVERIFY(app::hasManyStatistics(file));
    test::Explorer explorer;
    Session& session = explorer.session();
    const QSignalSpy read(&session.run(), &app::RunModel::statisticsRead);
    const QSignalSpy busy(&session, &Session::busy);
    const QString policy = writePolicy();
    connect(&session, &Session::opened, this, [&] {
      session.openFile(policy);
      session.cancelOpening();
    });
    session.openFile(file);
    test::waitOpened(session);
    QVERIFY(session.statisticsFollow() == (read.count() == 0));
    QTRY_COMPARE(read.count(), 1);
    QVERIFY(!session.statisticsFollow());
    QCOMPARE(session.document().title(), QStringLiteral("own"));
    QVERIFY(busy.back().front().toString().isEmpty());
  }

  void statisticsEndWithTheirRun() {
    const QString file = writeObservedRun();
    test::Explorer explorer;
    Session& session = explorer.session();
    const QSignalSpy read(&session.run(), &app::RunModel::statisticsRead);
    const QSignalSpy problems(&session, &Session::problem);
    const QSignalSpy busy(&session, &Session::busy);
    bool waited = false;
    bool ended = false;
    qsizetype before = 0;
    connect(&session, &Session::opened, this, [&] {
      waited = !busy.back().front().toString().isEmpty();
      Q_EMIT session.engine().notified(test::FakeRun().started());
      ended = busy.back().front().toString().isEmpty();
      before = busy.count();
    });
    session.openFile(file);
    test::waitOpened(session);
    QVERIFY(waited && ended);
    QVERIFY(session.run().isActive());
    QTRY_VERIFY(busy.count() > before);  // the rest of the file was read
    QVERIFY(busy.back().front().toString().isEmpty());
    QCOMPARE(read.count(), 0);
    QCOMPARE(problems.count(), 0);
  }

  void theWindowMayCloseWhileAFileIsRead() {
    const QString file = writeRun(QStringLiteral("run.binade"), 1500);
    auto explorer = std::make_unique<test::Explorer>();
    explorer->window().show();
    explorer->window().openFiles({file});
    explorer->window().close();
    explorer.reset();
    QApplication::processEvents();
  }

  void theLogOfARunFileIsThatOfItsSteps() {
    test::Explorer explorer;
    Session& session = explorer.session();
    const QString file = test::temporaryFolder() + QStringLiteral("/edited.binade");
    {
      test::FakeRun fake;
      record::RunWriter writer(file.toStdString());
      writer.add(fake.started());
      for (int i = 0; i < 10; ++i) writer.add(fake.next());
      writer.add(wire::Evaluated{10, 0.5, 0.3});
      policy::Policy all;
      all.base = policy::Base::kAllFloat32;
      writer.add(fake.setPolicy(all, 1));
      for (int i = 0; i < 10; ++i) writer.add(fake.next());
      writer.add(wire::Evaluated{20, 0.75, 0.3});
      writer.close();
    }
    session.openFile(file);
    test::waitOpened(session);
    QStringList said;
    const QAbstractItemModel& log = session.log();
    for (int row = 0; row < log.rowCount(); ++row) {
      QString line;
      for (int column = 0; column < log.columnCount(); ++column)
        line += log.index(row, column).data().toString() + u' ';
      for (const char* what : {"Run ", "Accuracy", "Policy revision", "The run ended"}) {
        if (!line.contains(QLatin1String(what))) continue;
        said << QLatin1String(what);
        // The run file has no time of it, and the time of opening would be taken for it.
        QCOMPARE(log.index(row, app::LogModel::kTime).data().toString(), QString());
      }
    }
    QCOMPARE(said, (QStringList{QStringLiteral("Run "), QStringLiteral("Accuracy"), QStringLiteral("Policy revision"),
                                QStringLiteral("Accuracy"), QStringLiteral("The run ended")}));
  }
};

BINADE_SUITE(Openings);

}  // namespace

#include "tst_opening.moc"
