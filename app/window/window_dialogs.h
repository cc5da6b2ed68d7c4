// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"

#include <QObject>
#include <QString>

class QSettings;

namespace binade::app {

class MainWindow;
class Session;

/// The dialogs that belong to no dock: connection, command palette, settings, diagnostics, shortcuts, about. Opens
/// them for the window's actions.
class WindowDialogs : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this object, which the window owns. Connects the actions.
  WindowDialogs(MainWindow* window, Session* session, QSettings* settings);

 public Q_SLOTS:
  void connectEngine();
  void showPalette();
  void showShortcuts();
  void showAbout();

 Q_SIGNALS:
  void notice(const QString& message, const QString& hint);
  void problem(const binade::app::Problem& problem);

 private:
  MainWindow* window_;
  Session* session_;
  QSettings* settings_;
};

}  // namespace binade::app
