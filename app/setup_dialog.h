// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/problem.h"
#include "engine/wire/model_info.h"
#include "engine/wire/run_config.h"

#include <QDialog>
#include <QStringList>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QCheckBox;

namespace binade::app {

/// Asks what a model is trained on and how, and proposes something that runs. Stays open, with everything typed, until
/// the engine has taken the run.
class SetupDialog : public QDialog {
  Q_OBJECT

 public:
  /// `opened` is the policy in the window, offered beside the base lists where it says something; `capabilities` are
  /// the engine's.
  SetupDialog(const wire::ModelInfo& model, const policy::Policy& opened, const policy::Capabilities& capabilities,
              QWidget* parent = nullptr);

  /// What the fields say now.
  wire::RunConfig config() const;
  /// The engine would not have it: shown above the buttons, which work again.
  void showProblem(const Problem& problem);
  /// Nothing was started: the buttons work again.
  void allowStart();

 Q_SIGNALS:
  void startRequested(const binade::wire::RunConfig& config);

 private:
  QWidget* makeSummary() const;
  void addDataRows(QFormLayout* form);
  void addTrainingRows(QFormLayout* form);
  void addPolicyRows(QFormLayout* form);
  void showKind();
  void showFindings();
  void makeRoom();
  policy::Policy chosenPolicy() const;
  void start();

  wire::ModelInfo model_;
  policy::Policy opened_;
  policy::Capabilities capabilities_;
  QFormLayout* form_ = nullptr;
  QComboBox* data_ = nullptr;
  QWidget* folder_row_ = nullptr;
  QLineEdit* folder_ = nullptr;
  QPlainTextEdit* inputs_ = nullptr;
  QSpinBox* classes_ = nullptr;
  QComboBox* loss_ = nullptr;
  QLineEdit* output_ = nullptr;
  QComboBox* optimizer_ = nullptr;
  QDoubleSpinBox* rate_ = nullptr;
  QDoubleSpinBox* momentum_ = nullptr;
  QSpinBox* batch_ = nullptr;
  QSpinBox* steps_ = nullptr;
  QCheckBox* scaler_ = nullptr;
  QLineEdit* scale_ = nullptr;
  QSpinBox* growth_ = nullptr;
  QComboBox* policy_ = nullptr;
  QComboBox* low_ = nullptr;
  QLabel* findings_ = nullptr;
  QLabel* problem_ = nullptr;
  QPushButton* start_ = nullptr;
};

}  // namespace binade::app
