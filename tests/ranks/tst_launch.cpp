// SPDX-License-Identifier: Apache-2.0
// `binade-engine launch` and ranks in `train`, as programs.
#include "tests/host/run_engine.h"
#include "tests/ranks/launched.h"
#include "tests/support/places.h"
#include "tests/support/ports.h"
#include "tests/support/suite.h"

#include <signal.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QProcess>
#include <QRandomGenerator>
#include <QTest>

#include <cmath>

using namespace binade;
using test::Launched;

namespace {

constexpr int kLong = 180'000;       // milliseconds
constexpr int kTimeout = 6;          // seconds, of ranks
constexpr int kEndsWithin = 90'000;  // after a rank is missing

/// The folder of all files of a suite.
const QString& folder() {
  static const QString made = test::temporaryFolder();
  return made;
}

QStringList launchArguments(const QString& run, int ranks, const QStringList& more = {}) {
  return QStringList{QStringLiteral("launch"),         run,
                     QStringLiteral("--ranks"),        QString::number(ranks),
                     QStringLiteral("--rank-timeout"), QString::number(kTimeout),
                     QStringLiteral("--json")} +
         more;
}

QJsonObject checkpoints(const QString& name, int every) {
  return {{QStringLiteral("folder"), folder() + QLatin1Char('/') + name},
          {QStringLiteral("every"), every},
          {QStringLiteral("keep"), 100}};
}

/// The losses of a command that ends well.
std::map<int, QString> lossesOf(const QStringList& arguments) {
  Launched run(arguments);
  if (!run.waitForEnd(kLong) || run.exitCode() != 0) {
    qCritical("%s", qPrintable(run.errors()));
    return {};
  }
  return run.losses();
}

double worstDifference(const std::map<int, QString>& a, const std::map<int, QString>& b) {
  double worst = a.empty() || b.empty() ? 1 : 0;
  for (const auto& [step, loss] : a) {
    const auto other = b.find(step);
    if (other == b.end()) continue;
    worst = std::max(worst, std::abs(loss.toDouble() - other->second.toDouble()) / std::abs(loss.toDouble()));
  }
  return worst;
}

QString none() {
  return QStringLiteral("none");
}

}  // namespace

class LaunchedRanks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void ranksTrainLikeOneProcess() {
    const QString run = test::ranksRun(QStringLiteral("alike"));
    const QStringList alone{QStringLiteral("train"), run, QStringLiteral("--json"), QStringLiteral("--run-file"),
                            none()};
    const auto one = lossesOf(alone);
    QCOMPARE(one.size(), std::size_t{8});
    const auto two = lossesOf(launchArguments(run, 2, {QStringLiteral("--run-file"), none()}));
    QCOMPARE(two.size(), std::size_t{8});
    QVERIFY2(worstDifference(one, two) < 1e-5, qPrintable(QString::number(worstDifference(one, two))));
    // A single rank is a plain run.
    QVERIFY(lossesOf(launchArguments(run, 1, {QStringLiteral("--run-file"), none()})) == one);
  }

  void aRunIsRecordedOnce() {
    const QString run = test::ranksRun(QStringLiteral("recorded"));
    const QString file = folder() + QStringLiteral("/recorded.binade");
    QCOMPARE(lossesOf(launchArguments(run, 2, {QStringLiteral("--run-file"), file})).size(), std::size_t{8});
    QVERIFY(QFileInfo::exists(file));
    QCOMPARE(
        test::engine({QStringLiteral("report"), file, QStringLiteral("--out"), file + QStringLiteral(".html")}).code,
        0);
  }

  /// To the bit with the same number of ranks; up to rounding with another one.
  void aRunResumesOnAnyNumberOfRanks() {
    const QString whole = test::ranksRun(QStringLiteral("whole"), {{QStringLiteral("steps"), 12}});
    const auto unbroken = lossesOf(launchArguments(whole, 2, {QStringLiteral("--run-file"), none()}));
    const QString run = test::ranksRun(
        QStringLiteral("parts"),
        {{QStringLiteral("steps"), 12}, {QStringLiteral("checkpoint"), checkpoints(QStringLiteral("parts"), 4)}});
    const QString parts = folder() + QStringLiteral("/parts");
    const auto first = lossesOf(launchArguments(
        run, 2, {QStringLiteral("--run-file"), none(), QStringLiteral("--steps"), QStringLiteral("4")}));
    QCOMPARE(first.size(), std::size_t{4});
    const auto same =
        lossesOf(launchArguments(whole, 2, {QStringLiteral("--run-file"), none(), QStringLiteral("--resume"), parts}));
    QCOMPARE(same.size(), std::size_t{8});
    for (const auto& [step, loss] : same) QCOMPARE(loss, unbroken.at(step));
    const auto four = lossesOf(launchArguments(run, 4,
                                               {QStringLiteral("--run-file"), none(), QStringLiteral("--steps"),
                                                QStringLiteral("8"), QStringLiteral("--resume"), parts}));
    QCOMPARE(four.size(), std::size_t{4});
    const auto one = lossesOf({QStringLiteral("train"), run, QStringLiteral("--json"), QStringLiteral("--run-file"),
                               none(), QStringLiteral("--resume"), parts});
    QCOMPARE(one.size(), std::size_t{4});
    QVERIFY(worstDifference(four, unbroken) < 1e-5);
    QVERIFY(worstDifference(one, unbroken) < 1e-5);
    const auto told = test::engine({QStringLiteral("train"), run, QStringLiteral("--run-file"), none(),
                                    QStringLiteral("--resume"), parts + QStringLiteral("/step-00000004.safetensors")});
    QVERIFY2(told.err.contains(QLatin1String("it is of a run on 2 ranks, and this run has 1 rank.")) ||
                 told.out.contains(QLatin1String("it is of a run on 2 ranks, and this run has 1 rank.")),
             qPrintable(told.out + told.err));
  }

  void aKilledRankEndsAllAndIsNamed_data() {
    QTest::addColumn<int>("rank");
    QTest::addColumn<int>("signal");
    QTest::newRow("rank 0, killed") << 0 << SIGKILL;
    QTest::newRow("rank 1, killed") << 1 << SIGKILL;
    QTest::newRow("rank 1, stopped") << 1 << SIGSTOP;
    QTest::newRow("rank 0, stopped") << 0 << SIGSTOP;
  }

  void aKilledRankEndsAllAndIsNamed() {
    QFETCH(int, rank);
    QFETCH(int, signal);
    const QString run = test::ranksRun(QStringLiteral("killed"), {{QStringLiteral("steps"), 1'000'000}});
    Launched launched(launchArguments(run, 3, {QStringLiteral("--run-file"), none()}));
    QVERIFY2(launched.waitForStep(2), qPrintable(launched.errors()));
    const qint64 process = launched.rank(rank);
    QVERIFY(process > 0);
    ::kill(static_cast<pid_t>(process), signal);
    QVERIFY(launched.waitForEnd(kEndsWithin));
    QCOMPARE(launched.exitCode(), 1);
    const QString named = QStringLiteral("Rank %1 (").arg(rank);
    QVERIFY2(launched.errors().contains(named), qPrintable(launched.errors()));
    // The launcher sees the end of a killed rank before the others miss it.
    const bool missed = launched.errors().contains(QStringLiteral("is missing"));
    QVERIFY2(missed || signal == SIGKILL, qPrintable(launched.errors()));
    for (int each = 0; each < 3; ++each) QCOMPARE(launched.rank(each), 0);
    const QString said = launched.errors();
    QVERIFY2(said.contains(QLatin1String("There is no checkpoint")), qPrintable(said));
    QVERIFY2(!said.contains(QLatin1String("Resume")), qPrintable(said));
  }

  /// The others need no time-out to end, and do not repeat the cause.
  void aKilledRankIsReportedAtOnceAndOnce() {
    const QString run = test::ranksRun(QStringLiteral("at once"), {{QStringLiteral("steps"), 1'000'000}});
    Launched launched({QStringLiteral("launch"), run, QStringLiteral("--ranks"), QStringLiteral("3"),
                       QStringLiteral("--json"), QStringLiteral("--run-file"), none()});
    QVERIFY2(launched.waitForStep(2), qPrintable(launched.errors()));
    const qint64 process = launched.rank(1);
    QVERIFY(process > 0);
    ::kill(static_cast<pid_t>(process), SIGKILL);
    QVERIFY(launched.waitForEnd(kEndsWithin));  // of --rank-timeout, 300 s
    const QString said = launched.errors();
    const QString line = QStringLiteral("error: Rank 1 (process %1) was killed by signal 9 (Killed).").arg(process);
    QVERIFY2(said.startsWith(line), qPrintable(said));
    QCOMPARE(said.count(QLatin1String("binade-engine: ")), 1);
    QVERIFY2(said.contains(QLatin1String("if memory runs out")), qPrintable(said));
  }

  /// And not started again by --keep-going, since the next start would end in the same way.
  void ncclOnTheCpuIsRefusedWithItsReason() {
    const QString run = test::ranksRun(QStringLiteral("nccl"));
    Launched launched(launchArguments(run, 2,
                                      {QStringLiteral("--run-file"), none(), QStringLiteral("--gradients-over"),
                                       QStringLiteral("nccl"), QStringLiteral("--keep-going")}));
    QVERIFY(launched.waitForEnd(kEndsWithin));
    QCOMPARE(launched.exitCode(), 1);
    const QString said = launched.errors();
    QVERIFY2(said.contains(QLatin1String("Gradients cannot be summed by NCCL, because the device is the CPU")),
             qPrintable(said));
    QVERIFY2(!said.contains(QLatin1String("started again")), qPrintable(said));
  }

  void theNextStepIsACommandThatResumes() {
    const QString run = test::ranksRun(
        QStringLiteral("the hint"),
        {{QStringLiteral("steps"), 200}, {QStringLiteral("checkpoint"), checkpoints(QStringLiteral("hint"), 5)}});
    const QString record = folder() + QStringLiteral("/hint.binade");
    Launched launched(launchArguments(run, 2, {QStringLiteral("--run-file"), record}));
    QVERIFY2(launched.waitForStep(20), qPrintable(launched.errors()));
    ::kill(static_cast<pid_t>(launched.rank(1)), SIGKILL);
    QVERIFY(launched.waitForEnd(kEndsWithin));
    const QString said = launched.errors();
    QVERIFY2(!said.contains(QLatin1String("There is no checkpoint")), qPrintable(said));
    const QString newest = QDir(folder() + QStringLiteral("/hint")).entryList({QStringLiteral("step-*")}).last();
    const QString file = folder() + QStringLiteral("/hint/") + newest;
    QVERIFY2(said.contains(QStringLiteral("Resume from the last checkpoint, %1:\n").arg(file)), qPrintable(said));
    const QString command =
        said.mid(said.indexOf(QLatin1String("binade-engine launch "))).section(QLatin1Char('\n'), 0, 0);
    QVERIFY2(command.contains(QStringLiteral("'%1'").arg(run)), qPrintable(command));  // its name has a space
    const QJsonObject resumable = launched.event(QStringLiteral("resumable"));
    QCOMPARE(resumable.value(QLatin1String("checkpoint")).toString(), file);
    QCOMPARE(resumable.value(QLatin1String("command")).toString(), command);
    QProcess shell;
    QProcessEnvironment environment = test::engineEnvironment();
    environment.insert(QStringLiteral("PATH"),
                       QStringLiteral(BINADE_BIN_DIR ":") + environment.value(QStringLiteral("PATH")));
    shell.setProcessEnvironment(environment);
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), command});
    QVERIFY(shell.waitForFinished(kLong));
    const QByteArray out = shell.readAllStandardOutput();
    QVERIFY2(shell.exitCode() == 0, shell.readAllStandardError().constData());
    const QJsonObject started = QJsonDocument::fromJson(out.left(out.indexOf('\n'))).object();
    QCOMPARE(started.value(QLatin1String("resumed_from")).toString(), file);
    QCOMPARE(started.value(QLatin1String("ranks")).toInt(), 2);
    QVERIFY(QFileInfo::exists(folder() + QStringLiteral("/hint-resumed.binade")));
  }

  void keptGoingARunEndsAsIfUnbroken() {
    const QString whole = test::ranksRun(QStringLiteral("straight"), {{QStringLiteral("steps"), 200}});
    const auto unbroken = lossesOf(launchArguments(whole, 2, {QStringLiteral("--run-file"), none()}));
    const QString run = test::ranksRun(
        QStringLiteral("going"),
        {{QStringLiteral("steps"), 200}, {QStringLiteral("checkpoint"), checkpoints(QStringLiteral("going"), 5)}});
    const QString file = folder() + QStringLiteral("/going.binade");
    Launched launched(launchArguments(run, 2, {QStringLiteral("--keep-going"), QStringLiteral("--run-file"), file}));
    QVERIFY2(launched.waitForStep(20), qPrintable(launched.errors()));
    const qint64 process = launched.rank(1);
    QVERIFY(process > 0);
    ::kill(static_cast<pid_t>(process), SIGKILL);
    QVERIFY(launched.waitForEnd(kLong));
    QVERIFY2(launched.exitCode() == 0, qPrintable(launched.errors()));
    QVERIFY(QFileInfo::exists(folder() + QStringLiteral("/going-restart-1.binade")));
    QVERIFY(launched.losses() == unbroken);
  }

  void anInterruptStopsAllWithACheckpoint() {
    const QString run = test::ranksRun(QStringLiteral("stopped"),
                                       {{QStringLiteral("steps"), 1'000'000},
                                        {QStringLiteral("checkpoint"), checkpoints(QStringLiteral("stopped"), 0)}});
    Launched launched(launchArguments(run, 2, {QStringLiteral("--run-file"), none()}));
    QVERIFY2(launched.waitForStep(2), qPrintable(launched.errors()));
    ::kill(static_cast<pid_t>(launched.pid()), SIGINT);
    QVERIFY(launched.waitForEnd(kEndsWithin));
    QCOMPARE(launched.exitCode(), 130);
    const QDir stopped(folder() + QStringLiteral("/stopped"));
    QCOMPARE(stopped.entryList({QStringLiteral("step-*.safetensors")}).size(), 1);
    QCOMPARE(launched.errors().count(QLatin1String("Stopping after this call")), 1);
  }

  /// A job manager signals every process, and any of them may be first.
  void aSignalToARankStopsAll() {
    const QString run = test::ranksRun(QStringLiteral("signalled"), {{QStringLiteral("steps"), 1'000'000}});
    Launched launched(launchArguments(run, 2, {QStringLiteral("--run-file"), none()}));
    QVERIFY2(launched.waitForStep(2), qPrintable(launched.errors()));
    ::kill(static_cast<pid_t>(launched.rank(1)), SIGTERM);
    QVERIFY(launched.waitForEnd(kEndsWithin));
    QCOMPARE(launched.exitCode(), 130);
  }

  void psAndTopShowTheRank() {
    const QString run = test::ranksRun(QStringLiteral("shown"), {{QStringLiteral("steps"), 1'000'000}});
    Launched launched(launchArguments(run, 2, {QStringLiteral("--run-file"), none()}));
    QVERIFY2(launched.waitForStep(2), qPrintable(launched.errors()));
    const QString process = QStringLiteral("/proc/%1/").arg(launched.rank(1));
    QFile name(process + QStringLiteral("comm"));
    QVERIFY(name.open(QIODevice::ReadOnly));
    QCOMPARE(name.readAll(), QByteArray("binade-engine-1\n"));
    QFile arguments(process + QStringLiteral("cmdline"));
    QVERIFY(arguments.open(QIODevice::ReadOnly));
    QCOMPARE(arguments.readAll().split('\0').mid(0, 2), (QList<QByteArray>{"binade-engine: rank 1", "train"}));
  }

  void aBatchTooSmallForItsRanksIsRefusedOnce() {
    const QString run = test::ranksRun(QStringLiteral("small"), {{QStringLiteral("batch"), 3}});
    Launched launched(launchArguments(run, 4));
    QVERIFY(launched.waitForEnd(kLong));
    QCOMPARE(launched.exitCode(), 1);
    QCOMPARE(launched.errors().count(QLatin1String("less than the number of ranks")), 1);
  }

  void whatARankRefusesIsNotStartedAgain() {
    const QString record = folder() + QStringLiteral("/taken.binade");
    QFile taken(record);
    QVERIFY(taken.open(QIODevice::WriteOnly));
    taken.close();
    const QString run = test::ranksRun(QStringLiteral("taken"));
    Launched launched(launchArguments(run, 2, {QStringLiteral("--run-file"), record, QStringLiteral("--keep-going")}));
    QVERIFY(launched.waitForEnd(kLong));
    QCOMPARE(launched.exitCode(), 2);
    QVERIFY2(!launched.errors().contains(QLatin1String("started again")), qPrintable(launched.errors()));
    QVERIFY2(!launched.errors().contains(QLatin1String("esume")), qPrintable(launched.errors()));
  }

  void aModelThatCannotBeLoadedIsNotStartedAgain() {
    const QString model = folder() + QStringLiteral("/broken.pt");
    QFile broken(model);
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("not a model");
    broken.close();
    const QString run = test::ranksRun(QStringLiteral("broken"), {{QStringLiteral("model"), model}});
    Launched launched(launchArguments(run, 2, {QStringLiteral("--run-file"), none(), QStringLiteral("--keep-going")}));
    QVERIFY(launched.waitForEnd(kLong));
    QCOMPARE(launched.exitCode(), 1);
    const QString said = launched.errors();
    QVERIFY2(said.contains(QLatin1String("broken.pt")), qPrintable(said));
    // Both ranks refuse it for the same reason.
    QCOMPARE(said.count(QLatin1String("binade-engine: ")), 1);
    QVERIFY2(said.startsWith(QLatin1String("binade-engine: Ranks 0 and 1: ")), qPrintable(said));
    QVERIFY2(!said.contains(QLatin1String("started again")) && !said.contains(QLatin1String("esume")),
             qPrintable(said));
  }

  void aTakenPortIsNamed() {
    const test::TakenPort other(test::TakenPort::Listens::kYes);
    const QString run = test::ranksRun(QStringLiteral("port"));
    const QString port = QString::number(other.number());
    Launched launched(launchArguments(run, 2, {QStringLiteral("--port"), port}));
    QVERIFY(launched.waitForEnd(kEndsWithin));
    QVERIFY(launched.exitCode() != 0);
    QVERIFY2(launched.errors().contains(QStringLiteral("Port %1 is in use").arg(port)), qPrintable(launched.errors()));
  }

  /// LibTorch logs a stack trace for each attempt to connect.
  void anErrorOfTheStoreComesAlone() {
    const QString run = test::ranksRun(QStringLiteral("no store"));
    const test::TakenPort silent(test::TakenPort::Listens::kNo);
    const QString port = QString::number(silent.number());
    Launched lonely({QStringLiteral("train"), run, QStringLiteral("--run-file"), none(),
                     QStringLiteral("--rank-timeout"), QStringLiteral("1")},
                    {QStringLiteral("RANK=1"), QStringLiteral("WORLD_SIZE=2"), QStringLiteral("MASTER_ADDR=127.0.0.1"),
                     QStringLiteral("MASTER_PORT=") + port});
    QVERIFY(lonely.waitForEnd(kEndsWithin));
    QCOMPARE(lonely.exitCode(), 1);
    const QString said = lonely.errors();
    QVERIFY2(
        said.startsWith(QStringLiteral("binade-engine: Rank 1: no ranks' store answers at 127.0.0.1:%1").arg(port)),
        qPrintable(said));
    QCOMPARE(said.count(QLatin1Char('\n')), 2);  // and what to do
  }

  void variablesOfTorchrunAreEnough() {
    const QString run = test::ranksRun(QStringLiteral("by hand"));
    const QString port = QString::number(test::freePort());
    const auto variables = [&](int rank) {
      return QStringList{QStringLiteral("RANK=%1").arg(rank), QStringLiteral("WORLD_SIZE=2"),
                         QStringLiteral("LOCAL_RANK=%1").arg(rank), QStringLiteral("MASTER_ADDR=127.0.0.1"),
                         QStringLiteral("MASTER_PORT=") + port};
    };
    const QStringList arguments{QStringLiteral("train"), run, QStringLiteral("--json"), QStringLiteral("--run-file"),
                                none()};
    Launched second(arguments, variables(1));
    Launched first(arguments, variables(0));
    QVERIFY(first.waitForEnd(kLong));
    QVERIFY(second.waitForEnd(kLong));
    QVERIFY2(first.exitCode() == 0 && second.exitCode() == 0, qPrintable(first.errors() + second.errors()));
    QCOMPARE(first.losses().size(), std::size_t{8});
    QVERIFY(second.losses().empty());  // rank 0 reports
    Launched alone(arguments, {QStringLiteral("RANK=0"), QStringLiteral("WORLD_SIZE=1")});
    QVERIFY(alone.waitForEnd(kLong));
    QVERIFY(worstDifference(alone.losses(), first.losses()) < 1e-5);
  }

  /// No launcher says how to go on.
  void withoutALauncherARankNamesTheCheckpoints() {
    const QString run = test::ranksRun(
        QStringLiteral("hand"),
        {{QStringLiteral("steps"), 1'000'000}, {QStringLiteral("checkpoint"), checkpoints(QStringLiteral("hand"), 5)}});
    const QString port = QString::number(test::freePort());
    const QStringList arguments{QStringLiteral("train"),      run,    QStringLiteral("--json"),
                                QStringLiteral("--run-file"), none(), QStringLiteral("--rank-timeout"),
                                QStringLiteral("5")};
    const auto variables = [&](int rank) {
      return QStringList{QStringLiteral("RANK=%1").arg(rank), QStringLiteral("WORLD_SIZE=2"),
                         QStringLiteral("MASTER_ADDR=127.0.0.1"), QStringLiteral("MASTER_PORT=") + port};
    };
    Launched first(arguments, variables(0));
    Launched second(arguments, variables(1));
    QVERIFY2(first.waitForStep(12), qPrintable(first.errors()));
    ::kill(static_cast<pid_t>(second.pid()), SIGKILL);
    QVERIFY(first.waitForEnd(kEndsWithin));
    const QString said = first.errors();
    const QString kept = folder() + QStringLiteral("/hand");
    QVERIFY2(said.contains(QStringLiteral("checkpoint in %1, start all ranks again with --resume %1").arg(kept)),
             qPrintable(said));
  }

  void aConfinedRunHasNoRanks() {
    const QString run = test::ranksRun(QStringLiteral("confined"));
    const auto result = test::engine(
        {QStringLiteral("launch"), run, QStringLiteral("--ranks"), QStringLiteral("2"), QStringLiteral("--confined")});
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains(QStringLiteral("confined process reaches no network")), qPrintable(result.err));
  }
};

namespace {

/// Runs that are killed on a random rank at a random instant end in time, and resume as if unbroken.
void killAndResume(int times) {
  constexpr int kSteps = 60;
  const QString whole = test::ranksRun(QStringLiteral("reference"), {{QStringLiteral("steps"), kSteps}});
  const auto unbroken = lossesOf(launchArguments(whole, 2, {QStringLiteral("--run-file"), none()}));
  QCOMPARE(unbroken.size(), static_cast<std::size_t>(kSteps));
  QRandomGenerator random(1);
  for (int i = 0; i < times; ++i) {
    const QString name = QStringLiteral("kill-%1").arg(i);
    const QString run =
        test::ranksRun(name, {{QStringLiteral("steps"), kSteps}, {QStringLiteral("checkpoint"), checkpoints(name, 7)}});
    const QString file = folder() + QLatin1Char('/') + name + QStringLiteral(".binade");
    const int rank = random.bounded(2);
    bool trained = false;
    {
      Launched launched(launchArguments(run, 2, {QStringLiteral("--run-file"), file}));
      // Some while they start, most while they train.
      if (i % 5 != 0) launched.waitForStep(random.bounded(kSteps));
      QTest::qWait(random.bounded(i % 5 == 0 ? 1500 : 30));
      const qint64 process = launched.rank(rank);
      if (process > 0) ::kill(static_cast<pid_t>(process), SIGKILL);
      QVERIFY2(launched.waitForEnd(kEndsWithin), qPrintable(name));
      for (const auto& [step, loss] : launched.losses()) QCOMPARE(loss, unbroken.at(step));
      trained = !launched.losses().empty();
    }
    if (QFileInfo::exists(file)) {
      const QString page = file + QStringLiteral(".html");
      const auto report = test::engine({QStringLiteral("report"), file, QStringLiteral("--out"), page});
      // Killed in the few milliseconds after the file was made, a run has recorded nothing, and the message says so.
      const bool early = !trained && report.err.contains(QLatin1String("ended before anything was recorded"));
      QVERIFY2(report.code == 0 || early, qPrintable(report.err));
    }
    const QDir kept(folder() + QLatin1Char('/') + name);
    if (kept.entryList({QStringLiteral("step-*.safetensors")}).isEmpty()) continue;
    const auto resumed = lossesOf(
        launchArguments(run, 2, {QStringLiteral("--run-file"), none(), QStringLiteral("--resume"), kept.path()}));
    for (const auto& [step, loss] : resumed) QCOMPARE(loss, unbroken.at(step));
  }
}

}  // namespace

class KilledRanks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void endInTimeAndResume() { killAndResume(4); }
};

class KilledRanksAll : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void endInTimeAndResume() { killAndResume(100); }
};

BINADE_SUITE(LaunchedRanks);
BINADE_SUITE(KilledRanks);
BINADE_SUITE(KilledRanksAll);
#include "tst_launch.moc"
