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
  QString lesson;     ///< number or file of a lesson; empty: none
  QString shots;      ///< folder for screenshots; empty: none
  QString connect;    ///< engine, as for engineCommand(); empty: the default
  QString attach;     ///< training to attach to; empty: none
  bool safe = false;  ///< the stored layout and settings are neither read nor written
};

/// Adds the program's options, description and arguments to the parser.
void addOptions(QCommandLineParser& parser);

/// Returns the arguments without the options that Qt takes for itself, such as `-platform offscreen`.
QStringList withoutQtOptions(const QStringList& arguments);

/// Reads the values of a parser that has parsed.
CommandLine readCommandLine(const QCommandLineParser& parser);

}  // namespace binade::app
