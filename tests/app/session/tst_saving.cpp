// SPDX-License-Identifier: Apache-2.0
// Saving where the disk is full or the folder is gone, and files that others change while they are open.
#include "app/session/file_watch.h"
#include "app/session/policy_document.h"
#include "app/session/run_document.h"
#include "app/session/write_file.h"
#include "tests/support/full_disk.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTest>

namespace {

using namespace binade;

const policy::SiteKey kSavedKey{"conv1", "", "aten::conv2d", "", 0};

QString savedFile(const char* name) {
  return test::temporaryFolder() + u'/' + QLatin1String(name);
}

QByteArray savedContent(const QString& name) {
  QFile file(name);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void writeFileHere(const QString& name, const QByteArray& content) {
  QFile file(name);
  if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) qFatal("no file");
}

class Saving : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aFullDiskLeavesTheFileBefore_data() {
    QTest::addColumn<int>("size");
    QTest::newRow("smaller than a buffer") << 1000;
    QTest::newRow("larger than a buffer") << 100'000;
  }

  void aFullDiskLeavesTheFileBefore() {
    QFETCH(const int, size);
    const QString file = savedFile("full.txt");
    writeFileHere(file, "before");
    std::optional<QString> reason;
    {
      const test::FullDisk full(64);
      reason = app::replaceFile(file, QByteArray(size, 'x'));
    }
    QVERIFY(reason);
    QCOMPARE(*reason, QStringLiteral("File too large"));
    QCOMPARE(savedContent(file), QByteArray("before"));
    QCOMPARE(QFileInfo(file).absoluteDir().entryList({QStringLiteral("full.txt*")}).size(), 1);
    QVERIFY(!app::replaceFile(file, QByteArray(size, 'x')));
    QCOMPARE(savedContent(file).size(), size);
  }

  void aPolicyThatCouldNotBeSavedStaysUnsaved() {
    const QString file = savedFile("tuned.policy.json");
    app::PolicyDocument document;
    QVERIFY(!document.save(file));
    const QByteArray before = savedContent(file);
    document.setFormat({kSavedKey}, formats::kFloat32);
    std::optional<app::Problem> problem;
    {
      const test::FullDisk full(64);
      problem = document.save(file);
    }
    QVERIFY(problem);
    QVERIFY2(problem->message.contains(QStringLiteral("tuned.policy.json")) &&
                 problem->message.contains(QStringLiteral("File too large")),
             qPrintable(problem->message));
    QVERIFY(problem->hint.contains(QStringLiteral("Nothing is lost")));
    QVERIFY(document.isModified());
    QCOMPARE(savedContent(file), before);
    QVERIFY(!document.save(file));
    QVERIFY(!document.isModified());
  }

  void aFolderThatDisappearedIsNamed() {
    const QString folder = savedFile("gone");
    QVERIFY(QDir().mkpath(folder));
    app::RunDocument document;
    wire::RunConfig config;
    config.model = "sample:cnn";
    document.edit(QStringLiteral("model"), config);
    QVERIFY(!document.save(folder + QStringLiteral("/a.run.json")));
    QVERIFY(QDir(folder).removeRecursively());
    config.steps = 7;
    document.edit(QStringLiteral("steps"), config);
    const auto problem = document.save(folder + QStringLiteral("/a.run.json"));
    QVERIFY(problem);
    QVERIFY2(problem->message.contains(QStringLiteral("a.run.json")) &&
                 problem->message.contains(QStringLiteral("No such file")),
             qPrintable(problem->message));
    QVERIFY(document.isModified());
    QCOMPARE(document.config().steps, std::int64_t{7});
  }

  void aDocumentWithoutAFileIsUnsavedUntilItIsSaved() {
    app::PolicyDocument policy;
    QVERIFY(!policy.isModified());
    policy.setUnsaved();
    QVERIFY(policy.isModified());
    QVERIFY(!policy.save(savedFile("again.policy.json")));
    QVERIFY(!policy.isModified());
    app::RunDocument run;
    run.setUnsaved();
    QVERIFY(run.isModified());
    run.adopt({});
    QVERIFY(!run.isModified());
  }

  void changesOfOthersAreReportedAndOwnSavesAreNot() {
    const QString file = savedFile("watched.json");
    writeFileHere(file, "mine");
    app::FileWatch watch;
    watch.setFile(file);
    const QSignalSpy changed(&watch, &app::FileWatch::changed);
    const QSignalSpy removed(&watch, &app::FileWatch::removed);
    QVERIFY(!app::replaceFile(file, "mine again"));
    watch.setFile(file);
    QTest::qWait(600);
    QCOMPARE(changed.count(), 0);
    QVERIFY(!app::replaceFile(file, "theirs"));  // another file in its place, as most programs save
    QTRY_COMPARE(changed.count(), 1);
    writeFileHere(file, "theirs again");  // the same file
    QTRY_COMPARE(changed.count(), 2);
    QVERIFY(QFile::remove(file));
    QTRY_COMPARE(removed.count(), 1);
    writeFileHere(file, "back");
    QTRY_COMPARE(changed.count(), 3);
    QCOMPARE(removed.count(), 1);
    watch.setFile({});
    writeFileHere(file, "nobody cares");
    QTest::qWait(600);
    QCOMPARE(changed.count(), 3);
  }

  void otherFilesInTheFolderAreNoChange() {
    const QString file = savedFile("beside.json");
    writeFileHere(file, "mine");
    app::FileWatch watch;
    watch.setFile(file);
    const QSignalSpy changed(&watch, &app::FileWatch::changed);
    writeFileHere(QFileInfo(file).absolutePath() + QStringLiteral("/another.json"), "x");
    QTest::qWait(600);
    QCOMPARE(changed.count(), 0);
  }
};

BINADE_SUITE(Saving);

}  // namespace

#include "tst_saving.moc"
