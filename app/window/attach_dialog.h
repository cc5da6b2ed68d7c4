// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/engine_command.h"
#include "app/session/training_list.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSettings;
class QTreeWidget;

namespace binade::app {

class HostFields;
class Session;
class SshFailure;

/// Chooses a training to attach to: a computer, the trainings that run there, and whether to watch only. The list of
/// this computer is asked for at once. What ssh wrote is shown unchanged, with the next step.
class AttachDialog : public QDialog {
  Q_OBJECT

 public:
  /// Both must outlive the dialog.
  AttachDialog(Session* session, QSettings* settings, QWidget* parent = nullptr);

  /// Empty: this computer.
  QComboBox* host() const;
  QLineEdit* command() const;
  QTreeWidget* trainings() const { return trainings_; }
  QCheckBox* watch() const { return watch_; }
  QPushButton* listButton() const { return list_button_; }
  QPushButton* attachButton() const { return attach_; }
  QString failure() const;
  /// What ssh, or the engine, wrote to standard error.
  QString errorOutput() const;

 Q_SIGNALS:
  /// The user has chosen: an attachCommand(). The dialog closes.
  void chosen(const binade::app::EngineCommand& engine, bool watch);

 private:
  void makeParts();
  void layOut();
  EngineCommand engine() const;
  void ask();
  void fill(const std::vector<RunningTraining>& trainings);
  void fail(const Problem& problem, const QString& said);
  void setAsking(bool asking);
  void choose();

  Session* session_;
  QSettings* settings_;
  TrainingList list_;
  HostFields* fields_;
  QPushButton* list_button_;
  QTreeWidget* trainings_;
  QProgressBar* progress_;
  QLabel* note_;
  SshFailure* failure_;
  QCheckBox* watch_;
  QPushButton* attach_;
};

}  // namespace binade::app
