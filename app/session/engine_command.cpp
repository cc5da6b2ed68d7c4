// SPDX-License-Identifier: Apache-2.0
#include "app/session/engine_command.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>

namespace binade::app {

namespace {

constexpr auto kServe = "serve";

}  // namespace

EngineCommand engineCommand(const QString& connect) {
  QStringList words = QProcess::splitCommand(connect);
  if (!words.isEmpty()) {
    const QString program = words.takeFirst();
    return {program, words};
  }
  const QStringList serve{QLatin1String(kServe)};
  const QString named = qEnvironmentVariable("BINADE_ENGINE");
  if (!named.isEmpty()) return {named, serve};
  const QString beside = QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("binade-engine"));
  return {QFileInfo::exists(beside) ? beside : QStringLiteral("binade-engine"), serve};
}

bool isLocal(const EngineCommand& engine) {
  const bool serves = !engine.arguments.isEmpty() && engine.arguments.last() == QLatin1String(kServe);
  return serves && QFileInfo(engine.program).fileName() != QLatin1String("ssh");
}

EngineCommand otherCommand(const EngineCommand& engine, const QStringList& arguments) {
  QStringList before = engine.arguments;
  before.removeLast();  // `serve`
  return {engine.program, before + arguments};
}

}  // namespace binade::app
