// SPDX-License-Identifier: Apache-2.0
#include "app/session/engine_command.h"
#include "app/session/session.h"
#include "app/window/command_line.h"
#include "app/window/first_paint.h"
#include "app/window/main_window.h"
#include "app/window/shots.h"
#include "app/window/theme_setting.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

namespace {

using namespace binade::app;

bool given(int argc, char** argv, std::string_view option) {
  return std::any_of(argv + 1, argv + argc, [&](const char* argument) {
    const std::string_view text(argument);
    return text == option || (text.starts_with(option) && text[option.size()] == '=');
  });
}

void nameProgram() {
  QCoreApplication::setOrganizationName(QStringLiteral("binade"));
  QCoreApplication::setApplicationName(QStringLiteral("binade"));
  QCoreApplication::setApplicationVersion(QStringLiteral(BINADE_VERSION));
}

// Returns a failure if standard output could not be written.
int printed(int code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  const char* const why = errno != 0 ? std::strerror(errno) : "a part of the output was rejected";
  std::fprintf(stderr, "binade: Standard output was not written completely: %s\n", why);
  return code == 0 ? 1 : code;
}

// Returns the exit code.
int wrongUsage(const QString& what) {
  std::fprintf(stderr, "binade: %s\n  See `binade --help`.\n", qPrintable(what));
  return 2;
}

// Prints help or version, which need no display.
int answer(const QCommandLineParser& parser) {
  const bool version = parser.isSet(QStringLiteral("version"));
  const QString text = version ? QStringLiteral("binade " BINADE_VERSION "\n") : parser.helpText();
  std::fputs(text.toLocal8Bit().constData(), stdout);
  return printed(0);
}

int answerWithoutWindow(int argc, char** argv) {
  QCoreApplication app(argc, argv);
  nameProgram();
  QCommandLineParser parser;
  addOptions(parser);
  return parser.parse(QCoreApplication::arguments()) ? answer(parser) : wrongUsage(parser.errorText());
}

// Hides two messages of the offscreen platform: it has no window manager, and may lack XDG_RUNTIME_DIR.
void withoutPlatformNoise() {
  static QtMessageHandler others = nullptr;
  others = qInstallMessageHandler([](QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (text.contains(QLatin1String("This plugin does not support")) || text.contains(QLatin1String("XDG_RUNTIME_DIR")))
      return;
    others(type, context, text);
  });
}

int takeShots(MainWindow& window, Session& session, const QString& folder) {
  Shots shots(&window, &session, folder);
  int code = 1;
  QObject::connect(&shots, &Shots::finished, &window, [&code](int result) {
    code = result;
    QCoreApplication::exit(result);
  });
  QTimer::singleShot(0, &shots, &Shots::start);
  QApplication::exec();
  return printed(code);
}

}  // namespace

int main(int argc, char** argv) {
  if (given(argc, argv, "--help") || given(argc, argv, "-h") || given(argc, argv, "--version") ||
      given(argc, argv, "-v")) {
    return answerWithoutWindow(argc, argv);
  }
  const bool shots_wanted = given(argc, argv, "--shots");
  if (shots_wanted && qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") &&
      qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  if (shots_wanted) withoutPlatformNoise();
  QApplication app(argc, argv);
  nameProgram();
  QCommandLineParser parser;
  addOptions(parser);
  if (!parser.parse(QCoreApplication::arguments())) return wrongUsage(parser.errorText());
  if (parser.isSet(QStringLiteral("help")) || parser.isSet(QStringLiteral("version"))) return answer(parser);  // -vh
  const CommandLine wanted = readCommandLine(parser);
  if (shots_wanted && !wanted.files.isEmpty()) {
    return wrongUsage(QStringLiteral("--shots shows the demo and cannot be combined with FILE: ") +
                      wanted.files.front());
  }
  if (parser.isSet(QStringLiteral("lesson")) && (shots_wanted || wanted.demo || wanted.lesson.isEmpty())) {
    return wrongUsage(QStringLiteral("--lesson needs a number or a file, and no --demo or --shots beside it"));
  }

  // Pictures must not depend on the user's settings.
  QTemporaryDir own;
  const auto settings =
      shots_wanted ? std::make_unique<QSettings>(own.filePath(QStringLiteral("binade.ini")), QSettings::IniFormat)
                   : std::make_unique<QSettings>();
  applyThemeChoice(shots_wanted ? ThemeChoice::kLight : themeChoice(*settings));

  Session session(engineCommand(wanted.connect), settings.get());
  MainWindow window(&session, settings.get());
  window.show();
  // The engine starts after the window is painted.
  afterFirstPaint(&window, [&] {
    if (qEnvironmentVariableIsSet("BINADE_EXIT_AFTER_PAINT")) return QApplication::quit();  // for the benchmark
    session.startEngine();
    if (shots_wanted) return;
    if (wanted.demo) session.runDemo();
    if (!wanted.lesson.isEmpty()) window.openLesson(wanted.lesson);
    window.openFiles(wanted.files);
  });
  if (shots_wanted) return takeShots(window, session, wanted.shots);
  return QApplication::exec();
}
