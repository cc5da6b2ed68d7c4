// SPDX-License-Identifier: Apache-2.0
#include "app/session/engine_command.h"

#include "app/model/translate.h"
#include "engine/formats/shell_word.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>

#include <algorithm>

namespace binade::app {

namespace {

constexpr auto kServe = "serve";
constexpr auto kAttach = "attach";
constexpr auto kList = "--list";
constexpr auto kJson = "--json";
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

// Quotes a word for the shell of the other computer.
QString quoted(const QString& word) {
  return QString::fromStdString(formats::shell_word(word.toStdString()));
}

// The place of the word after the engine's program: `serve` or `attach`; -1: none.
qsizetype verbOf(const QStringList& words) {
  for (qsizetype i = words.size() - 1; i >= 0; --i) {
    if (words[i] == QLatin1String(kServe) || words[i] == QLatin1String(kAttach)) return i;
  }
  return -1;
}

// The words that ssh passes to the other computer: one argument or several, which it joins by spaces.
QStringList farWords(const EngineCommand& engine) {
  return engine.arguments.isEmpty() ? QStringList() : engine.arguments.last().split(u' ', Qt::SkipEmptyParts);
}

// The command with other words from its verb on.
EngineCommand withVerb(const EngineCommand& engine, const QStringList& words) {
  EngineCommand changed = engine;
  if (!isSsh(engine) || engine.arguments.size() < 2) {
    const qsizetype verb = verbOf(engine.arguments);
    changed.arguments = engine.arguments.mid(0, verb < 0 ? engine.arguments.size() : verb) + words;
    return changed;
  }
  QStringList far;
  for (const QString& word : words) far << quoted(word);
  QStringList before = farWords(engine);
  const qsizetype inside = verbOf(before);
  const qsizetype verb = verbOf(engine.arguments);
  if (verb > 0) {  // `ssh HOST binade-engine attach RUN`, as single words
    changed.arguments = engine.arguments.mid(0, verb) + far;
  } else {
    before = before.mid(0, inside < 0 ? before.size() : inside) + far;
    changed.arguments.last() = before.join(u' ');
  }
  return changed;
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

EngineCommand attachCommand(const EngineCommand& engine, const QString& run) {
  if (run.isEmpty() && attaches(engine)) return engine;
  QStringList words{QLatin1String(kAttach)};
  if (!run.isEmpty()) words << run;
  return withVerb(engine, words);
}

EngineCommand listTrainingsCommand(const EngineCommand& engine) {
  return withVerb(engine, {QLatin1String(kAttach), QLatin1String(kList), QLatin1String(kJson)});
}

bool attaches(const EngineCommand& engine) {
  const auto attach = [](const QStringList& words) {
    const qsizetype verb = verbOf(words);
    return verb >= 0 && words[verb] == QLatin1String(kAttach);
  };
  return attach(engine.arguments) || (isSsh(engine) && attach(farWords(engine)));
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
  return (serves || attaches(engine)) && !isSsh(engine);
}

EngineCommand otherCommand(const EngineCommand& engine, const QStringList& arguments) {
  return {engine.program, withVerb(engine, arguments).arguments, engine.confinement};
}

EngineCommand modelCommand(const EngineCommand& engine, const QStringList& arguments) {
  const bool all = engine.confinement == Confinement::kRequired;
  return otherCommand(engine, arguments + QStringList{all ? QStringLiteral("--confined") : QLatin1String(kIfPossible)});
}

}  // namespace binade::app
