// SPDX-License-Identifier: Apache-2.0
#include "app/session/engine_command.h"

#include "app/model/translate.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>

#include <algorithm>

namespace binade::app {

namespace {

constexpr auto kServe = "serve";
constexpr auto kIfPossible = "--confined-if-possible";
const QString kSsh = QStringLiteral("ssh");

bool isSsh(const EngineCommand& engine) {
  return QFileInfo(engine.program).fileName() == kSsh;
}

// Options of ssh that are followed by a value: `-p 2222`.
bool takesValue(const QString& option) {
  return option.size() == 2 && QStringLiteral("BbcDEeFIiJLlmOopQRSWw").contains(option.back());
}

// The part before the first colon of `HOST` or `HOST:COMMAND`; empty if the text is a command line.
QString hostPart(const QString& connect) {
  const QString host = connect.section(u':', 0, 0);
  const bool plain = std::none_of(host.begin(), host.end(), [](QChar c) { return c.isSpace() || c == u'/'; });
  return plain && !host.startsWith(u'-') ? host : QString();
}

}  // namespace

EngineCommand engineCommand(const QString& connect) {
  const QString wanted = connect.trimmed();
  if (const QString host = hostPart(wanted); !host.isEmpty()) return remoteCommand(host, wanted.section(u':', 1));
  QStringList words = QProcess::splitCommand(wanted);
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

QString defaultRemoteCommand() {
  return QStringLiteral("binade-engine serve");
}

EngineCommand remoteCommand(const QString& host, const QString& command) {
  const QString wanted = command.trimmed();
  return {kSsh, {host.trimmed(), wanted.isEmpty() ? defaultRemoteCommand() : wanted}};
}

QString whyNoHost(const QString& host) {
  const QString name = host.trimmed();
  if (name.isEmpty()) return tr("Enter the name of a computer.");
  if (name.front() == u'-') return tr("A host cannot begin with a hyphen: ssh would take it for an option.");
  const bool spaced = std::any_of(name.begin(), name.end(), [](QChar c) { return c.isSpace(); });
  return spaced ? tr("A host has no spaces. Enter the command in its own field.") : QString();
}

QString hostOf(const EngineCommand& engine) {
  if (!isSsh(engine)) return {};
  for (qsizetype i = 0; i < engine.arguments.size(); ++i) {
    const QString& word = engine.arguments[i];
    if (word.isEmpty() || word.front() != u'-') return word;
    if (takesValue(word)) ++i;
  }
  return {};
}

QStringList servingArguments(const EngineCommand& engine) {
  // A command line of the user's own may serve in another way, and has its own options.
  const bool serves = !engine.arguments.isEmpty() && engine.arguments.last().endsWith(QLatin1String(kServe));
  if (!serves || engine.confinement == Confinement::kRequired) return engine.arguments;
  return engine.arguments + QStringList{QLatin1String(kIfPossible)};
}

bool isLocal(const EngineCommand& engine) {
  const bool serves = !engine.arguments.isEmpty() && engine.arguments.last() == QLatin1String(kServe);
  return serves && !isSsh(engine);
}

EngineCommand otherCommand(const EngineCommand& engine, const QStringList& arguments) {
  QStringList before = engine.arguments;
  before.removeLast();  // `serve`
  return {engine.program, before + arguments, engine.confinement};
}

EngineCommand modelCommand(const EngineCommand& engine, const QStringList& arguments) {
  const bool all = engine.confinement == Confinement::kRequired;
  return otherCommand(engine, arguments + QStringList{all ? QStringLiteral("--confined") : QLatin1String(kIfPossible)});
}

}  // namespace binade::app
