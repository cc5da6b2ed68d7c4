// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/form/file_question.h"
#include "engine/wire/model_info.h"

#include <QObject>
#include <QStringList>

#include <functional>

class QDropEvent;
class QSettings;
class QWidget;

namespace binade::app {

class FileSaver;
class Session;

/// Opens files of every kind: chosen in a dialog, dropped, recent, or from the command line. Several files are opened
/// one after the other.
class FileOpener : public QObject {
  Q_OBJECT

 public:
  /// `session`, `settings` and `saver` must outlive `window`, the parent of this object and of its dialogs.
  FileOpener(Session* session, QSettings* settings, FileSaver* saver, QWidget* window);

  /// Opens files one after the other, policies last, in place of those that are still being opened.
  void open(const QStringList& files);
  /// A run file dropped with Shift is compared with the run.
  void openDropped(QDropEvent* event);

 public Q_SLOTS:
  void choose();
  /// Lets the user choose the model of a failed run.
  void chooseFailedRun();
  void chooseDescription();
  /// Lets the user choose a run file to compare the run with.
  void chooseSecondRun();
  /// Copies the run file of the shown run, which is on another computer, to this one.
  void saveRunCopy();

 Q_SIGNALS:
  /// The user opens files: a message about files before is out of date.
  void begun();
  /// A model was opened and inspected. `failedRun`: it was chosen as the model of a failed run.
  void modelOpened(const binade::wire::ModelInfo& model, bool failedRun);

 private:
  void openNext();
  bool mayReplaceFor(const QString& file);
  /// Opens a file of the engine's computer, which is another one.
  void openFar(const QString& file, bool failedRun);
  /// Fetches a run file of that computer; `then` is called with the copy.
  void fetchRun(const QString& file, bool read, std::function<void(const QString& copy, bool kept)> then);

  Session* session_;
  QSettings* settings_;
  AskFiles ask_files_;
  FileSaver* saver_;
  QWidget* window_;
  QStringList waiting_;
  bool failed_run_ = false;  ///< the model being inspected belongs to a run that failed
};

}  // namespace binade::app
