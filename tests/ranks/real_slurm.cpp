// SPDX-License-Identifier: Apache-2.0
#include "tests/ranks/real_slurm.h"

#include "tests/host/run_engine.h"
#include "tests/support/places.h"
#include "tests/support/ports.h"
#include "tests/support/suite.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QThread>

#include <algorithm>

namespace binade::test {

using namespace Qt::StringLiterals;

namespace {

constexpr int kStartsWithin = 30'000;  // milliseconds
constexpr int kStopsWithin = 10'000;
constexpr int kPause = 50;

/// %1: folder, %2: user, %3 to %5: ports.
const char kConfiguration[] = R"(ClusterName=binade
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=%3
SlurmUser=%2
SlurmdUser=%2
AuthType=auth/munge
AuthInfo=socket=%1/munge.socket
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=%1/state
SlurmdSpoolDir=%1/spool-%n
SlurmctldPidFile=%1/slurmctld.pid
SlurmdPidFile=%1/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=127.0.0.1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=%4 CPUs=8
NodeName=127.0.0.2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=%5 CPUs=8
PartitionName=all Nodes=ALL Default=YES
)";

/// Waits for the end of its input, also by the death of the test, and ends what then remains of the Slurm with the
/// configuration $1. slurmstepd overwrites its environment, but is the parent of tasks.
const char kGuard[] = R"sh(cat >/dev/null
grep -lsFxz "SLURM_CONF=$1" /proc/[0-9]*/environ | while IFS=/ read -r _ _ process _; do
  parent=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$process/status")
  [ "$(cat "/proc/$parent/comm")" = slurmstepd ] && kill -KILL "$parent"
  kill -KILL "$process"
done 2>/dev/null)sh";

/// Daemons are not on the path of a plain user.
QString daemonOf(const QString& name) {
  const QString found = QStandardPaths::findExecutable(name);
  return found.isEmpty() ? QStandardPaths::findExecutable(name, {u"/usr/sbin"_s, u"/usr/local/sbin"_s}) : found;
}

bool writeOwn(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  return file.open(QIODevice::WriteOnly) && file.setPermissions(QFile::ReadOwner | QFile::WriteOwner) &&
         file.write(bytes) == bytes.size();
}

/// The processes whose environment has all of these variables (`NAME=VALUE`).
QList<qint64> processesWith(const QList<QByteArray>& variables) {
  QList<qint64> found;
  for (const QString& entry : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
    bool isProcess = false;
    const qint64 process = entry.toLongLong(&isProcess);
    QFile file(u"/proc/%1/environ"_s.arg(entry));
    if (!isProcess || !file.open(QIODevice::ReadOnly)) continue;
    const QList<QByteArray> all = file.readAll().split('\0');
    if (std::all_of(variables.begin(), variables.end(), [&](const QByteArray& each) { return all.contains(each); })) {
      found << process;
    }
  }
  return found;
}

template <class Condition>
bool waitFor(int milliseconds, Condition condition) {
  QElapsedTimer timer;
  timer.start();
  while (!condition()) {
    if (timer.elapsed() > milliseconds) return false;
    QThread::msleep(kPause);
  }
  return true;
}

}  // namespace

RealSlurm::RealSlurm() : folder_(temporaryFolder()), environment_(engineEnvironment()) {
  environment_.insert(u"SLURM_CONF"_s, folder_ + u"/slurm.conf"_s);
  environment_.insert(u"PATH"_s, QStringLiteral(BINADE_BIN_DIR) + u':' + environment_.value(u"PATH"_s));
  if (!find()) return;
  writeConfiguration();
  guard_.start(u"/bin/sh"_s, {u"-c"_s, QLatin1String(kGuard), u"sh"_s, folder_ + u"/slurm.conf"_s});
  // --force: the folder is closed to other users, which munged reports as an error.
  const QString own = folder_ + u"/munge."_s;
  const bool started = start(u"munged"_s, {u"--foreground"_s, u"--force"_s, u"--socket"_s, own + u"socket"_s,
                                           u"--key-file"_s, own + u"key"_s, u"--pid-file"_s, own + u"pid"_s,
                                           u"--log-file"_s, own + u"log"_s, u"--seed-file"_s, own + u"seed"_s}) &&
                       waitFor(kStartsWithin, [&] { return QFile::exists(own + u"socket"_s); }) &&
                       start(u"slurmctld"_s, {u"-D"_s, u"-c"_s}) &&
                       start(u"slurmd"_s, {u"-D"_s, u"-N"_s, u"127.0.0.1"_s}) &&
                       start(u"slurmd"_s, {u"-D"_s, u"-N"_s, u"127.0.0.2"_s}) && waitForNodes();
  if (started) return;
  why_ = "Slurm does not start here:";
  for (const auto& daemon : daemons_) {
    const QList<QByteArray> lines = daemon->readAll().trimmed().split('\n');
    why_ += '\n' + lines.mid(std::max<qsizetype>(0, lines.size() - 5)).join('\n');
  }
  stop();
}

RealSlurm::~RealSlurm() {
  if (!daemons_.empty()) cancelJobs();
  stop();
}

bool RealSlurm::find() {
  for (const char* name : {"munged", "slurmctld", "slurmd", "srun"}) {
    if (!daemonOf(QLatin1String(name)).isEmpty()) continue;
    why_ = QByteArray(name) + " is not installed (Debian: slurm-wlm and munge)";
    return false;
  }
  return true;
}

void RealSlurm::writeConfiguration() {
  QByteArray key(128, '\0');
  for (char& byte : key) byte = static_cast<char>(QRandomGenerator::system()->bounded(256));
  QString text = QString::fromLatin1(kConfiguration);
  text.replace(u"%1"_s, folder_).replace(u"%2"_s, QString::number(::getuid()));
  for (const auto& port : {u"%3"_s, u"%4"_s, u"%5"_s}) text.replace(port, QString::number(freePort()));
  const bool written = writeOwn(folder_ + u"/munge.key"_s, key) &&
                       writeOwn(folder_ + u"/slurm.conf"_s, text.toUtf8()) && QDir(folder_).mkpath(u"state"_s);
  if (!written) qWarning("Slurm's configuration could not be written.");
  // `disabled` is new in version 23. Without it, slurmd asks systemd for a cgroup, which a container does not have.
  static const QRegularExpression version(u" (\\d+)\\."_s);
  if (version.match(QString::fromUtf8(output(u"srun"_s, {u"--version"_s}))).captured(1).toInt() >= 23) {
    writeOwn(folder_ + u"/cgroup.conf"_s, "CgroupPlugin=disabled\n");
  }
}

bool RealSlurm::start(const QString& program, const QStringList& arguments) {
  daemons_.push_back(std::make_unique<QProcess>());
  QProcess& process = *daemons_.back();
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.setProcessEnvironment(environment_);
  process.setWorkingDirectory(folder_);
  endWithTest(process);
  process.start(daemonOf(program), arguments);
  return process.waitForStarted();
}

bool RealSlurm::waitForNodes() {
  bool ended = false;
  const bool idle = waitFor(kStartsWithin, [&] {
    for (const auto& daemon : daemons_) ended = ended || daemon->waitForFinished(1);
    return ended || output(u"sinfo"_s, {u"-h"_s, u"-N"_s, u"-o"_s, u"%T"_s}) == "idle\nidle";
  });
  return idle && !ended;
}

QByteArray RealSlurm::output(const QString& program, const QStringList& arguments) const {
  QProcess process;
  process.setProcessEnvironment(environment_);
  process.start(program, arguments);
  process.waitForFinished();
  return process.readAllStandardOutput().trimmed();
}

qint64 RealSlurm::rank(int rank) const {
  const QList<qint64> all = processesWith({"SLURM_CONF=" + environment_.value(u"SLURM_CONF"_s).toUtf8(),
                                           "SLURM_PROCID=" + QByteArray::number(rank), "SLURM_STEP_ID=0"});
  return all.isEmpty() ? 0 : all.front();
}

void RealSlurm::endWithTest(QProcess& process) {
  // Also if the test is killed.
  process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
}

void RealSlurm::cancelJobs() const {
  if (!why_.isEmpty()) return;
  output(u"scancel"_s, {u"--me"_s});
  waitFor(kStopsWithin, [&] { return output(u"squeue"_s, {u"-h"_s}).isEmpty(); });
}

void RealSlurm::stop() {
  // The last one needs the first one to end in order.
  for (auto daemon = daemons_.rbegin(); daemon != daemons_.rend(); ++daemon) {
    (*daemon)->terminate();
    if (!(*daemon)->waitForFinished(kStopsWithin)) {
      (*daemon)->kill();
      (*daemon)->waitForFinished();
    }
  }
  daemons_.clear();
  guard_.closeWriteChannel();
  guard_.waitForFinished();
}

}  // namespace binade::test
