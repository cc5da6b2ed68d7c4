// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/engine_command.h"
#include "app/session/session.h"
#include "app/window/dock_set.h"
#include "app/window/main_window.h"

#include <QJsonObject>
#include <QList>
#include <QSettings>
#include <QString>
#include <QStringList>

#include <memory>

namespace binade::test {

/// The fake engine's command line with these options.
app::EngineCommand fakeEngine(const QStringList& options = {});

/// A session with the fake engine, settings of its own, and, if asked for, a window. The engine logs every request.
class Explorer {
 public:
  explicit Explorer(const QStringList& engineOptions = {});
  ~Explorer();

  /// Shows the window and starts the engine.
  void show();
  /// Runs the demo and waits until `steps` steps have come, then pauses it, so that nothing changes under a test.
  bool playAndPause(int steps);
  /// Shows the window with `steps` steps of the made-up run, paused. No engine is started: nothing waits for one.
  void showFed(int steps);
  /// Requests the engine was sent with this method, oldest first: their params.
  QList<QJsonObject> requests(const QString& method) const;

  /// Leaves a picture of the widget where the environment's BINADE_TEST_PICTURES names a folder: to look at, not a
  /// test.
  static void picture(QWidget* widget, const QString& name);

  QString folder() const { return folder_; }
  QSettings& settings() { return *settings_; }
  app::Session& session() { return *session_; }
  app::MainWindow& window() { return *window_; }

 private:
  QString folder_;
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<app::Session> session_;
  std::unique_ptr<app::MainWindow> window_;
};

/// Feeds `steps` steps of a made-up run into a model, as an engine would.
void feedRun(app::RunModel& run, int steps);

}  // namespace binade::test
