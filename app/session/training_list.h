// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/engine_command.h"
#include "engine/wire/attach.h"

#include <QByteArray>
#include <QObject>

#include <optional>
#include <vector>

class QProcess;

namespace binade::app {

/// A training of a computer, as its engine lists it.
struct RunningTraining {
  wire::AttachedRun run;
  QString problem{};  ///< why it cannot be attached to; empty: it can
};

/// Lists the trainings of a computer that can be attached to, by the engine's command for that, here or over ssh. GUI
/// thread; nothing blocks.
class TrainingList : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  ~TrainingList() override;

  bool isRunning() const { return process_ != nullptr; }
  /// Asks the computer of this engine; listed() or failed() follows. A list that is under way is dropped.
  void ask(const EngineCommand& engine);
  /// Ends without a signal.
  void cancel();

 Q_SIGNALS:
  /// The trainings, newest first.
  void listed(const std::vector<binade::app::RunningTraining>& trainings);
  /// There is no list. `said`: what ssh or the engine wrote.
  void failed(const binade::app::Problem& problem, const QString& said);

 private:
  void end(const EngineCommand& engine, bool started, std::optional<int> exitCode);

  QProcess* process_ = nullptr;
};

/// The trainings in the output of the command: one JSON object a line, newest first. Lines that are none are left out.
std::vector<RunningTraining> readTrainings(const QByteArray& output);

}  // namespace binade::app
