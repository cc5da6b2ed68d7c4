// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace binade::test {

/// A Slurm of this user on the loopback: munged, slurmctld, and two slurmds as nodes `127.0.0.[1-2]`, with files, ports
/// and key of their own. The constructor waits until the nodes accept jobs. The destructor cancels all jobs and ends
/// every process of them and of Slurm.
class RealSlurm {
 public:
  RealSlurm();
  ~RealSlurm();
  RealSlurm(const RealSlurm&) = delete;
  RealSlurm& operator=(const RealSlurm&) = delete;

  /// Why there is no Slurm; empty: there is one.
  const QByteArray& why() const { return why_; }
  /// The variables with which its commands, and binade-engine, run.
  const QProcessEnvironment& environment() const { return environment_; }
  /// Runs a command of Slurm to its end, at most half a minute. Returns its output without surrounding space.
  QByteArray output(const QString& program, const QStringList& arguments) const;
  /// The process of a rank; 0: there is none.
  qint64 rank(int rank) const;

  /// Lets `process` end with this program, however it ends.
  static void endWithTest(QProcess& process);

 private:
  bool find();
  void writeConfiguration();
  /// False: it has ended.
  bool start(const QString& program, const QStringList& arguments);
  bool waitForNodes();
  void cancelJobs() const;
  void stop();

  QString folder_;
  QByteArray why_;
  QProcessEnvironment environment_;
  std::vector<std::unique_ptr<QProcess>> daemons_;
  QProcess guard_;
};

}  // namespace binade::test
