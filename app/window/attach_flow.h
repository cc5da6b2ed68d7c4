// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QSettings;

namespace binade::app {

class Actions;
class AttachBar;
class BannerQuestions;
class FileSaver;
class MainWindow;
class Session;

/// What the window does about trainings that it is attached to: their dialog, their strip, the question about edits
/// that were made while the connection was cut, and the one before a training is stopped for everybody.
class AttachFlow : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this object, which the window owns.
  AttachFlow(MainWindow* window, Session* session, QSettings* settings, FileSaver* saver);

  AttachBar* bar() const { return bar_; }

 private:
  void choose();
  void stop();
  void askAboutKeptEdits();
  void update();

  MainWindow* window_;
  Session* session_;
  QSettings* settings_;
  FileSaver* saver_;
  AttachBar* bar_;
};

}  // namespace binade::app
