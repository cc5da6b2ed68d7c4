// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace binade::app {

/// How much of the confinement an engine must have before it opens a model; see docs/security.md.
enum class Confinement {
  kRequired,   ///< all of it; elsewhere the engine does not start
  kIfPossible  ///< what its system has
};

/// A program and its arguments.
struct EngineCommand {
  QString program;
  QStringList arguments;
  Confinement confinement = Confinement::kRequired;

  friend bool operator==(const EngineCommand&, const EngineCommand&) = default;
};

/// Returns how to start the engine: `connect` (as for `--connect`) if given, else the file in the environment variable
/// BINADE_ENGINE, else `binade-engine` next to this program, else the one on PATH; the last three with the argument
/// `serve`.
///
/// `connect` is `HOST`, `HOST:COMMAND`, or a whole command line, which has a space or a slash before its first colon.
EngineCommand engineCommand(const QString& connect);

/// What a host runs if no command is given: `binade-engine serve`.
QString defaultRemoteCommand();
/// `ssh HOST COMMAND`. The host is as for ssh: a name, `user@name`, or a name of its configuration. An empty command:
/// defaultRemoteCommand().
EngineCommand remoteCommand(const QString& host, const QString& command);
/// Returns why ssh cannot be given this host; empty: it can. ssh would take a leading hyphen for an option.
QString whyNoHost(const QString& host);
/// The command that attaches to a training on the computer of this engine, over ssh or here. `run` names it: its name,
/// its run file or its process; empty: the only one. An engine that is such a command already is only told which.
EngineCommand attachCommand(const EngineCommand& engine, const QString& run = {});
/// The command that lists the trainings of that computer which can be attached to, each as a line of JSON.
EngineCommand listTrainingsCommand(const EngineCommand& engine);
/// Whether the command attaches to a training, as far as its words say.
bool attaches(const EngineCommand& engine);
/// The host of an engine that is started over ssh; empty for any other.
QString hostOf(const EngineCommand& engine);

/// The arguments with which the engine is started, with its confinement.
QStringList servingArguments(const EngineCommand& engine);

/// Returns whether the engine, or the training, runs on this machine, so that the engine's other commands can be run
/// beside it.
bool isLocal(const EngineCommand& engine);
/// The command line of another command of a local engine, such as `export`, with these arguments.
EngineCommand otherCommand(const EngineCommand& engine, const QStringList& arguments);
/// As otherCommand(), for a command that opens a model: confined like the engine.
EngineCommand modelCommand(const EngineCommand& engine, const QStringList& arguments);

}  // namespace binade::app
