// SPDX-License-Identifier: Apache-2.0
#include "tests/host/run_engine.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

using namespace binade;
using namespace Qt::StringLiterals;

namespace {

/// Trains a few steps and returns the run file.
QString trainedRun(const QString& folder, const QString& profile) {
  const QString file = folder + u"/trained.binade"_s;
  const test::EngineResult result =
      test::engine({u"train"_s, test::runFile(), u"--run-file"_s, file, u"--steps"_s, u"6"_s, u"--profile"_s, profile});
  return result.code == 0 ? file : QString();
}

}  // namespace

class ExportRunCommand : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aTrainedRunIsWrittenForEveryTarget();
  void aRunWithoutProfileHasNoTraceAndExitCode1();
  void aTargetOfModelsIsNoneOfRuns();
};

void ExportRunCommand::aTrainedRunIsWrittenForEveryTarget() {
  const QString folder = test::temporaryFolder();
  const QString run = trainedRun(folder, u"times"_s);
  QVERIFY(!run.isEmpty());
  for (const QString& target : {u"tensorboard"_s, u"csv"_s, u"perfetto"_s}) {
    const QString out = folder + u'/' + target;
    const test::EngineResult result = test::engine({u"export"_s, run, u"--to"_s, target, u"--out"_s, out, u"--json"_s});
    QVERIFY2(result.code == 0, qPrintable(result.err));
    QCOMPARE(result.lines().size(), 1);
    const QJsonObject line = result.lines().first();
    QCOMPARE(line[u"event"].toString(), u"run_exported"_s);
    QCOMPARE(line[u"steps"].toInteger(), 6);
    QCOMPARE(line[u"left_out"].toInteger(), 0);
    QVERIFY(!line[u"files"].toArray().isEmpty());
    QVERIFY(QFileInfo::exists(out));
  }
  QFile trace(folder + u"/perfetto"_s);
  QVERIFY(trace.open(QIODevice::ReadOnly));
  int forward = 0;
  const QJsonArray events = QJsonDocument::fromJson(trace.readAll()).object()[u"traceEvents"].toArray();
  for (const QJsonValue& each : events) forward += each[u"cat"].toString() == u"forward"_s ? 1 : 0;
  QVERIFY(forward > 0);
}

void ExportRunCommand::aRunWithoutProfileHasNoTraceAndExitCode1() {
  const QString folder = test::temporaryFolder();
  const QString run = trainedRun(folder, u"off"_s);
  QVERIFY(!run.isEmpty());
  const QString out = folder + u"/trace.json"_s;
  const test::EngineResult result = test::engine({u"export"_s, run, u"--to"_s, u"perfetto"_s, u"--out"_s, out});
  QCOMPARE(result.code, 1);
  QVERIFY2(result.err.contains(u"--profile times"_s), qPrintable(result.err));
  QVERIFY(!QFileInfo::exists(out));
}

void ExportRunCommand::aTargetOfModelsIsNoneOfRuns() {
  const QString folder = test::temporaryFolder();
  const QString run = trainedRun(folder, u"off"_s);
  const test::EngineResult target =
      test::engine({u"export"_s, run, u"--to"_s, u"torchscript"_s, u"--out"_s, folder + u"/out"_s});
  QCOMPARE(target.code, 2);
  QVERIFY2(target.err.contains(u"tensorboard, csv, perfetto"_s), qPrintable(target.err));
  const test::EngineResult policy = test::engine(
      {u"export"_s, run, u"--policy"_s, u"cuda-amp"_s, u"--to"_s, u"csv"_s, u"--out"_s, folder + u"/out"_s});
  QCOMPARE(policy.code, 2);
  QVERIFY2(policy.err.contains(u"--policy"_s), qPrintable(policy.err));
}

BINADE_SUITE(ExportRunCommand);
#include "tst_export_run_command.moc"
