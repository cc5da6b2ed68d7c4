// SPDX-License-Identifier: Apache-2.0
#include "app/session/edit_recovery.h"
#include "app/session/engine_command.h"
#include "app/session/recent_hosts.h"
#include "app/session/session.h"
#include "app/window/arrangement_hint.h"
#include "app/window/banner.h"
#include "app/window/bundled_fonts.h"
#include "app/window/command_line.h"
#include "app/window/first_paint.h"
#include "app/window/libtorch_offer.h"
#include "app/window/main_window.h"
#include "app/window/preferences.h"
#include "app/window/quit_signals.h"
#include "app/window/recovery_offer.h"
#include "app/window/run_shots.h"
#include "app/window/settings_version.h"
#include "app/window/shots.h"
#include "app/window/translations.h"
#include "cmake/build_commit.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QFontInfo>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

namespace {

using namespace binade::app;

void nameProgram() {
  QCoreApplication::setOrganizationName(QStringLiteral("binade"));
  QCoreApplication::setApplicationName(QStringLiteral("binade"));
  QCoreApplication::setApplicationVersion(
      QStringLiteral(BINADE_VERSION " (commit %1)").arg(QLatin1String(binade::build_commit())));
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
int answer(int argc, char** argv, bool version) {
  QCoreApplication app(argc, argv);  // the help names the program
  nameProgram();
  installTranslations(app);
  QCommandLineParser translated;
  addOptions(translated);
  const QString text = version ? QStringLiteral("binade %1, Qt %2, for LibTorch " BINADE_LIBTORCH_VERSION "\n")
                                     .arg(QCoreApplication::applicationVersion(), QLatin1String(qVersion()))
                               : translated.helpText();
  std::fputs(text.toLocal8Bit().constData(), stdout);
  return printed(0);
}

void printProblem(const Problem& problem) {
  std::fprintf(stderr, "binade: %s\n", qPrintable(problem.message));
  if (!problem.hint.isEmpty()) std::fprintf(stderr, "  %s\n", qPrintable(problem.hint));
}

// Whether a window can be shown, to a person or to a test. Qt ends the program if it cannot.
bool hasPlatform(const QStringList& words) {
  const bool named = !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") ||
                     std::any_of(words.begin(), words.end(), [](const QString& word) {
                       QString name = word.section(u'=', 0, 0);
                       if (!name.startsWith(u'-')) return false;
                       name.remove(0, name.startsWith(QLatin1String("--")) ? 2 : 1);  // Qt accepts both
                       return name == QLatin1String("platform") || name == QLatin1String("display");
                     });
  return named || !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

// Reports on the console why no window can be shown. A file that does not exist is reported first: it is the more
// likely mistake.
int withoutWindow(const CommandLine& wanted) {
  const bool local = wanted.connect.isEmpty() || hostOf(engineCommand(wanted.connect)).isEmpty();
  bool missing = false;
  for (const QString& file : wanted.files) {
    if (!local || QFileInfo::exists(file)) continue;
    printProblem({QStringLiteral("File %1 does not exist.").arg(file)});
    missing = true;
  }
  if (!missing) {
    printProblem({QStringLiteral("There is no display to show the window on."),
                  QStringLiteral("Set DISPLAY or WAYLAND_DISPLAY. binade-engine needs no display, nor does --shots.")});
  }
  return 1;
}

// Without a font all texts are empty, those of a message in the window too.
bool hasFont() {
  if (!QFontInfo(QApplication::font()).family().isEmpty()) return true;
  printProblem({QStringLiteral("No font is installed, so the window cannot show any text."),
                QStringLiteral("Install a package of fonts, such as fonts-dejavu-core.")});
  return false;
}

// A platform that no person sees: what the window would show at its top is printed too.
void printProblemsUnseen(Session& session) {
  const QString platform = QGuiApplication::platformName();
  if (platform != QLatin1String("offscreen") && platform != QLatin1String("minimal")) return;
  QObject::connect(&session, &Session::problem, &session, &printProblem);
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

// A host of the command line that answers is listed in the dialog that connects, like one entered there.
void rememberHost(Session& session, const CommandLine& wanted, QSettings& settings) {
  const QString host = session.host();
  if (host.isEmpty() || engineCommand(wanted.connect).arguments.size() != 2) return;
  const QString command = session.engine().command().arguments.back();
  QObject::connect(&session.engine(), &EngineClient::ready, &session, [&session, &settings, host, command] {
    if (session.host() != host) return;  // connected to another one since
    addRecentHost(settings, {host, command == defaultRemoteCommand() ? QString() : command});
  });
}

// Reports that changes of settings are not kept in this start.
void noticeForgotten(const MainWindow& window, const QString& why) {
  window.banner()->showNotice(
      why, MainWindow::tr("They are left as they are. What you change here is forgotten when the window closes."));
}

// Runs the event loop until the pictures are taken. `Pictures`: Shots or RunShots.
template <class Pictures>
int finish(Pictures& pictures) {
  int code = 1;
  QObject::connect(&pictures, &Pictures::finished, &pictures, [&code](int result) {
    code = result;
    QCoreApplication::exit(result);
  });
  QTimer::singleShot(0, &pictures, &Pictures::start);
  QApplication::exec();
  return printed(code);
}

int takeShots(MainWindow& window, Session& session, const CommandLine& wanted, bool attach) {
  if (wanted.files.isEmpty() && !attach) {
    Shots demo(&window, &session, wanted.shots);
    return finish(demo);
  }
  RunShots run(&window, &session, wanted.shots, wanted.files.value(0));
  return finish(run);
}

}  // namespace

int main(int argc, char** argv) {
  // Read before Qt looks for a display: wrong usage and --help need none.
  QStringList words;
  for (int i = 0; i < argc; ++i) words << QString::fromLocal8Bit(argv[i]);
  QCommandLineParser parser;
  addOptions(parser);
  if (!parser.parse(withoutQtOptions(words))) return wrongUsage(parser.errorText());
  if (parser.isSet(QStringLiteral("help")) || parser.isSet(QStringLiteral("version"))) {
    return answer(argc, argv, parser.isSet(QStringLiteral("version")));
  }
  const CommandLine wanted = readCommandLine(parser);
  const bool shots_wanted = parser.isSet(QStringLiteral("shots"));
  const bool other =
      wanted.files.size() > 1 || (wanted.files.size() == 1 && !wanted.files.front().endsWith(QLatin1String(".binade")));
  if (shots_wanted && other) {
    return wrongUsage(QStringLiteral("--shots shows the demo or one run file (*.binade), not: ") +
                      wanted.files.join(u' '));
  }
  const bool attach_wanted = parser.isSet(QStringLiteral("attach"));
  if (attach_wanted && (wanted.demo || !wanted.files.isEmpty() || wanted.attach.isEmpty())) {
    return wrongUsage(QStringLiteral("--attach needs a training, and no file or --demo beside it"));
  }
  if (parser.isSet(QStringLiteral("lesson")) && (shots_wanted || wanted.demo || wanted.lesson.isEmpty())) {
    return wrongUsage(QStringLiteral("--lesson needs a number or a file, and no --demo or --shots beside it"));
  }
  if (shots_wanted && !hasPlatform(words)) qputenv("QT_QPA_PLATFORM", "offscreen");
  if (!hasPlatform(words)) return withoutWindow(wanted);
  if (shots_wanted) withoutPlatformNoise();
  useBundledFonts();
  QApplication app(argc, argv);
  nameProgram();
  if (!hasFont()) return 1;

  // Pictures must not depend on the user's language and settings.
  if (!shots_wanted) installTranslations(app);
  const QuitSignals quit_signals;
  std::optional<QTemporaryDir> own;
  const bool forgets = shots_wanted || wanted.safe;
  if (forgets || areNewer(QSettings())) own.emplace();
  const QString own_settings = own ? own->filePath(QStringLiteral("binade.ini")) : QString();
  const auto settings = forgets ? std::make_unique<QSettings>(own_settings, QSettings::IniFormat)
                                : usableSettings(std::make_unique<QSettings>(), own_settings);
  if (shots_wanted) setHintsWanted(*settings, false);
  Preferences wished = preferences(*settings);
  if (shots_wanted) wished.theme = ThemeChoice::kLight;
  applyLooks(wished);

  if (shots_wanted) wished.unconfined = Unconfined::kStart;  // the models of pictures are Binade's own
  const EngineCommand engine =
      confinedAsWanted(engineCommand(wanted.connect.isEmpty() ? wished.engine : wanted.connect), wished);
  // A window that lets go of a training goes on with the engine of this computer.
  const bool attach = !wanted.attach.isEmpty() || attaches(engine);
  const bool elsewhere = attach && (attaches(engine) || !hostOf(engine).isEmpty());
  Session session(elsewhere ? confinedAsWanted(engineCommand({}), wished) : engine, settings.get());
  if (!shots_wanted) printProblemsUnseen(session);  // pictures report their own failures
  rememberHost(session, wanted, *settings);
  MainWindow window(&session, settings.get());
  // Pictures must neither find nor leave edits.
  std::optional<EditRecovery> recovery;
  std::optional<RecoveryOffer> offer;
  if (!shots_wanted) {
    recovery.emplace(&session.document(), &session.description(), EditRecovery::userFolder());
    offer.emplace(&session, &*recovery, window.questions());
  }
  std::optional<LibTorchOffer> setup;
  if (!shots_wanted) {
    setup.emplace(&session, &window);
    QObject::connect(&*setup, &LibTorchOffer::installed, &session, [&session, demo = wanted.demo] {
      if (demo) session.runDemo();
    });
  }
  window.show();
  // The engine starts after the window is painted.
  afterFirstPaint(&window, [&] {
    if (qEnvironmentVariableIsSet("BINADE_EXIT_AFTER_PAINT")) return QApplication::quit();  // for the benchmark
    if (shots_wanted && !wanted.files.isEmpty()) return;  // a recorded run needs no engine
    attach ? session.attachTo(attachCommand(engine, wanted.attach), /*watch=*/shots_wanted) : session.startEngine();
    if (shots_wanted) return;
    if (wanted.safe) {
      noticeForgotten(window, MainWindow::tr("This is a safe start, without the stored layout and settings."));
    } else if (areNewer(*settings)) {
      noticeForgotten(window,
                      MainWindow::tr("The settings are of a newer version of Binade, so the default layout is used."));
    }
    offer->begin();
    if (wanted.demo) session.runDemo();
    if (!wanted.lesson.isEmpty()) window.openLesson(wanted.lesson);
    window.openFiles(wanted.files);
  });
  if (shots_wanted) return takeShots(window, session, wanted, attach);
  return QApplication::exec();
}
