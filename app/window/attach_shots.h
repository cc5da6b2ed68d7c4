// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/training_list.h"

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

class QSettings;

namespace binade::app {

class FarFileDialog;
class MainWindow;
class Session;

/// Pictures of a window that is attached to a training, and of the dialogs for it and for files of another computer.
/// Starts a training of its own as a person would, attaches to it, lets go and ends it.
class AttachShots : public QObject {
  Q_OBJECT

 public:
  using Save = std::function<void(const QString& name, QWidget* widget)>;

  AttachShots(MainWindow* window, Session* session, Save save);
  ~AttachShots() override;

  void start();

 Q_SIGNALS:
  /// All pictures are taken, or why not; empty: they are.
  void finished(const QString& why);

 private:
  enum class Stage { kTraining, kAttached, kFolder, kDone };
  void advance();
  void take(const std::vector<RunningTraining>& trainings);
  void takeAttached();
  void end(const QString& why);

  MainWindow* window_;
  Session* session_;
  Save save_;
  QTemporaryDir folder_;
  std::unique_ptr<QSettings> settings_;  ///< of the dialogs
  QProcess training_;
  TrainingList list_;
  QTimer timer_;
  QElapsedTimer elapsed_;
  Stage stage_ = Stage::kTraining;
  FarFileDialog* files_ = nullptr;
};

}  // namespace binade::app
