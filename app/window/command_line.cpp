// SPDX-License-Identifier: Apache-2.0
#include "app/window/command_line.h"

#include "app/model/translate.h"

#include <QCommandLineParser>

namespace binade::app {

namespace {
const QString kDemo = QStringLiteral("demo");
const QString kShots = QStringLiteral("shots");
const QString kConnect = QStringLiteral("connect");

}  // namespace

void addOptions(QCommandLineParser& parser) {
  parser.setApplicationDescription(
      tr("Explore and change the precision of a training run.\n"
         "The engine is the program that the environment variable BINADE_ENGINE names, else binade-engine beside this "
         "one."));
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addOption({kDemo, tr("Open the sample network and train it on Fashion-MNIST in float16.")});
  parser.addOption({kShots, tr("Drive the demo without a person and leave PNG pictures in DIR."), tr("DIR")});
  parser.addOption({kConnect,
                    tr("Use this command's input and output as the engine, e.g. \"ssh host binade-engine serve\"."),
                    tr("COMMAND")});
  parser.addPositionalArgument(
      tr("FILE"),
      tr("A TorchScript model, a policy (*.policy.json), a run description (*.run.json) or a run (*.binade)."),
      tr("[FILE...]"));
}

CommandLine readCommandLine(const QCommandLineParser& parser) {
  return {parser.positionalArguments(), parser.isSet(kDemo), parser.value(kShots), parser.value(kConnect)};
}

}  // namespace binade::app
