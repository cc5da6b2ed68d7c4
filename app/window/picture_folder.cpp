// SPDX-License-Identifier: Apache-2.0
#include "app/window/picture_folder.h"

#include "app/model/translate.h"

#include <QApplication>
#include <QDir>
#include <QPixmap>
#include <QWidget>

#include <cstdio>

namespace binade::app {

PictureFolder::PictureFolder(const QString& path) : path_(QDir(path).absolutePath()) {}

void PictureFolder::clearFocus() {
  if (QWidget* focused = QApplication::focusWidget()) focused->clearFocus();
}

QString PictureFolder::create() const {
  return QDir().mkpath(path_) ? QString() : tr("The folder %1 could not be created.").arg(path_);
}

QString PictureFolder::save(const QString& name, const QPixmap& picture) {
  const QString file = filePath(name + QStringLiteral(".png"));
  if (!picture.save(file)) return tr("%1 could not be written.").arg(file);
  ++saved_;
  std::printf("%s\n", qPrintable(file));
  return {};
}

QString PictureFolder::filePath(const QString& name) const {
  return QDir(path_).filePath(name);
}

}  // namespace binade::app
