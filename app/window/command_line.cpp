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
const QString kAttach = QStringLiteral("attach");
const QString kSafe = QStringLiteral("safe");

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
                    tr("Open a lesson: its number, 1 to 11, or a Markdown file that contains one. The problems of a "
                       "file are listed with their lines."),
                    tr("LESSON")});
  parser.addOption(
      {kShots,
       tr("Run the demo unattended and save PNG pictures in FOLDER. With a run file (*.binade), save pictures of that "
          "run instead; the same file gives the same pictures. With --attach, save pictures of that training, which "
          "is only watched. No display is needed."),
       tr("FOLDER")});
  parser.addOption(
      {kConnect,
       tr("Use the engine of another computer: HOST[:COMMAND], started over ssh. COMMAND is "
          "\"binade-engine serve\" by default. Names of models and data are names of files on HOST. A text "
          "with a space or a slash before its first colon is a whole command line instead, whose input "
          "and output are the engine's."),
       tr("ENGINE")});
  parser.addOption(
      {kAttach,
       tr("Show a training that was started by \"binade-engine train\" and still runs: its name, its run file or its "
          "process. With --connect, one of that computer. Closing the window does not stop it."),
       tr("TRAINING")});
  parser.addOption({kSafe, tr("Start with the default layout and settings. The stored ones are neither used nor "
                              "changed, for example if the window does not start with them.")});
  parser.addPositionalArgument(
      tr("FILE"),
      tr("A TorchScript model, a policy (*.policy.json), a run description (*.run.json), a run (*.binade) or a "
         "lesson (*.md). A policy beside a model or a run description is the one that its run starts with."),
      tr("[FILE...]"));
}

QStringList withoutQtOptions(const QStringList& arguments) {
  static const QStringList alone{QStringLiteral("reverse"), QStringLiteral("nograb"), QStringLiteral("dograb"),
                                 QStringLiteral("sync"), QStringLiteral("widgetcount")};
  static const QStringList valued{
      QStringLiteral("platform"),
      QStringLiteral("platformpluginpath"),
      QStringLiteral("platformtheme"),
      QStringLiteral("plugin"),
      QStringLiteral("qwindowgeometry"),
      QStringLiteral("qwindowicon"),
      QStringLiteral("qwindowtitle"),
      QStringLiteral("session"),
      QStringLiteral("style"),
      QStringLiteral("stylesheet"),
      QStringLiteral("display"),
      QStringLiteral("geometry"),
      QStringLiteral("name"),
      QStringLiteral("title"),
      QStringLiteral("icon"),
  };
  QStringList kept;
  for (qsizetype i = 0; i < arguments.size(); ++i) {
    QString word = arguments[i];
    if (i > 0 && word == QLatin1String("--")) return kept + arguments.mid(i);
    const bool option = i > 0 && word.size() > 1 && word.front() == u'-';
    while (option && !word.isEmpty() && word.front() == u'-') word.remove(0, 1);
    if (option && alone.contains(word)) continue;
    if (option && valued.contains(word)) {
      ++i;  // its value
      continue;
    }
    if (option && valued.contains(word.section(u'=', 0, 0))) continue;
    kept << arguments[i];
  }
  return kept;
}

CommandLine readCommandLine(const QCommandLineParser& parser) {
  return {parser.positionalArguments(), parser.isSet(kDemo),   parser.value(kLesson), parser.value(kShots),
          parser.value(kConnect),       parser.value(kAttach), parser.isSet(kSafe)};
}

}  // namespace binade::app
