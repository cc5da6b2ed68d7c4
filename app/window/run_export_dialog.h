// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/run_export_job.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace binade::app {

/// Writes a run file for TensorBoard, as CSV tables or as a trace: choice of target and place, then progress and the
/// result. Stays open afterwards.
class RunExportDialog : public QDialog {
  Q_OBJECT

 public:
  /// `run_file`: the recorded run; a growing one is written as far as it goes.
  explicit RunExportDialog(QString run_file, QWidget* parent = nullptr);

  QComboBox* target() const { return target_; }
  QLineEdit* place() const { return place_; }
  QPushButton* exportButton() const { return export_; }
  QProgressBar* progress() const { return progress_; }
  /// The result, a sentence.
  QLabel* result() const { return result_; }
  /// What to do with the result, and what is missing in it.
  QLabel* details() const { return details_; }
  RunExportJob* job() { return &job_; }

 public Q_SLOTS:
  void begin();

 protected:
  void reject() override;

 private:
  interchange::RunTarget chosen() const;
  void layOut();
  void propose();
  void choosePlace();
  void update();
  void showResult(const RunExportResult& result);

  QString run_file_;
  RunExportJob job_;
  QComboBox* target_;
  QLineEdit* place_;
  QPushButton* browse_;
  QProgressBar* progress_;
  QLabel* result_;
  QLabel* details_;
  QPushButton* export_;
  QPushButton* cancel_;
};

}  // namespace binade::app
