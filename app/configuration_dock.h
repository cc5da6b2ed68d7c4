// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/dock.h"

class QLabel;
class QPushButton;

namespace binade::app {

class RunForm;
class Session;

/// The configuration of the run beside its charts: what it runs with, and what it would be started with next. Edits do
/// not touch the training that goes on; starting again brings them into force.
class ConfigurationDock : public Dock {
  Q_OBJECT

 public:
  /// `session` must outlive the dock.
  explicit ConfigurationDock(Session* session, QWidget* parent = nullptr);

  /// Made when the dock is first shown, or here.
  RunForm* form();
  QPushButton* startButton() const { return start_; }

  void setVisible(bool visible) override;

 Q_SIGNALS:
  void formMade(binade::app::RunForm* form);
  void openRequested();
  void saveRequested();
  /// The run is to be started again with what is described.
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
