// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"

class QLabel;
class QPushButton;

namespace binade::app {

class RunForm;
class Session;

/// The run's configuration next to its charts: the current one, and the one for the next start. Edits do not affect the
/// current training; restarting applies them.
class ConfigurationDock : public Dock {
  Q_OBJECT

 public:
  /// `session` must outlive the dock.
  explicit ConfigurationDock(Session* session, QWidget* parent = nullptr);

  RunForm* form() const { return form_; }
  QPushButton* startButton() const { return start_; }

 Q_SIGNALS:
  void openRequested();
  void saveRequested();
  /// The user wants to restart the run with the described configuration.
  void startRequested();

 private:
  void update();

  Session* session_;
  RunForm* form_;
  QLabel* state_;
  QPushButton* start_;
};

}  // namespace binade::app
