// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/assigned_run.h"
#include "app/session/export_finding.h"
#include "app/session/worker.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>

namespace binade::app {

/// A policy read from a list of another program.
struct PolicyList {
  QString file;
  std::optional<policy::Policy> policy;
  QList<ExportFinding> findings;  ///< what was in the list and has no counterpart in a policy
  bool sets_scaler = false;       ///< the list also sets the loss scaler, which belongs to a run
  Problem problem;                ///< set if there is no policy
};

/// Reads a list of another program as a policy for the op calls of a model, on another thread. One at a time.
class PolicyListJob : public QObject {
  Q_OBJECT

 public:
  explicit PolicyListJob(QObject* parent = nullptr) : QObject(parent) {}

  bool isRunning() const { return running_; }
  /// Starts; finished() follows. Does nothing if one is running. `target` must have `read`.
  void start(const QString& file, const targets::Target& target, std::shared_ptr<const AssignedRun> model);

 Q_SIGNALS:
  void finished(const binade::app::PolicyList& list);

 private:
  bool running_ = false;
  Worker worker_;  ///< last: its thread ends first
};

}  // namespace binade::app
