// SPDX-License-Identifier: Apache-2.0
// Unsaved edits of a program that crashed: kept, found once, and never taken from a program that runs.
#include "app/session/edit_recovery.h"
#include "app/session/policy_document.h"
#include "app/session/run_document.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

namespace {

using namespace binade;
using app::EditRecovery;

const policy::SiteKey kKeptKey{"conv1", "", "aten::conv2d", "", 0};

QString emptyFolder() {
  const QString folder = test::temporaryFolder() + QStringLiteral("/recovery");
  QDir(folder).removeRecursively();
  return folder;
}

/// The documents of a window, whose edits are kept at once.
struct Editing {
  explicit Editing(const QString& folder) : recovery(&policy, &description, folder, 0) {}
  app::PolicyDocument policy;
  app::RunDocument description;
  EditRecovery recovery;
};

/// A real program with unsaved edits of a policy and a run description.
class CrashingEditor {
 public:
  explicit CrashingEditor(const QString& folder) {
    process_.start(QStringLiteral(BINADE_CRASHING_EDITOR), {folder});
    ready_ = process_.waitForStarted() &&
             QTest::qWaitFor([this] { return (output_ += process_.readAllStandardOutput()).contains("kept"); }, 10000);
  }
  bool isReady() const { return ready_; }
  bool kill() {
    process_.kill();
    return process_.waitForFinished() && process_.exitStatus() == QProcess::CrashExit;
  }

 private:
  QProcess process_;
  QByteArray output_;
  bool ready_ = false;
};

class EditRecoveries : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void editsOfAKilledProgramAreFound() {
    const QString folder = emptyFolder();
    CrashingEditor editor(folder);
    QVERIFY(editor.isReady());
    Editing mine(folder);
    QVERIFY(mine.recovery.takeAbandoned().empty());  // the program runs
    QVERIFY(editor.kill());
    const auto found = mine.recovery.takeAbandoned();
    QCOMPARE(found.size(), std::size_t{1});
    const app::UnsavedEdits& edits = found.front().edits;
    QVERIFY(edits.policy && edits.policy->sites.size() == 1);
    QCOMPARE(edits.policy->sites.front().match, kKeptKey.name());
    QVERIFY(edits.description);
    QCOMPARE(edits.description->name, std::string("mine"));
    QCOMPARE(edits.description->steps, std::int64_t{-7});
    QVERIFY(edits.when.secsTo(QDateTime::currentDateTimeUtc()) < 3600);
    // A second window that starts now does not offer them too.
    Editing other(folder);
    QVERIFY(other.recovery.takeAbandoned().empty());
    QVERIFY(mine.recovery.takeAbandoned().empty());
    mine.recovery.discard(found.front().file);
    QVERIFY(!QFile::exists(found.front().file));
    QVERIFY(other.recovery.takeAbandoned().empty());
  }

  void editsWithoutAnAnswerAreFoundAgain() {
    const QString folder = emptyFolder();
    CrashingEditor editor(folder);
    QVERIFY(editor.isReady());
    QVERIFY(editor.kill());
    {
      Editing first(folder);
      QCOMPARE(first.recovery.takeAbandoned().size(), std::size_t{1});
    }
    Editing second(folder);
    QCOMPARE(second.recovery.takeAbandoned().size(), std::size_t{1});
  }

  void aRegularEndLeavesNothing() {
    const QString folder = emptyFolder();
    {
      Editing editing(folder);
      const QSignalSpy kept(&editing.recovery, &EditRecovery::kept);
      editing.policy.setFormat({kKeptKey}, formats::kFloat32);
      QTRY_VERIFY(!kept.isEmpty());
      QCOMPARE(QDir(folder).entryList({QStringLiteral("*.json")}).size(), 1);
    }
    QCOMPARE(QDir(folder).entryList(QDir::Files), QStringList());
  }

  void savedEditsAreNotKept() {
    const QString folder = emptyFolder();
    Editing editing(folder);
    const QSignalSpy kept(&editing.recovery, &EditRecovery::kept);
    editing.policy.setFormat({kKeptKey}, formats::kFloat32);
    QTRY_COMPARE(QDir(folder).entryList({QStringLiteral("*.json")}).size(), 1);
    QVERIFY(!editing.policy.save(test::temporaryFolder() + QStringLiteral("/kept.policy.json")));
    QTRY_COMPARE(QDir(folder).entryList({QStringLiteral("*.json")}).size(), 0);
  }

  void filesThatAreNoEditsAreLeftAlone() {
    const QString folder = emptyFolder();
    QVERIFY(QDir().mkpath(folder));
    const QList<QByteArray> contents{"", "garbage \xff\x00", R"({"binade_recovery": 2, "policy": "{}"})",
                                     R"({"binade_recovery": 1, "when": "2026-11-26T10:00:00.000Z", "policy": "{}"})",
                                     R"({"binade_recovery": 1, "when": "yesterday"})"};
    for (int i = 0; i < contents.size(); ++i) {
      QFile file(folder + QStringLiteral("/%1.json").arg(i));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(contents[i]);
    }
    Editing editing(folder);
    QVERIFY(editing.recovery.takeAbandoned().empty());
    QCOMPARE(QDir(folder).entryList({QStringLiteral("*.json")}).size(), contents.size());
  }

  void aFolderThatCannotBeWrittenIsReportedOnce() {
    const QString folder = emptyFolder();
    QFile in_the_way(folder);
    QVERIFY(in_the_way.open(QIODevice::WriteOnly));
    in_the_way.close();
    Editing editing(folder);
    const QSignalSpy failed(&editing.recovery, &EditRecovery::failed);
    editing.policy.setFormat({kKeptKey}, formats::kFloat32);
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed.front().front().value<app::Problem>().message.contains(QStringLiteral("recovery")));
    editing.policy.setFormat({kKeptKey}, formats::kBFloat16);
    QTest::qWait(100);
    QCOMPARE(failed.count(), 1);
    QVERIFY(QFile::remove(folder));
  }
};

BINADE_SUITE(EditRecoveries);

}  // namespace

#include "tst_edit_recovery.moc"
