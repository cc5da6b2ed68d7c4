// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace binade::app {

/// A program to start and what to hand it.
struct EngineCommand {
  QString program;
  QStringList arguments;

  friend bool operator==(const EngineCommand&, const EngineCommand&) = default;
};

/// How the engine is started: `connect` (a whole command line, as `--connect` takes it) where it is given, else the
/// file that the environment's BINADE_ENGINE names, else `binade-engine` beside this program, else the one on PATH;
/// the last three with the argument `serve`.
EngineCommand engineCommand(const QString& connect);

}  // namespace binade::app
