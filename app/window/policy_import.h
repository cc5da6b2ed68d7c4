// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/policy_list_job.h"

#include <QObject>

class QWidget;

namespace binade::app {

class Session;

/// Imports a list of another program as the policy of the shown run: one undoable edit.
class PolicyImport : public QObject {
  Q_OBJECT

 public:
  /// `session` must outlive `window`, the parent of this object and of its dialogs.
  PolicyImport(Session* session, QWidget* window);

  /// Reads a file in the format of a target that can be read, for the op calls of the shown run's model. Does nothing
  /// without a run or while a list is being read. imported() or problem() follows.
  void importFile(const QString& file, const targets::Target& target);

 public Q_SLOTS:
  /// Asks for a file and its format.
  void choose();

 Q_SIGNALS:
  /// The list could not be read. The policy is as before.
  void problem(const binade::app::Problem& problem);
  /// The policy was replaced. `hint`: what the list says that a policy cannot hold.
  void imported(const QString& message, const QString& hint);

 private:
  void take(const PolicyList& list);

  Session* session_;
  QWidget* window_;
  PolicyListJob job_;
  std::shared_ptr<const AssignedRun> model_;  ///< that the list is read for
  QString format_;                            ///< title of the target that the file is read as
};

}  // namespace binade::app
