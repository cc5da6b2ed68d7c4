// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

namespace binade::app {

/// Observes the file of a document, and reports when another program, or another window, changes or removes it. The
/// window's own saves are not reported. Reports come a moment after the change, when the other program has finished
/// writing.
class FileWatch : public QObject {
  Q_OBJECT

 public:
  explicit FileWatch(QObject* parent = nullptr);

  /// Declares that the window has the content that the file has now. Empty: observes nothing.
  void setFile(const QString& file);
  QString file() const { return file_; }

 Q_SIGNALS:
  /// The content is another one than at setFile(), or at the report before.
  void changed(const QString& file);
  void removed(const QString& file);

 private:
  void check();
  void watchAgain();

  QFileSystemWatcher watcher_;
  QTimer settle_;
  QString file_;
  QByteArray known_;  ///< digest of the content; empty: there is no file
};

}  // namespace binade::app
