// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/preferences.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPushButton;
class QSettings;

namespace binade::app {

/// The settings. Theme, numbers and size of text are shown in the whole window at once; *Cancel* restores them.
class SettingsDialog : public QDialog {
  Q_OBJECT

 public:
  /// `settings` must outlive the dialog.
  explicit SettingsDialog(QSettings* settings, QWidget* parent = nullptr);

  QComboBox* theme() const { return theme_; }
  QComboBox* numbers() const { return numbers_; }
  QComboBox* textSize() const { return text_; }
  QLineEdit* engine() const { return engine_; }
  QComboBox* unconfined() const { return unconfined_; }
  QCheckBox* hints() const { return hints_; }
  QPushButton* trustedModels() const { return trusted_; }

  void accept() override;
  void reject() override;

 Q_SIGNALS:
  /// The settings were stored. `engine`: the engine to start, or its confinement, is another than before.
  void stored(bool engine);
  /// The list of trusted models is to be shown.
  void trustedModelsRequested();

 private:
  Preferences chosen() const;
  void showPreferences(const Preferences& shown);

  QSettings* settings_;
  Preferences before_;
  QComboBox* theme_;
  QComboBox* numbers_;
  QComboBox* text_;
  QLineEdit* engine_;
  QComboBox* unconfined_;
  QCheckBox* hints_;
  QPushButton* trusted_;
};

}  // namespace binade::app
