// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/export_job.h"

#include <QTemporaryDir>
#include <QWidget>

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

/// Page of the export dialog: the policy written into a model that runs without Binade, by the engine's command
/// `export`. Choice of file and weights, then progress, the result, and what is not in the file.
class TorchScriptPage : public QWidget {
  Q_OBJECT

 public:
  /// Saves the model with its trained weights in `file`, then calls `done`. On failure giveUp() is called instead.
  using SaveTrained = std::function<void(const QString& file, std::function<void()> done)>;

  /// `trained`: number of training steps behind the available weights; nullopt: none are available.
  TorchScriptPage(ExportOrder order, std::optional<std::int64_t> trained, EngineCommand engine,
                  SaveTrained save_trained, QWidget* parent = nullptr);

  QComboBox* weights() const { return weights_; }
  QLineEdit* file() const { return file_; }
  QCheckBox* approximate() const { return approximate_; }
  QPushButton* exportButton() const { return export_; }
  QPushButton* cancelButton() const { return cancel_; }
  QProgressBar* progress() const { return progress_; }
  /// The result, or why there can be none: a sentence.
  QLabel* result() const { return result_; }
  ExportJob* job() { return &job_; }

  bool isBusy() const { return saving_ || job_.isRunning(); }
  /// Ends the export that is in progress. Nothing is written.
  void cancel();

 public Q_SLOTS:
  void begin();
  /// The trained model could not be saved, so nothing is exported.
  void giveUp(const binade::app::Problem& problem);

 Q_SIGNALS:
  void exported(const QString& file);
  /// isBusy() may have changed.
  void busyChanged();

 private:
  void layOut();
  void chooseFile();
  void update();
  void setBusy(const QString& what);
  void showResult(const ExportResult& result);

  ExportOrder order_;
  SaveTrained save_trained_;
  QString why_not_;
  QTemporaryDir folder_;  ///< for the trained model, temporarily
  bool saving_ = false;
  ExportJob job_;
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

}  // namespace binade::app
