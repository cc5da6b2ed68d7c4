// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/export_job.h"

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

/// What can be exported.
struct ExportChoice {
  ExportOrder order;  ///< with proposed target and file
  QString policy;     ///< name as shown in the window
  std::optional<std::int64_t>
      trained;  ///< number of training steps behind the available weights; nullopt: none available
};

/// Exports the policy as a model that runs without Binade, using the engine's command `export`: choice of target, file
/// and weights, then progress, the result, and what is not in the file. Stays open afterwards.
class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  /// Saves the model with its trained weights in `file`, then calls `done`. On failure giveUp() is called instead.
  using SaveTrained = std::function<void(const QString& file, std::function<void()> done)>;

  ExportDialog(ExportChoice choice, EngineCommand engine, SaveTrained save_trained, QWidget* parent = nullptr);

  QComboBox* target() const { return target_; }
  QComboBox* weights() const { return weights_; }
  QLineEdit* file() const { return file_; }
  QCheckBox* approximate() const { return approximate_; }
  QPushButton* exportButton() const { return export_; }
  QProgressBar* progress() const { return progress_; }
  /// The result, a sentence.
  QLabel* result() const { return result_; }
  ExportJob* job() { return &job_; }

 public Q_SLOTS:
  void begin();
  /// The trained model could not be saved, so nothing is exported.
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
  QTemporaryDir folder_;  ///< for the trained model, temporarily
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

/// `Not exported: …` and similar, one paragraph per finding, the most important first.
QString findingsText(const ExportResult& result);

}  // namespace binade::app
