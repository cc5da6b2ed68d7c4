// SPDX-License-Identifier: Apache-2.0
#include "app/session/report_job.h"
#include "engine/record/run_writer.h"
#include "tests/support/full_disk.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QSignalSpy>
#include <QThread>

using namespace binade;
using app::ReportJob;
using app::ReportResult;

namespace {

/// A short recorded run.
QString recordedRun() {
  const QString file = test::temporaryFolder() + QStringLiteral("/short.binade");
  record::RunWriter writer(file.toStdString());
  wire::RunStarted started;
  started.config.name = "short run";
  started.config.model = "sample:mlp";
  writer.add(started);
  for (int step = 0; step < 20; ++step) {
    wire::StepRecord record;
    record.step = step;
    record.loss = 1;
    record.gradient_norm = 1;
    writer.add(record);
  }
  writer.add(wire::Finished{wire::Outcome::kCompleted, 20, "", ""});
  writer.close();
  return file;
}

QByteArray contentOf(const QString& file) {
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

class ReportJobs : public test::Suite {
  Q_OBJECT

 private:
  /// Runs one report to its end.
  static ReportResult resultOf(const QString& run, const QString& file) {
    ReportJob job;
    ReportResult result;
    bool here = false;
    QObject::connect(&job, &ReportJob::finished, &job, [&](const ReportResult& finished) {
      result = finished;
      here = QThread::currentThread() == job.thread();
    });
    QSignalSpy finished(&job, &ReportJob::finished);
    job.start(run, file);
    if (!job.isRunning() || !finished.wait(20000) || job.isRunning() || !here)
      result.problem = app::Problem{QStringLiteral("the job did not finish")};
    return result;
  }

 private Q_SLOTS:
  void aReportIsWrittenWhole() {
    const QString file = test::temporaryFolder() + QStringLiteral("/out.html");
    const ReportResult result = resultOf(recordedRun(), file);
    QVERIFY2(!result.problem, result.problem ? qPrintable(result.problem->message) : "");
    QCOMPARE(result.file, file);
    QCOMPARE(result.damaged, std::size_t{0});
    const QByteArray html = contentOf(file);
    QCOMPARE(html.size(), result.bytes);
    QVERIFY(html.contains("short run"));
    QVERIFY(html.endsWith("</html>\n"));
  }

  void aReportReplacesAnOlderOne() {
    const QString file = test::temporaryFolder() + QStringLiteral("/out.html");
    QFile old(file);
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
    old.close();
    QVERIFY(!resultOf(recordedRun(), file).problem);
    QVERIFY(contentOf(file).startsWith("<!DOCTYPE html>"));
  }

  void aFolderThatDoesNotExistIsAProblem() {
    const ReportResult result = resultOf(recordedRun(), test::temporaryFolder() + QStringLiteral("/none/out.html"));
    QVERIFY(result.problem);
    QVERIFY(result.problem->message.contains(QStringLiteral("out.html")));
    QVERIFY(!result.problem->hint.isEmpty());
  }

  void aFullDiskIsAProblemAndLeavesAnOlderReport() {
    const QString run = recordedRun();
    const QString file = test::temporaryFolder() + QStringLiteral("/out.html");
    QFile old(file);
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
    old.close();
    ReportResult result;
    {
      const test::FullDisk full(4096);
      result = resultOf(run, file);
    }
    QVERIFY(result.problem);
    QVERIFY2(result.problem->message.contains(QStringLiteral("out.html")) &&
                 result.problem->message.contains(QStringLiteral("File too large")),
             qPrintable(result.problem->message));
    QCOMPARE(contentOf(file), QByteArray("old"));
  }

  void aFileThatIsNoRunIsAProblemAndLeavesAnOlderReport() {
    const QString file = test::temporaryFolder() + QStringLiteral("/out.html");
    QFile old(file);
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
    old.close();
    const ReportResult result = resultOf(file, file);
    QVERIFY(result.problem);
    QCOMPARE(contentOf(file), QByteArray("old"));
  }
};
BINADE_SUITE(ReportJobs);

}  // namespace

#include "tst_report_job.moc"
