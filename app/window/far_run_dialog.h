// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/far_copy.h"

#include <QDialog>
#include <QString>

#include <functional>
#include <memory>

class QLabel;
class QProgressBar;
class QPushButton;
class QTemporaryDir;

namespace binade::app {

class Session;

/// Fetches a run file of the engine's computer: saves a copy on this one, or reads it without keeping one. Shows the
/// progress; *Cancel* ends it. A failure is shown in place, and both ways can be tried again.
class FarRunDialog : public QDialog {
  Q_OBJECT

 public:
  /// `session` must outlive the dialog. `read`: whether reading without a copy is offered.
  FarRunDialog(Session* session, const QString& file, bool read, QWidget* parent = nullptr);
  ~FarRunDialog() override;

  QPushButton* saveButton() const { return save_; }
  QPushButton* readButton() const { return read_; }
  QProgressBar* progress() const { return progress_; }
  /// Why there is no file; empty: no reason.
  QString failure() const;
  /// Copies to this file of this computer, as *Save a copy here…* does once the user has chosen it.
  void saveTo(const QString& file);
  /// The folder of copies that are not kept: until the program ends.
  static QString passingFolder();

 Q_SIGNALS:
  /// The file is on this computer. `kept`: the user chose its place. The dialog closes.
  void fetched(const QString& file, bool kept);

 private:
  void chooseAndSave();
  void readOnly();
  void start(const QString& to, bool kept);
  void showProgress(bool prepared, double share, qint64 size);
  void end(const QString& file, const std::optional<Problem>& problem);

  QString file_;
  QString host_;
  FarCopy copy_;
  bool kept_ = false;
  QLabel* state_;
  QLabel* failure_;
  QProgressBar* progress_;
  QPushButton* save_;
  QPushButton* read_;
};

}  // namespace binade::app
