// SPDX-License-Identifier: Apache-2.0
#include "app/session/bundle_job.h"
#include "app/window/actions.h"
#include "app/window/banner.h"
#include "app/window/run_export_dialog.h"
#include "engine/record/run_reader.h"
#include "engine/record/run_writer.h"
#include "tests/app/app_fixture.h"
#include "tests/app/choose_file.h"
#include "tests/app/fake_run.h"
#include "tests/app/wait_opened.h"
#include "tests/support/suite.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <optional>

namespace {

using namespace binade;
using interchange::RunTarget;

/// Records a made-up run without a profile, and with its overflow events if asked for.
QString recordedRun(int steps, bool events = false) {
  const QString file = test::temporaryFolder() + QStringLiteral("/clothes.binade");
  test::FakeRun fake;
  record::RunWriter writer(file.toStdString());
  writer.add(fake.started());
  for (int i = 0; i < steps; ++i) {
    writer.add(fake.next());
    if (events && fake.event() != nullptr) writer.add(*fake.event());
  }
  writer.add(wire::Finished{wire::Outcome::kCompleted, steps, "", ""});
  writer.close();
  return file;
}

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void choose(const app::RunExportDialog& dialog, RunTarget target) {
  dialog.target()->setCurrentIndex(dialog.target()->findData(static_cast<int>(target)));
}

}  // namespace

class RunExports : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theActionNeedsARecordedRun() {
    test::Explorer explorer;
    explorer.window().show();
    QAction* action = explorer.window().actions()->export_run;
    QVERIFY(!action->isEnabled());
    explorer.window().openFiles({recordedRun(20)});
    test::waitOpened(explorer.session());
    QTRY_VERIFY(action->isEnabled());
    action->trigger();
    auto* dialog = explorer.window().findChild<app::RunExportDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    dialog->close();
  }

  void aRunIsWrittenAsTables() {
    const QString run = recordedRun(40);
    app::RunExportDialog dialog(run);
    dialog.show();
    choose(dialog, RunTarget::kCsv);
    const QString folder = QDir::fromNativeSeparators(dialog.place()->text());
    QCOMPARE(folder, QFileInfo(run).absolutePath() + QStringLiteral("/clothes-tables"));
    dialog.exportButton()->click();
    QVERIFY(!dialog.exportButton()->isEnabled());
    QTRY_VERIFY(!dialog.job()->isRunning());
    QVERIFY2(dialog.result()->text().contains(QStringLiteral("40 steps")), qPrintable(dialog.result()->text()));
    QFile steps(folder + QStringLiteral("/steps.csv"));
    QVERIFY(steps.open(QIODevice::ReadOnly));
    QCOMPARE(static_cast<int>(steps.readAll().count("\r\n")), 41);
    QVERIFY(dialog.exportButton()->isEnabled());
  }

  void whatExistsIsKeptAndAnotherNameProposed() {
    const QString run = recordedRun(3);
    const QString folder = QFileInfo(run).absolutePath() + QStringLiteral("/clothes-tables");
    QVERIFY(QDir().mkdir(folder));
    app::RunExportDialog dialog(run);
    dialog.show();
    choose(dialog, RunTarget::kCsv);
    QVERIFY(dialog.place()->text().endsWith(QStringLiteral("clothes-2-tables")));
    dialog.place()->setText(folder);
    dialog.exportButton()->click();
    QTRY_VERIFY(!dialog.job()->isRunning());
    QVERIFY2(dialog.result()->text().contains(QStringLiteral("already exists")), qPrintable(dialog.result()->text()));
    QVERIFY(QDir(folder).isEmpty());
  }

  void aRunWithoutAProfileHasNoTrace() {
    const QString run = recordedRun(3);
    app::RunExportDialog dialog(run);
    dialog.show();
    choose(dialog, RunTarget::kPerfetto);
    const QString file = QDir::fromNativeSeparators(dialog.place()->text());
    dialog.exportButton()->click();
    QTRY_VERIFY(!dialog.job()->isRunning());
    QVERIFY(dialog.result()->text().contains(QStringLiteral("no profiled step")));
    QVERIFY(!dialog.details()->text().isEmpty());
    QVERIFY(!QFile::exists(file));
  }

  void cancellingLeavesNothing() {
    const QString run = recordedRun(400);
    app::RunExportDialog dialog(run);
    dialog.show();
    choose(dialog, RunTarget::kTensorBoard);
    const QString folder = QDir::fromNativeSeparators(dialog.place()->text());
    dialog.exportButton()->click();
    dialog.job()->cancel();
    QTRY_VERIFY(!dialog.job()->isRunning());
    // It may have been complete by then.
    const bool cancelled = dialog.result()->text().contains(QStringLiteral("cancelled"));
    QCOMPARE(QFile::exists(folder), !cancelled);
    const auto hidden = QDir(QFileInfo(run).absolutePath()).entryList(QDir::Hidden | QDir::Dirs | QDir::NoDotAndDotDot);
    QCOMPARE(hidden.filter(QStringLiteral(".clothes")), QStringList());
  }

  void theSelectedEventIsSavedAsAFolder() {
    test::Explorer explorer;
    explorer.window().show();
    QAction* action = explorer.window().actions()->save_bundle;
    explorer.window().openFiles({recordedRun(20, true)});
    test::waitOpened(explorer.session());
    const auto& events = explorer.session().run().events();
    QTRY_VERIFY(!events.empty());
    explorer.session().selection().clear();
    QVERIFY2(!action->isEnabled(), "without an event there is nothing to save");
    explorer.session().selectEvent(0);
    QTRY_VERIFY(action->isEnabled());
    const QString folder = test::temporaryFolder() + QStringLiteral("/event");
    test::chooseFile(folder);
    action->trigger();
    QTRY_VERIFY(QFile::exists(folder + QStringLiteral("/README.txt")));
    const record::RunReader reader((folder + QStringLiteral("/event.binade")).toStdString());
    QVERIFY(!reader.events().empty());
    QCOMPARE(reader.events().front().step, events.front().step);
    QTRY_VERIFY2(explorer.window().banner()->message().contains(QDir::toNativeSeparators(folder)),
                 qPrintable(explorer.window().banner()->message()));
    // A folder that is there is not overwritten.
    const QByteArray before = contentOf(folder + QStringLiteral("/README.txt"));
    app::BundleJob job;
    std::optional<app::BundleResult> again;
    connect(&job, &app::BundleJob::finished, this, [&again](const app::BundleResult& result) { again = result; });
    job.start(explorer.session().run().runFile(), events.front().step, folder, false);
    QTRY_VERIFY(again.has_value());
    QVERIFY(again->problem && again->problem->message.contains(QStringLiteral("exists")));
    QCOMPARE(contentOf(folder + QStringLiteral("/README.txt")), before);
  }
};

BINADE_SUITE(RunExports);
#include "tst_run_export.moc"
