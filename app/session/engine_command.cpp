// SPDX-License-Identifier: Apache-2.0
#include "app/session/engine_command.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>

namespace binade::app {

EngineCommand engineCommand(const QString& connect) {
  QStringList words = QProcess::splitCommand(connect);
  if (!words.isEmpty()) {
    const QString program = words.takeFirst();
    return {program, words};
  }
  const QStringList serve{QStringLiteral("serve")};
  const QString named = qEnvironmentVariable("BINADE_ENGINE");
  if (!named.isEmpty()) return {named, serve};
  const QString beside = QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("binade-engine"));
  return {QFileInfo::exists(beside) ? beside : QStringLiteral("binade-engine"), serve};
}

}  // namespace binade::app
