// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/assigned_run.h"
#include "app/session/export_finding.h"
#include "app/session/worker.h"
#include "engine/targets/checked_text.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>

namespace binade::app {

/// What a target writes for a policy.
struct TargetText {
  std::string text;  ///< the whole file
  QString preview;   ///< its beginning, cut at the end of a line where lines have a usual length
  QString cut;       ///< a sentence on what the preview leaves out; empty: nothing
  QList<ExportFinding> findings;
  QString proof;                   ///< a sentence: `Read back: 57 of 57 op calls equal.`
  bool exact = false;              ///< whether the text says all that the policy says
  std::optional<Problem> problem;  ///< set if nothing can be written
};

/// Writes a policy as text for another program and reads it back, on another thread.
class TargetTextJob : public QObject {
  Q_OBJECT

 public:
  explicit TargetTextJob(QObject* parent = nullptr) : QObject(parent) {}

  bool isRunning() const { return running_; }
  /// Starts; finished() follows. Takes the place of an earlier one, for which no finished() follows. `policy` is the
  /// policy's name in messages.
  void start(std::shared_ptr<const AssignedRun> run, const targets::Target& target, const QString& policy);

 Q_SIGNALS:
  void finished(const binade::app::TargetText& text);

 private:
  bool running_ = false;
  Worker worker_;  ///< last: its thread ends first
};

}  // namespace binade::app
