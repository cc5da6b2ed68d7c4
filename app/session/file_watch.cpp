// SPDX-License-Identifier: Apache-2.0
#include "app/session/file_watch.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

#include <utility>

namespace binade::app {

namespace {

constexpr int kSettleMs = 200;  // editors write in several steps

// Empty if there is no file, or it cannot be read.
QByteArray digestOf(const QString& file) {
  QFile in(file);
  QCryptographicHash hash(QCryptographicHash::Sha256);
  if (!in.open(QIODevice::ReadOnly) || !hash.addData(&in)) return {};
  return hash.result();
}

}  // namespace

FileWatch::FileWatch(QObject* parent) : QObject(parent) {
  settle_.setSingleShot(true);
  settle_.setInterval(kSettleMs);
  connect(&settle_, &QTimer::timeout, this, &FileWatch::check);
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, [this] { settle_.start(); });
  // The folder tells of files that take the place of another one, which most programs save by. It may change all the
  // time, because of other files.
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, [this] {
    if (!settle_.isActive()) settle_.start();
  });
}

void FileWatch::setFile(const QString& file) {
  settle_.stop();
  const QStringList before = watcher_.files() + watcher_.directories();
  if (file != file_ && !before.isEmpty()) watcher_.removePaths(before);
  file_ = file;
  known_ = file.isEmpty() ? QByteArray() : digestOf(file);
  if (!file.isEmpty()) watchAgain();
}

// A file that was replaced or removed is not watched any more.
void FileWatch::watchAgain() {
  const QString folder = QFileInfo(file_).absolutePath();
  if (!watcher_.directories().contains(folder) && QFileInfo::exists(folder)) watcher_.addPath(folder);
  if (!watcher_.files().contains(file_) && QFileInfo::exists(file_)) watcher_.addPath(file_);
}

void FileWatch::check() {
  if (file_.isEmpty()) return;
  watchAgain();
  const QByteArray now = digestOf(file_);
  if (now.isEmpty() && QFileInfo::exists(file_)) return;  // it cannot be read
  if (now == std::exchange(known_, now)) return;
  if (now.isEmpty()) return Q_EMIT removed(file_);
  Q_EMIT changed(file_);
}

}  // namespace binade::app
