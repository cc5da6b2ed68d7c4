// SPDX-License-Identifier: Apache-2.0
// Ranks that a real Slurm starts on this computer, by the commands of docs/guide/several-gpus.md.
#include "engine/record/run_reader.h"
#include "tests/ranks/launched.h"
#include "tests/ranks/real_slurm.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <signal.h>

#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>

using namespace binade;
using namespace Qt::StringLiterals;

namespace {

constexpr int kStepEnds = 120'000;  // milliseconds, on a busy computer

/// The commands of the guide that begin with srun.
QStringList guidesSruns() {
  QFile file(QStringLiteral(BINADE_SOURCE_DIR "/docs/guide/several-gpus.md"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  static const QRegularExpression line(u"^srun .*$"_s, QRegularExpression::MultilineOption);
  QStringList commands;
  for (const auto& match : line.globalMatch(QString::fromUtf8(file.readAll()))) commands << match.captured();
  return commands;
}

/// srun in progress. Its jobs end with the test's Slurm.
class Srun {
 public:
  Srun(const test::RealSlurm& slurm, const QString& command) {
    process_.setProcessEnvironment(slurm.environment());
    process_.setWorkingDirectory(test::temporaryFolder());
    test::RealSlurm::endWithTest(process_);
    process_.start(u"/bin/sh"_s, {u"-c"_s, u"exec "_s + command});
  }
  ~Srun() {
    process_.kill();
    process_.waitForFinished();
  }

  bool hasStepped() {
    QElapsedTimer timer;
    timer.start();
    while (!out_.contains("\"event\":\"step\"")) {
      if (process_.state() == QProcess::NotRunning || timer.elapsed() > kStepEnds) return false;
      process_.waitForReadyRead(100);
      out_ += process_.readAllStandardOutput();
    }
    return true;
  }
  /// The exit code of srun; -1: it does not end.
  int end() {
    const bool ended = process_.state() == QProcess::NotRunning || process_.waitForFinished(kStepEnds);
    return ended && process_.exitStatus() == QProcess::NormalExit ? process_.exitCode() : -1;
  }
  QByteArray said() {
    out_ += process_.readAllStandardOutput();
    err_ += process_.readAllStandardError();
    return err_ + out_.right(20'000);
  }

 private:
  QProcess process_;
  QByteArray out_, err_;
};

/// A run that lasts until it is ended, but not for ever if nothing ends it.
QString endlessRun(const QString& name) {
  return test::ranksRun(name, {{u"steps"_s, 50'000}});
}

}  // namespace

class SlurmRanks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    slurm_ = std::make_unique<test::RealSlurm>();
    if (!slurm_->why().isEmpty()) QSKIP(slurm_->why().constData());
  }
  void cleanupTestCase() { slurm_.reset(); }

  void theCommandOfTheGuideStartsTheRanks() {
    const QString file = test::temporaryFolder() + u"/srun.binade"_s;
    QString command = guidesSruns().value(0);
    QVERIFY(command.contains(u" 8 "_s) && command.contains(u"RUN.json"_s));
    command.replace(u" 8 "_s, u" 2 "_s).replace(u"RUN.json"_s, test::ranksRun(u"srun"_s));
    Srun srun(*slurm_, command + u" --run-file "_s + file);
    const int code = srun.end();
    QVERIFY2(code == 0, srun.said());
    const record::RunReader reader(file.toStdString());
    QCOMPARE(reader.started()->ranks.size(), std::size_t{2});
    QVERIFY(reader.step(7).has_value());
  }

  /// Slurm names the nodes in brackets, and the second one connects to the first.
  void ranksOfTwoNodesFindEachOther() {
    const QString file = test::temporaryFolder() + u"/nodes.binade"_s;
    QString command = guidesSruns().value(1);
    QVERIFY(command.contains(u"--nodes 4 --ntasks-per-node 8 --gpus-per-task 1 "_s));
    command.replace(u" 4 "_s, u" 2 "_s).replace(u" 8 "_s, u" 1 "_s).remove(u"--gpus-per-task 1 "_s);
    command.replace(u"RUN.json"_s, test::ranksRun(u"nodes"_s));
    Srun srun(*slurm_, command + u" --run-file "_s + file);
    const int code = srun.end();
    QVERIFY2(code == 0, srun.said());
    const record::RunReader reader(file.toStdString());
    QCOMPARE(reader.started()->ranks.size(), std::size_t{2});
    const QByteArray node = slurm_->output(
        u"srun"_s, {u"--nodes"_s, u"2"_s, u"--ntasks-per-node"_s, u"1"_s, u"printenv"_s, u"SLURM_STEP_NODELIST"_s});
    QCOMPARE(node.left(node.indexOf('\n')), QByteArray("127.0.0.[1-2]"));
  }

  void aBatchScriptStartsTheRanks() {
    const QString file = test::temporaryFolder() + u"/batch.binade"_s;
    const QString step = u"#!/bin/sh\nsrun --ntasks 2 binade-engine train %1 --run-file %2"_s;
    const QString script = test::temporaryFolder() + u"/script"_s;
    QFile written(script);
    QVERIFY(written.open(QIODevice::WriteOnly));
    written.write(step.arg(test::ranksRun(u"batch"_s), file).toUtf8());
    written.close();
    Srun sbatch(*slurm_, u"sbatch --wait --ntasks 4 "_s + script);
    const int code = sbatch.end();
    QVERIFY2(code == 0, sbatch.said());
    QCOMPARE(record::RunReader(file.toStdString()).started()->ranks.size(), std::size_t{2});
  }

  void aLostTaskEndsAllAndIsNamed_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("killed") << SIGKILL;
    QTest::newRow("stopped") << SIGSTOP;
  }

  void aLostTaskEndsAllAndIsNamed() {
    QFETCH(int, signal);
    QString command = guidesSruns().value(0);
    command.replace(u" 8 "_s, u" 2 "_s).replace(u"RUN.json"_s, endlessRun(u"lost"_s));
    Srun srun(*slurm_, command + u" --json --run-file none --rank-timeout 5"_s);
    QVERIFY2(srun.hasStepped(), srun.said());
    const qint64 task = slurm_->rank(1);
    QVERIFY(task > 0);
    ::kill(static_cast<pid_t>(task), signal);
    const int code = srun.end();
    QVERIFY2(code > 0, srun.said());
    const QByteArray said = srun.said();
    QVERIFY2(said.contains("Rank 1 (host ") && said.contains(" is missing"), said);
    QCOMPARE(slurm_->rank(0), 0);
    QCOMPARE(slurm_->rank(1), 0);
  }

  /// Slurm finds the tasks by their names in /proc, sends SIGTERM, and SIGKILL 30 s later.
  void aCancelledJobStopsInOrder() {
    QString command = guidesSruns().value(0);
    command.replace(u" 8 "_s, u" 2 "_s).replace(u"RUN.json"_s, endlessRun(u"cancelled"_s));
    Srun srun(*slurm_, command + u" --json --run-file none"_s);
    QVERIFY2(srun.hasStepped(), srun.said());
    slurm_->output(u"scancel"_s, {u"--me"_s});
    const int code = srun.end();
    QVERIFY2(code == 130, srun.said());
    QVERIFY2(srun.said().contains("\"cancelled\""), srun.said());
    QCOMPARE(slurm_->rank(0), 0);
    QCOMPARE(slurm_->rank(1), 0);
  }

 private:
  std::unique_ptr<test::RealSlurm> slurm_;
};

BINADE_SUITE(SlurmRanks);
#include "tst_slurm.moc"
