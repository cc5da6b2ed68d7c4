// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/attach.h"
#include "tests/host/serve/peer.h"

#include <sys/types.h>

#include <QByteArray>
#include <QDir>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace binade::test {

/// The folder for sockets of the trainings of one test. The variables of all processes of the test name it.
class AttachPlace {
 public:
  AttachPlace();

  /// $XDG_RUNTIME_DIR of the processes.
  const QString& runtime() const { return runtime_; }
  void setRuntime(const QString& folder) { runtime_ = folder; }
  /// The folder with the sockets, which the first training makes.
  QString folder() const { return runtime_ + QStringLiteral("/binade"); }
  QStringList files() const { return QDir(folder()).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot); }
  QProcessEnvironment variables() const;
  /// Runs `binade-engine attach` with these arguments to its end.
  QByteArray attach(const QStringList& arguments, int expected = 0) const;

 private:
  QString runtime_;
  QString home_;
};

/// `binade-engine train` as a person starts it. Killed at the end.
class Training {
 public:
  /// `run`: fields of the run description; `options`: further arguments.
  Training(const AttachPlace& place, const QJsonObject& run, const QStringList& options = {});
  ~Training();

  /// Waits until steps were trained and the socket is there.
  bool hasBegun();
  /// Waits for the end by itself; the exit code, or -1.
  int end();
  void kill() {
    process.kill();
    process.waitForFinished();
  }
  qint64 id() const { return process.processId(); }
  const std::string& runFile() const { return run_file_; }
  QByteArray errors();
  /// The file with what it prints: one JSON object a line.
  const QString& output() const { return output_; }

  QProcess process;

 private:
  QString folder_;
  std::string run_file_;
  QString output_;
  QByteArray errors_;
};

/// A program of which standard input and output are the wire: `binade-engine attach`, alone or behind ssh. Its standard
/// error goes to a file. Killed at the end.
class Bridged {
 public:
  Bridged(const AttachPlace& place, const QStringList& command);
  ~Bridged();

  /// Says hello; nullopt where no welcome came.
  std::optional<wire::Welcome> hello(const wire::Hello& hello = {});
  void kill();
  /// The exit code once it has ended by itself, or -1.
  int wait();
  QByteArray errors() const;

  pid_t pid = -1;
  std::unique_ptr<Peer> peer;
  /// The ends of the pipes, for a test that puts something between them and the peer.
  int from = -1, to = -1;

 private:
  QString log_;
};

/// The command line of `binade-engine attach`.
QStringList attachCommand(const QStringList& arguments = {});

/// Numbers of steps that are not one more than the step before.
std::size_t gapsIn(const std::vector<wire::StepRecord>& steps);

/// The newest attach.peers.
wire::Peers peersOf(const Peer& peer);

}  // namespace binade::test
