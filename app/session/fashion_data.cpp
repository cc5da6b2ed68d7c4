// SPDX-License-Identifier: Apache-2.0
#include "app/session/fashion_data.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace binade::app {

std::string fashionFolder() {
  const QString system = QStringLiteral("/usr/share/datasets/fashion-mnist");
  const QString bundled =
      QCoreApplication::applicationDirPath() + QStringLiteral("/../share/binade/datasets/fashion-mnist");
  for (const QString& folder : {system, bundled}) {
    if (QFileInfo(folder).isDir()) return QDir::cleanPath(folder).toStdString();
  }
  return {};
}

}  // namespace binade::app
