// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

class QCommandLineParser;

namespace binade::app {

/// What the program was asked for.
struct CommandLine {
  QStringList files;
  bool demo = false;
  QString shots;    ///< folder for pictures; empty for none
  QString connect;  ///< command of an engine; empty for the usual one
};

/// Tells the parser the program's options, description and arguments.
void addOptions(QCommandLineParser& parser);

/// What a parser that has parsed holds.
CommandLine readCommandLine(const QCommandLineParser& parser);

}  // namespace binade::app
