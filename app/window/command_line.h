// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

class QCommandLineParser;

namespace binade::app {

/// The parsed command line.
struct CommandLine {
  QStringList files;
  bool demo = false;
  QString lesson;   ///< number or file of a lesson; empty: none
  QString shots;    ///< folder for screenshots; empty: none
  QString connect;  ///< command line of the engine; empty: the default
};

/// Adds the program's options, description and arguments to the parser.
void addOptions(QCommandLineParser& parser);

/// Reads the values of a parser that has parsed.
CommandLine readCommandLine(const QCommandLineParser& parser);

}  // namespace binade::app
