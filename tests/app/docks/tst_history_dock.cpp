// SPDX-License-Identifier: Apache-2.0
// The History dock: one entry returned to, in two separate ways; two compared and tried.
#include "app/docks/empty_state.h"
#include "app/docks/history_dock.h"
#include "app/session/policy_document.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_try.h"
#include "tests/support/suite.h"
#include "views/values/roles.h"

#include <QFile>
#include <QImage>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QUndoStack>

namespace {

using namespace binade;
using test::Explorer;

policy::Policy fc1InFloat32() {
  policy::Policy policy = test::FakeRun::config().policy;
  policy::SiteRule& rule = policy.sites.emplace_back();
  rule.match = "fc1/aten::linear#0";
  rule.format = formats::kFloat32;
  return policy;
}

wire::PolicyApplied editApplied(const app::RunModel& run, const policy::Policy& policy, int revision,
                                std::int64_t step) {
  wire::PolicyApplied now = run.policies().back();
  now.policy = policy;
  now.revision = revision;
  now.step = step;
  return now;
}

QString existingFile() {
  const QString name = test::temporaryFolder() + QStringLiteral("/edit-5.safetensors");
  QFile file(name);
  if (!file.open(QIODevice::WriteOnly)) qFatal("no file");
  return name;
}

void clickRow(QTableView* table, int row) {
  const QRect cell = table->visualRect(table->model()->index(row, 0));
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
}

/// A dock with a run of 10 steps, one edit at step 5, and its checkpoint.
struct ShownHistory {
  ShownHistory() : dock(&run, &document, &selection) {
    test::feedRun(run, 10);
    document.adopt(run.policies().front().policy, 0);
    file = existingFile();
    run.addCheckpoint({file.toStdString(), 5, "edit", 0, "sample:cnn", 1});
    run.addPolicy(editApplied(run, fc1InFloat32(), 1, 5));
    dock.resize(300, 700);
    dock.show();
  }
  app::RunModel run;
  app::PolicyDocument document;
  app::Selection selection;
  app::HistoryDock dock;
  QString file;
};

class HistoryDocks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void withoutARunItSaysWhatWouldAppear() {
    app::RunModel run;
    const app::PolicyDocument document;
    app::Selection selection;
    app::HistoryDock dock(&run, &document, &selection);
    QVERIFY(dock.empty()->isShownEmpty());
    test::feedRun(run, 1);
    QVERIFY(!dock.empty()->isShownEmpty());
    QCOMPARE(dock.table()->model()->rowCount(), 1);
    QVERIFY(!dock.table()->accessibleName().isEmpty());
  }

  void theTwoWaysBackAreSeparate() {
    ShownHistory shown;
    const QSignalSpy policies(&shown.dock, &app::HistoryDock::policyRequested);
    const QSignalSpy rewinds(&shown.dock, &app::HistoryDock::rewindRequested);
    shown.dock.table()->selectRow(0);
    QVERIFY(shown.dock.useButton()->isEnabled());
    shown.dock.useButton()->click();
    QCOMPARE(policies.count(), 1);
    QCOMPARE(rewinds.count(), 0);
    QVERIFY(policies.front().front().value<policy::Policy>() == fc1InFloat32());
    bool go = false;
    QString asked;
    shown.dock.setConfirm([&](const QString& question, const QString& loss) {
      asked = question + u' ' + loss;
      return go;
    });
    QVERIFY(shown.dock.rewindButton()->isEnabled());
    shown.dock.rewindButton()->click();
    QCOMPARE(rewinds.count(), 0);
    QVERIFY2(asked.contains(QStringLiteral("5 steps")) && asked.contains(QStringLiteral("policy stays")),
             qPrintable(asked));
    go = true;
    shown.dock.rewindButton()->click();
    QCOMPARE(rewinds.count(), 1);
    QCOMPARE(rewinds.front().front().toString(), shown.file);
    QCOMPARE(policies.count(), 1);
  }

  void noTryStartsWhileASearchTrains() {
    ShownHistory shown;
    shown.dock.setWhyNoTry(QStringLiteral("A search is in progress."));
    shown.dock.table()->selectAll();
    QVERIFY(shown.dock.tryButton()->isVisible() && !shown.dock.tryButton()->isEnabled());
    QCOMPARE(shown.dock.tryButton()->toolTip(), QStringLiteral("A search is in progress."));
    shown.dock.setWhyNoTry({});
    QVERIFY(shown.dock.tryButton()->isEnabled());
  }

  void whatCannotBeDoneSaysWhy() {
    ShownHistory shown;
    shown.dock.table()->selectRow(1);  // the start: the policy of the document, without a checkpoint
    QVERIFY(!shown.dock.useButton()->isEnabled() && !shown.dock.useButton()->toolTip().isEmpty());
    QVERIFY(!shown.dock.rewindButton()->isEnabled());
    QCOMPARE(shown.dock.rewindButton()->toolTip(), QStringLiteral("No checkpoint was saved there."));
    shown.document.replace(fc1InFloat32(), QStringLiteral("edit"));
    QVERIFY(shown.dock.useButton()->isEnabled());
    shown.dock.table()->selectRow(0);
    QVERIFY(!shown.dock.useButton()->isEnabled());
    QVERIFY(QFile::remove(shown.file));
    shown.run.addTrial(test::fakeTrial());  // the list is filled again
    QVERIFY(!shown.dock.rewindButton()->isEnabled());
    QVERIFY(shown.dock.rewindButton()->toolTip().contains(shown.file));
  }

  void twoAreComparedAndTriedWithTheOlderFirst() {
    ShownHistory shown;
    const QSignalSpy tries(&shown.dock, &app::HistoryDock::tryRequested);
    shown.dock.table()->setFocus();
    shown.dock.table()->selectRow(0);
    QCOMPARE(shown.dock.tryButton()->text(), QStringLiteral("Try this edit"));
    QTest::keyClick(shown.dock.table(), Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(shown.dock.table(), Qt::Key_F24);  // else Qt takes Shift as pressed in the tests that follow
    QCOMPARE(shown.dock.table()->selectionModel()->selectedRows().size(), 2);
    QVERIFY(shown.dock.tryButton()->isVisible() && !shown.dock.useButton()->isVisible());
    QCOMPARE(shown.dock.headline()->text(), QStringLiteral("Revision 1 against revision 0"));
    QVERIFY(shown.dock.detail()->text().contains(QStringLiteral("fc1/aten::linear#0")));
    QVERIFY(shown.selection.sites() == std::vector<int>{10});
    shown.dock.tryButton()->click();
    QCOMPARE(tries.count(), 1);
    const auto wish = tries.front().front().value<app::TryWish>();
    QVERIFY(wish.before == test::FakeRun::config().policy && wish.after == fc1InFloat32());
    QVERIFY(!wish.name.isEmpty());
  }

  void anEditAfterTheEndIsListedMarkedAndTried() {
    ShownHistory shown;
    shown.document.adopt(fc1InFloat32(), 1);
    shown.run.finish({wire::Outcome::kCompleted, 10, {}, {}});
    QCOMPARE(shown.dock.table()->model()->rowCount(), 2);
    policy::Policy other = fc1InFloat32();
    other.sites.front().match = "fc2/aten::linear#0";
    shown.document.replace(other, QStringLiteral("fc2 in float32"));
    QAbstractItemModel* rows = shown.dock.table()->model();
    QCOMPARE(rows->rowCount(), 3);
    QVERIFY(rows->index(0, 0).data(views::NowRole).toBool());
    QVERIFY(!rows->index(1, 0).data(views::NowRole).toBool());
    const QSignalSpy tries(&shown.dock, &app::HistoryDock::tryRequested);
    const QSignalSpy policies(&shown.dock, &app::HistoryDock::policyRequested);
    clickRow(shown.dock.table(), 0);
    QVERIFY(!shown.dock.useButton()->isEnabled());  // it is the present policy
    QTest::mouseClick(shown.dock.tryButton(), Qt::LeftButton);
    QCOMPARE(tries.count(), 1);
    const auto wish = tries.front().front().value<app::TryWish>();
    QVERIFY(wish.before == fc1InFloat32() && wish.after == other);
    clickRow(shown.dock.table(), 1);
    QTest::mouseClick(shown.dock.useButton(), Qt::LeftButton);
    QCOMPARE(policies.count(), 1);
    QVERIFY(policies.front().front().value<policy::Policy>() == fc1InFloat32());
    shown.document.undoStack()->undo();
    QCOMPARE(rows->rowCount(), 2);
    QVERIFY(rows->index(0, 0).data(views::NowRole).toBool());
  }

  void theDetailsHaveTheGroundOfTheFoot() {
    ShownHistory shown;
    shown.dock.table()->selectAll();
    QVERIFY(shown.dock.detail()->isVisible());
    const QImage picture = shown.dock.grab().toImage();
    const auto cornerOf = [&](const QLabel* label) {
      return picture.pixelColor(label->mapTo(&shown.dock, QPoint(label->width() - 1, 0)));
    };
    QCOMPARE(cornerOf(shown.dock.detail()), cornerOf(shown.dock.headline()));
  }

  void theSelectedEntryStaysWhenAnotherComes() {
    ShownHistory shown;
    const QSignalSpy trials(&shown.dock, &app::HistoryDock::trialSelected);
    shown.dock.table()->selectRow(0);
    const QString headline = shown.dock.headline()->text();
    shown.run.addTrial(test::fakeTrial());
    QCOMPARE(shown.dock.table()->model()->rowCount(), 3);
    QCOMPARE(shown.dock.headline()->text(), headline);
    QCOMPARE(shown.dock.table()->selectionModel()->selectedRows().front().row(), 1);
    QCOMPARE(trials.count(), 0);
    shown.dock.table()->selectRow(0);
    QCOMPARE(trials.count(), 1);
    QCOMPARE(trials.front().front().toInt(), 0);
  }

  // One of the two ways back at a time, as the engine sees them.
  void inTheWindowEachWaySendsItsOwnRequest() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    app::Session& session = explorer.session();
    app::RunModel& run = session.run();
    app::HistoryDock* dock = explorer.window().docks()->history;
    const QString file = existingFile();
    run.addCheckpoint({file.toStdString(), 5, "edit", 0, "sample:cnn", 1});
    run.addPolicy(editApplied(run, fc1InFloat32(), 1, 5));
    dock->setConfirm([](const QString&, const QString&) { return true; });
    dock->table()->selectRow(0);
    const policy::Policy present = session.document().policy();
    dock->rewindButton()->click();
    QTRY_COMPARE(explorer.requests(QStringLiteral("checkpoint.load")).size(), 1);
    const QJsonObject load = explorer.requests(QStringLiteral("checkpoint.load")).front();
    QCOMPARE(load[QLatin1String("file")].toString(), file);
    QVERIFY(load.contains(QLatin1String("policy")));  // else the checkpoint's own would come into force
    QVERIFY(session.document().policy() == present);
    QVERIFY(explorer.requests(QStringLiteral("policy.set")).isEmpty());
    QTRY_VERIFY(dock->table()->model()->rowCount() >= 3);  // the rewind is an entry too
    const int row = dock->table()->model()->rowCount() - 2;
    dock->table()->clearSelection();
    dock->table()->selectRow(row);
    dock->useButton()->click();
    QTRY_COMPARE(explorer.requests(QStringLiteral("policy.set")).size(), 1);
    QVERIFY(session.document().policy() == fc1InFloat32());
    QVERIFY(session.document().undoStack()->canUndo());
    QCOMPARE(explorer.requests(QStringLiteral("checkpoint.load")).size(), 1);
    session.document().undoStack()->undo();
    QVERIFY(session.document().policy() == present);
    explorer.window().setArrangement(app::Arrangement::kTune);
    Explorer::picture(&explorer.window(), QStringLiteral("tune-history"));
  }
};

BINADE_SUITE(HistoryDocks);

}  // namespace

#include "tst_history_dock.moc"
