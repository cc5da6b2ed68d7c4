// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"

#include <QObject>
#include <QString>

class QSettings;

namespace binade::app {

class ArrangementHint;
class MainWindow;
class Session;

/// The dialogs that belong to no dock: connection, command palette, settings, diagnostics, shortcuts, about, and the
/// hint of each arrangement. Opens them for the window's actions.
class WindowDialogs : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this object, which the window owns. Connects the actions.
  WindowDialogs(MainWindow* window, Session* session, QSettings* settings);

  ArrangementHint* hint() const { return hint_; }
  /// Shows the hint of the shown arrangement, or hides it.
  void updateHint();

 public Q_SLOTS:
  void connectEngine();
  /// Ends another computer's engine and starts the one of this computer.
  void useOwnEngine();
  void showPalette();
  void showSettings();
  void showDiagnostics();
  void showShortcuts();
  void showAbout();
  void askTrust(const QString& file, const binade::app::Problem& problem);
  /// Asks once whether to start an engine that cannot be confined; the settings keep the answer.
  void askUnconfined(const QString& why);

 Q_SIGNALS:
  void notice(const QString& message, const QString& hint);
  void problem(const binade::app::Problem& problem);

 private:
  MainWindow* window_;
  Session* session_;
  QSettings* settings_;
  ArrangementHint* hint_;
};

}  // namespace binade::app
