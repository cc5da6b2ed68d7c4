// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/worker.h"
#include "engine/policy/policy.h"
#include "engine/wire/run_config.h"

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

class QLockFile;

namespace binade::app {

class PolicyDocument;
class RunDocument;

/// The edits that a program has not saved. A plain value.
struct UnsavedEdits {
  QDateTime when;  ///< the last time they were written to the recovery folder
  std::optional<policy::Policy> policy;
  QString policy_file;  ///< the file that the policy was opened from or saved to; empty: none
  std::optional<wire::RunConfig> description;
  QString description_file;  ///< as policy_file

  bool isEmpty() const { return !policy && !description; }
};

/// Keeps unsaved edits in a folder, so that a crash of the explorer loses at most a few seconds of them, and finds the
/// edits of programs that have crashed. Each program has a file of its own there and a lock, which ends with the
/// program: a window never takes edits of a window that is still open. Files are written on another thread.
class EditRecovery : public QObject {
  Q_OBJECT

 public:
  static constexpr int kIntervalMs = 3000;

  /// Both documents must outlive the object. The folder is created when there is something to keep. `intervalMs`: the
  /// longest time in which edits are not kept yet.
  EditRecovery(const PolicyDocument* policy, const RunDocument* description, const QString& folder,
               int intervalMs = kIntervalMs, QObject* parent = nullptr);
  /// Removes the own file: a program that ends regularly has asked about unsaved edits.
  ~EditRecovery() override;

  /// The folder for the edits of this user.
  static QString userFolder();

  struct Abandoned {
    QString file;
    UnsavedEdits edits;
  };
  /// Returns the edits of programs that have ended without removing theirs, newest first. Other programs do not find
  /// them until they are discarded here, or this object ends. A file that cannot be read stays where it is.
  std::vector<Abandoned> takeAbandoned();
  /// Removes a file of takeAbandoned().
  void discard(const QString& file);

 Q_SIGNALS:
  /// The unsaved edits were written.
  void kept();
  /// The edits could not be written. Emitted once until it works again.
  void failed(const binade::app::Problem& problem);

 private:
  void keep();
  bool lockOwn();

  const PolicyDocument* policy_;
  const RunDocument* description_;
  QString folder_;
  QString own_;  ///< file of this program
  std::unique_ptr<QLockFile> lock_;
  QTimer timer_;
  bool failing_ = false;
  struct Taken;
  std::vector<Taken> taken_;
  std::unique_ptr<Worker> worker_;  ///< last: its tasks end first
};

}  // namespace binade::app
