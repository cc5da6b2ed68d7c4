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

  /// The form is made when the dock is first shown, or at the first call.
  RunForm* form();
  QPushButton* startButton() const { return start_; }

  void setVisible(bool visible) override;

 Q_SIGNALS:
  /// The form has just been made, and has no model yet.
  void formMade(binade::app::RunForm* form);
  void openRequested();
  void saveRequested();
  /// The user wants to restart the run with the described configuration.
  void startRequested();

 private:
  void update();

  Session* session_;
  QWidget* form_page_;
  RunForm* form_ = nullptr;
  QLabel* state_;
  QPushButton* start_;
};

}  // namespace binade::app
