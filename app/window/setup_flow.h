// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/model_info.h"
#include "engine/wire/run_config.h"

#include <QObject>
#include <QString>

class QSettings;
class QStackedWidget;
class QWidget;

namespace binade::app {

class FileOpener;
class FileSaver;
class Session;
class SetupPage;

/// Starts runs: the demo, or a run that the user describes on the set-up page, from a model, a run description or a
/// failed run.
class SetupFlow : public QObject {
  Q_OBJECT

 public:
  /// The page is added to `pages`. All must outlive `window`, the parent of this object and of its dialogs.
  SetupFlow(Session* session, QSettings* settings, FileOpener* opener, FileSaver* saver, QStackedWidget* pages,
            QWidget* window);

  /// The page is made at the first call.
  SetupPage* page();
  /// Whether the set-up page is the current one of the pages.
  bool isCurrent() const;
  /// Whether the run on the page can be started now. False before the page is made.
  bool canStart() const;
  /// Whether the page contains this widget.
  bool contains(const QWidget* widget) const;
  /// Allows another start, after the page's run has started.
  void allowStart();

  /// Fills the page for a model with a proposed run.
  void setUp(const wire::ModelInfo& model, bool failedRun);
  /// Fills the page with a run description. `file`: where it was read; empty: nowhere.
  void setUpDescription(const wire::ModelInfo& model, const wire::RunConfig& config, const QString& file);
  /// Runs the demo. Asks about unsaved edits and an active run.
  void runDemo();

 Q_SIGNALS:
  /// The page was filled, and is to be shown.
  void entered();
  /// The user left the page. The description is that of the current run again, if there is one.
  void left();
  void startableChanged();

 private:
  void start(bool oneStep);
  void leave();

  Session* session_;
  QSettings* settings_;
  FileOpener* opener_;
  FileSaver* saver_;
  QStackedWidget* pages_;
  QWidget* window_;
  SetupPage* page_ = nullptr;  ///< null until `page()` is called
};

}  // namespace binade::app
