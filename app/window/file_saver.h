// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "engine/policy/policy.h"

#include <QObject>

class QSettings;
class QWidget;

namespace binade::app {

class BundleJob;
class ReportJob;
class Session;

/// Saves and exports what the session holds: policy, run description, trained model. Asks for the file, and adds it to
/// the recent files.
class FileSaver : public QObject {
  Q_OBJECT

 public:
  /// `session` and `settings` must outlive `window`, the parent of this object and of its dialogs.
  FileSaver(Session* session, QSettings* settings, QWidget* window);

  /// Saves the policy. Asks for a file if it has none, or if `choose` is set. Returns whether it was saved.
  bool savePolicy(bool choose);
  /// Saves the run description. Asks for a file if it has none, or if `choose` is set. Returns whether it was saved.
  bool saveDescription(bool choose);
  /// Each asks once about what has unsaved edits and is about to be replaced: save, do not save, or cancel. Returns
  /// false if the user cancels, or if saving fails.
  bool mayLeavePolicy() { return mayLeave(true, false); }
  bool mayLeaveDescription() { return mayLeave(false, true); }
  bool mayLeave() { return mayLeave(true, true); }

 public Q_SLOTS:
  /// As saveDescription(true).
  void chooseDescriptionFile();
  void saveModel();
  void exportPolicy();
  /// Asks for a file, and writes a policy to it that is not the window's, with its own provenance. `name`: a proposal.
  void savePolicyCopy(const binade::policy::Policy& policy, const QString& name);
  /// As exportPolicy(), for a policy that is not the window's.
  void exportPolicyCopy(const binade::policy::Policy& policy, const QString& name);
  /// Asks how to write the run file of the shown run for another tool. Does nothing if the run has no file.
  void exportRun();
  /// Asks for a folder, and writes the selected event to it in the background. Does nothing without an event or a file.
  void saveBundle();
  /// Writes a report of the run file in the background. Does nothing if the run has no file.
  void exportReport();

 Q_SIGNALS:
  /// A file could not be written.
  void problem(const binade::app::Problem& problem);
  /// What is being written; empty: nothing any more.
  void busy(const QString& what);
  /// A file was written that took longer than a moment.
  void written(const QString& message, const QString& hint);

 private:
  bool mayLeave(bool policy, bool description);
  void startReport(const QString& file);
  void openExport(const policy::Policy& policy, const QString& title, int changes);

  Session* session_;
  QSettings* settings_;
  QWidget* window_;
  ReportJob* report_;
  BundleJob* bundle_;
  bool asking_ = false;  ///< about unsaved edits
};

}  // namespace binade::app
