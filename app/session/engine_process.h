// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/engine_command.h"
#include "engine/policy/policy.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <utility>
#include <variant>

class QProcess;
class QTemporaryDir;

namespace binade::app {

/// A command of the engine beside the one that serves the window: its process, the policies that it reads, the lines
/// that it prints, and its end. One at a time. GUI thread.
class EngineProcess : public QObject {
  Q_OBJECT

 public:
  explicit EngineProcess(EngineCommand engine, QObject* parent = nullptr);
  /// As abandon(0).
  ~EngineProcess() override;

  bool isRunning() const { return process_ != nullptr; }
  /// The engine whose commands are started from now on.
  void setEngine(EngineCommand engine) { engine_ = std::move(engine); }
  /// Writes a policy for the command. The file is kept as long as this object, until one of the same name is written.
  std::variant<QString, Problem> policyFile(const QString& name, const policy::Policy& policy);
  /// Starts the command with these arguments; ended() follows. Not while one is running.
  void start(const QStringList& arguments);
  /// As start(), for a command that opens a model: confined like the engine.
  void startOnModel(const QStringList& arguments);
  /// Asks the process to end. If it has not after `patience` milliseconds, it is killed; 0: it has any time.
  void terminate(int patience = 0);
  /// Ends the process at once; ended() follows.
  void kill();
  /// Ends the process without a further signal. It has `patience` milliseconds to do so by itself; 0: none.
  void abandon(int patience);

 Q_SIGNALS:
  /// A line of standard output, with its end. Receivers may end the process.
  void line(const QByteArray& text);
  /// It has ended, and all its lines were reported. `well`: with exit code 0. `said`: what it wrote to standard error,
  /// or why it did not start.
  void ended(bool well, const QString& said);

 private:
  void startCommand(const EngineCommand& command);
  void readLines();
  void end(bool well, const QString& said);

  EngineCommand engine_;
  std::unique_ptr<QTemporaryDir> folder_;  ///< of the policies; null: none was written
  QProcess* process_ = nullptr;
};

}  // namespace binade::app
