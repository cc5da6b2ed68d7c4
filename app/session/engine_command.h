// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace binade::app {

/// A program and its arguments.
struct EngineCommand {
  QString program;
  QStringList arguments;

  friend bool operator==(const EngineCommand&, const EngineCommand&) = default;
};

/// Returns how to start the engine: `connect` (a whole command line, as for `--connect`) if given, else the file in the
/// environment variable BINADE_ENGINE, else `binade-engine` next to this program, else the one on PATH; the last three
/// with the argument `serve`.
EngineCommand engineCommand(const QString& connect);

/// Returns whether the engine runs on this machine, so that its other commands can be run beside it.
bool isLocal(const EngineCommand& engine);
/// The command line of another command of a local engine, such as `export`, with these arguments.
EngineCommand otherCommand(const EngineCommand& engine, const QStringList& arguments);

}  // namespace binade::app
