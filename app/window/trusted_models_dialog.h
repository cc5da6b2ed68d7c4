// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "engine/wire/messages.h"

#include <QDialog>

#include <variant>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace binade::app {

class EngineClient;

/// Lists the models that the engine's user trusts, and ends the trust in the selected ones at once. The list is kept
/// where the engine runs.
class TrustedModelsDialog : public QDialog {
  Q_OBJECT

 public:
  /// `engine` must outlive the dialog.
  explicit TrustedModelsDialog(EngineClient* engine, QWidget* parent = nullptr);

  /// A row for each model: path, SHA-256.
  QTreeWidget* models() const { return models_; }
  QPushButton* endButton() const { return end_; }
  /// What the list is, that it is empty, or why it could not be read.
  QLabel* text() const { return text_; }

 private:
  void showAnswer(const std::variant<wire::TrustedModels, Problem>& answer);
  void endSelected();

  EngineClient* engine_;
  QLabel* text_;
  QTreeWidget* models_;
  QPushButton* end_;
};

}  // namespace binade::app
