// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/export_job.h"

#include <QDialog>

#include <cstdint>
#include <functional>
#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace binade::app {

/// What there is to export.
struct ExportChoice {
  ExportOrder order;  ///< target and file as they are proposed
  QString policy;     ///< its name, as the window shows it
  std::optional<std::int64_t>
      trained;  ///< steps that the weights at hand have behind them; nothing where there are none
};

/// Writes the policy into a model that runs without Binade, by the engine's command `export`: target, file, whose
/// weights; then how it goes, what came of it, and what is not in the file. It stays open, so that it can be read.
class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  /// Saves the model with its trained weights under a name, and calls back: with the problem, if there is one.
  using SaveTrained = std::function<void(const QString& file, std::function<void()> done)>;

  ExportDialog(ExportChoice choice, EngineCommand engine, SaveTrained save_trained, QWidget* parent = nullptr);

  QComboBox* target() const { return target_; }
  QComboBox* weights() const { return weights_; }
  QLineEdit* file() const { return file_; }
  QCheckBox* approximate() const { return approximate_; }
  QPushButton* exportButton() const { return export_; }
  QPushButton* cancelButton() const { return cancel_; }
  QProgressBar* progress() const { return progress_; }
  /// What came of it, a sentence.
  QLabel* result() const { return result_; }
  /// What is not in the file, and what it does otherwise.
  QLabel* details() const { return details_; }
  ExportJob* job() { return &job_; }

 public Q_SLOTS:
  void begin();
  /// The trained model could not be saved: nothing is exported.
  void giveUp(const binade::app::Problem& problem);

 Q_SIGNALS:
  void exported(const QString& file);

 protected:
  void reject() override;

 private:
  void layOut();
  void chooseFile();
  void update();
  void setBusy(const QString& what);
  void showResult(const ExportResult& result);

  ExportChoice choice_;
  SaveTrained save_trained_;
  QString why_not_;
  QTemporaryDir folder_;  ///< for the trained model, on its way
  bool saving_ = false;
  ExportJob job_;
  QComboBox* target_;
  QComboBox* weights_;
  QLineEdit* file_;
  QPushButton* browse_;
  QCheckBox* approximate_;
  QProgressBar* progress_;
  QLabel* doing_;
  QLabel* result_;
  QLabel* details_;
  QPushButton* export_;
  QPushButton* cancel_;
};

/// `Not in the file: …` and the like, one paragraph for each finding, in the order of what matters most.
QString findingsText(const ExportResult& result);

}  // namespace binade::app
