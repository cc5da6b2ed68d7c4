// SPDX-License-Identifier: Apache-2.0
#include "app/window/command_line.h"

#include "app/model/translate.h"

#include <QCommandLineParser>

namespace binade::app {

namespace {
const QString kDemo = QStringLiteral("demo");
const QString kLesson = QStringLiteral("lesson");
const QString kShots = QStringLiteral("shots");
const QString kConnect = QStringLiteral("connect");

}  // namespace

void addOptions(QCommandLineParser& parser) {
  parser.setApplicationDescription(
      tr("Explore and change the precision of a training run.\nThe environment variable BINADE_ENGINE names the engine "
         "program. The default is binade-engine in the folder of this program, or else the one in PATH."));
  // Qt's own --help comes with --help-all, which would show nothing more.
  parser.addOption({{QStringLiteral("h"), QStringLiteral("help")}, tr("List the options.")});
  parser.addOption({{QStringLiteral("v"), QStringLiteral("version")}, tr("Print the version.")});
  parser.addOption({kDemo, tr("Open the sample network and train it on Fashion-MNIST in float16.")});
  parser.addOption({kLesson,
                    tr("Open a lesson: its number, 1 to 10, or a Markdown file that contains one. The problems of a "
                       "file are listed with their lines."),
                    tr("LESSON")});
  parser.addOption(
      {kShots, tr("Run the demo unattended and save PNG pictures in FOLDER. No display is needed."), tr("FOLDER")});
  parser.addOption({kConnect,
                    tr("Run COMMAND as the engine and connect to its input and output, for example \"ssh host "
                       "binade-engine serve\"."),
                    tr("COMMAND")});
  parser.addPositionalArgument(
      tr("FILE"),
      tr("A TorchScript model, a policy (*.policy.json), a run description (*.run.json), a run (*.binade) or a "
         "lesson (*.md). A policy beside a model or a run description is the one that its run starts with."),
      tr("[FILE...]"));
}

CommandLine readCommandLine(const QCommandLineParser& parser) {
  return {parser.positionalArguments(), parser.isSet(kDemo), parser.value(kLesson), parser.value(kShots),
          parser.value(kConnect)};
}

}  // namespace binade::app
