// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/arrangement.h"
#include "app/window/picture_folder.h"

#include <QObject>

class QWidget;

namespace binade::app {

class MainWindow;
class Session;

/// Saves pictures of one run: every arrangement in both themes, the first arrangement at the step in the middle of the
/// run, and each dock. A run file also gives the start page, two arrangements in a window of 1280 x 800, and one
/// arrangement with a device pixel ratio of 2. The run is one of a file, which needs no engine and always gives the
/// same pictures, or that of the training to which the session is being attached, once its history is complete. Emits
/// finished() with the exit code: 1 if the file could not be read, the training could not be reached or a picture could
/// not be written.
class RunShots : public QObject {
  Q_OBJECT

 public:
  /// `window` and `session` must outlive the object. `file`: a run file; empty: an attached training.
  RunShots(MainWindow* window, Session* session, const QString& folder, const QString& file);

  void start();

 Q_SIGNALS:
  void finished(int code);

 private:
  void takeStart();
  void awaitTraining();
  void take();
  void takeArrangements();
  void show(Arrangement which);
  void takeStep();
  void takeRanks();
  void takeDocks();
  void takeSmall();
  void saveBoth(const QString& name);
  void save(const QString& name, QWidget* widget, int scale = 1);
  void fail(const QString& why);

  MainWindow* window_;
  Session* session_;
  PictureFolder folder_;
  QString file_;
  bool taking_ = false;
  bool failed_ = false;
};

}  // namespace binade::app
