// SPDX-License-Identifier: Apache-2.0
#include "app/window/command_line.h"
#include "app/window/settings_version.h"
#include "tests/app/fake_attach.h"
#include "tests/app/fake_ssh.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QCommandLineParser>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QTest>

namespace {

using namespace binade;

class CommandLineHelp : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void helpListsEveryOptionAndNeedsNoDisplay() {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("DISPLAY"));
    environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade"), {QStringLiteral("--help")});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 0);
    const QString help = QString::fromUtf8(process.readAllStandardOutput());
    for (const char* option :
         {"--demo", "--lesson", "--shots", "--connect", "--safe", "--help", "--version", "FILE", "BINADE_ENGINE"}) {
      QVERIFY2(help.contains(QLatin1String(option)), option);
    }
    QVERIFY2(!help.contains(QLatin1String("--help-all")), qPrintable(help));
    QVERIFY(process.readAllStandardError().isEmpty());
  }

  void versionIsTheProjects() {
    QProcess process;
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade"), {QStringLiteral("--version")});
    QVERIFY(process.waitForFinished());
    const QString text = QString::fromUtf8(process.readAllStandardOutput());
    static const QRegularExpression form(
        QStringLiteral(R"(^binade \d+\.\d+\.\d+ \(commit [\w.-]+\), Qt 6\.\S+, for LibTorch 2\.\d+\.\d+\n$)"));
    QVERIFY2(form.match(text).hasMatch(), qPrintable(text));
  }

  void whatCannotBePrintedIsAFailure() {
    if (!QFile::exists(QStringLiteral("/dev/full"))) QSKIP("no /dev/full here");
    for (const char* option : {"--help", "--version"}) {
      QProcess process;
      process.setStandardOutputFile(QStringLiteral("/dev/full"));
      process.start(QStringLiteral(BINADE_BIN_DIR "/binade"), {QLatin1String(option)});
      QVERIFY(process.waitForFinished());
      QCOMPARE(process.exitCode(), 1);
      QVERIFY(process.readAllStandardError().contains("No space left on device"));
    }
  }

  void anUnknownOptionIsRefused() {
    QProcess process;
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade"), {QStringLiteral("--frobnicate")});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 2);
    const QByteArray told = process.readAllStandardError();
    QVERIFY2(told.contains("binade: ") && told.contains("frobnicate"), told);
    QVERIFY2(told.endsWith("\n  See `binade --help`.\n"), told);
  }

  void whatIsWrongIsSaidWithoutADisplay() {
    QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) bare.remove(QLatin1String(name));
    const auto said = [&bare](const QStringList& arguments, int code) {
      QProcess process;
      process.setProcessEnvironment(bare);
      process.start(QStringLiteral(BINADE_BIN_DIR "/binade"), arguments);
      const bool ended = process.waitForFinished() && process.exitStatus() == QProcess::NormalExit;
      return ended && process.exitCode() == code ? process.readAllStandardError() : QByteArray();
    };
    const QByteArray usage = said({QStringLiteral("--bogus")}, 2);
    QVERIFY2(usage.contains("bogus") && !usage.contains("plugin"), usage);
    const QByteArray missing = said({QStringLiteral("nope.pt")}, 1);
    QVERIFY2(missing.startsWith("binade: File nope.pt does not exist."), missing);
    const QByteArray none = said({}, 1);
    QVERIFY2(none.contains("no display") && !none.contains("plugin"), none);
  }

  void aProblemIsPrintedWhereNobodySeesTheWindow() {
    QProcess process;
    QProcessEnvironment unseen = QProcessEnvironment::systemEnvironment();
    unseen.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    process.setProcessEnvironment(unseen);
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade"),
                  {QStringLiteral("--connect"), QStringLiteral(BINADE_FAKE_ENGINE),
                   test::temporaryFolder() + QStringLiteral("/nope.pt")});
    QByteArray said;
    QVERIFY(QTest::qWaitFor(
        [&] {
          said += process.readAllStandardError();
          return said.contains("nope.pt does not exist.");
        },
        20000));
    process.kill();
    QVERIFY(process.waitForFinished());
  }

  void aSignalEndsItAndItLeavesNoTemporaryFiles() {
    for (const bool safe : {false, true}) {
      const QString folder = test::temporaryFolder();
      QProcessEnvironment unseen = QProcessEnvironment::systemEnvironment();
      unseen.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
      unseen.insert(QStringLiteral("TMPDIR"), folder);
      QProcess process;
      process.setProcessEnvironment(unseen);
      QStringList arguments{QStringLiteral("--connect"), QStringLiteral(BINADE_FAKE_ENGINE),
                            QStringLiteral("no-such-file.pt")};
      if (safe) arguments.append(QStringLiteral("--safe"));
      process.start(QStringLiteral(BINADE_BIN_DIR "/binade"), arguments);
      QByteArray said;
      QVERIFY(QTest::qWaitFor(
          [&] {
            said += process.readAllStandardError();
            return said.contains("no-such-file.pt does not exist.");
          },
          20000));
      process.terminate();
      QVERIFY(process.waitForFinished());
      QCOMPARE(process.exitStatus(), QProcess::NormalExit);
      QCOMPARE(process.exitCode(), 0);
      QCOMPARE(QDir(folder).entryList(QDir::NoDotAndDotDot | QDir::AllEntries), QStringList());
    }
  }

  void aMachineWithoutFontsIsSaid() {
    const QString folder = test::temporaryFolder();
    QFile fonts(folder + QStringLiteral("/fonts.conf"));
    QVERIFY(fonts.open(QIODevice::WriteOnly));
    fonts.write("<?xml version=\"1.0\"?><fontconfig><dir>" + folder.toUtf8() + "</dir></fontconfig>");
    fonts.close();
    QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
    bare.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    bare.insert(QStringLiteral("QT_QPA_FONTDIR"), folder);  // of a platform plugin without fontconfig
    bare.insert(QStringLiteral("FONTCONFIG_FILE"), fonts.fileName());
    QProcess process;
    process.setProcessEnvironment(bare);
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade"),
                  {QStringLiteral("--connect"), QStringLiteral(BINADE_FAKE_ENGINE)});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 1);
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(said.contains("binade: No font is installed") && said.contains("fonts-dejavu-core"), said);
  }

  // The whole program: what a newer version stored is there after this one was used.
  void settingsOfANewerVersionStayAsTheyAre() {
    const QString folder = test::temporaryFolder();
    const QString name = folder + QStringLiteral("/binade/binade.conf");
    {
      QSettings newer(name, QSettings::IniFormat);
      newer.setValue(QStringLiteral("settings/version"), app::kSettingsVersion + 1);
      newer.setValue(QStringLiteral("window/arrangement"), QStringLiteral("from the future"));
    }
    const auto content = [&] {
      QFile file(name);
      return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray before = content();
    QVERIFY(before.contains("from the future"));
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder);
    environment.insert(QStringLiteral("XDG_DATA_HOME"), folder);
    environment.insert(QStringLiteral("BINADE_EXIT_AFTER_PAINT"), QStringLiteral("1"));
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade"),
                  {QStringLiteral("--connect"), QStringLiteral(BINADE_FAKE_ENGINE)});
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 0);
    QCOMPARE(content(), before);
  }

  // The whole program. A usual start would at least add the version of the settings.
  void aSafeStartLeavesTheStoredSettingsAsTheyAre() {
    const QString folder = test::temporaryFolder();
    const QString name = folder + QStringLiteral("/binade/binade.conf");
    QSettings(name, QSettings::IniFormat).setValue(QStringLiteral("window/arrangement"), QStringLiteral("profile"));
    const auto content = [&] {
      QFile file(name);
      return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray before = content();
    QVERIFY(before.contains("profile"));
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder);
    environment.insert(QStringLiteral("XDG_DATA_HOME"), folder);
    environment.insert(QStringLiteral("BINADE_EXIT_AFTER_PAINT"), QStringLiteral("1"));
    const auto start = [&](const QStringList& options) {
      QProcess process;
      process.setProcessEnvironment(environment);
      process.start(QStringLiteral(BINADE_BIN_DIR "/binade"),
                    QStringList{QStringLiteral("--connect"), QStringLiteral(BINADE_FAKE_ENGINE)} + options);
      return process.waitForFinished(60000) && process.exitCode() == 0;
    };
    QVERIFY(start({QStringLiteral("--safe")}));
    QCOMPARE(content(), before);
    QVERIFY(start({}));
    QVERIFY(content() != before);
  }

  void optionsOfQtAreNoneOfOurs() {
    const QStringList given{QStringLiteral("binade"), QStringLiteral("-platform"),     QStringLiteral("offscreen"),
                            QStringLiteral("--demo"), QStringLiteral("-style=fusion"), QStringLiteral("--"),
                            QStringLiteral("-style")};
    QCOMPARE(app::withoutQtOptions(given), (QStringList{QStringLiteral("binade"), QStringLiteral("--demo"),
                                                        QStringLiteral("--"), QStringLiteral("-style")}));
  }

  void shotsLeavesPicturesOfEverythingAndPrintsTheirPaths() {
    const QString folder = test::temporaryFolder() + QStringLiteral("/pictures");
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QLatin1String(test::kFakeTrainingFile), test::temporaryFolder() + QStringLiteral("/training"));
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade"),
                  {QStringLiteral("--connect"), QStringLiteral(BINADE_FAKE_ENGINE), QStringLiteral("--shots"), folder});
    QVERIFY(process.waitForFinished(180000));
    QCOMPARE(process.exitCode(), 0);
    const QStringList printed = QString::fromUtf8(process.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts);
    QVERIFY(printed.size() >= 12);
    for (const QString& file : printed) QVERIFY2(!QImage(file).isNull(), qPrintable(file));
    const QImage light(folder + QStringLiteral("/explore-light.png"));
    const QImage dark(folder + QStringLiteral("/explore-dark.png"));
    for (int lesson = 1; lesson <= 11; ++lesson) {
      const QString name = QStringLiteral("/dock-lesson-%1.png").arg(lesson, 2, 10, QLatin1Char('0'));
      QVERIFY2(printed.contains(folder + name), qPrintable(name));
    }
    for (const char* name : {"/attached.png", "/far-files.png"})
      QVERIFY2(printed.contains(folder + QLatin1String(name)), name);
    QCOMPARE(light.size(), QSize(1600, 1000));
    QVERIFY(light.pixelColor(4, 4).lightness() > 200);
    QVERIFY(dark.pixelColor(4, 4).lightness() < 60);
  }

  void shotsThatCannotBeTakenAreAFailure() {
    QProcess process;
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade"),
                  {QStringLiteral("--connect"), QStringLiteral(BINADE_FAKE_ENGINE " --crash-at 20"),
                   QStringLiteral("--shots"), test::temporaryFolder()});
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 1);
    QVERIFY(process.readAllStandardError().contains("crashed"));
  }

  void shotsOfATrainingWatchIt() {
    const QString folder = test::temporaryFolder() + QStringLiteral("/training");
    const QString log = test::temporaryFolder() + QStringLiteral("/requests.log");
    QProcess process;
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade"),
                  {QStringLiteral("--connect"), QStringLiteral(BINADE_FAKE_ENGINE " --log %1 attach").arg(log),
                   QStringLiteral("--shots"), folder});
    QVERIFY(process.waitForFinished(180000));
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(process.exitCode() == 0, said);
    const QStringList printed = QString::fromUtf8(process.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts);
    for (const char* name : {"/explore-light.png", "/explore-step.png", "/profile-dark.png"}) {
      QVERIFY2(printed.contains(folder + QLatin1String(name)), name);
    }
    for (const QString& file : printed) QVERIFY2(!QImage(file).isNull(), qPrintable(file));
    QFile requests(log);
    QVERIFY(requests.open(QIODevice::ReadOnly));
    const QByteArray asked = requests.readAll();
    QVERIFY2(asked.contains("\"watch\":true") && !asked.contains("run.demo"), asked);
  }

  void whatSshSaysComesWithTheNextStepWithoutAWindow() {
    const test::FakeSsh ssh;
    const auto said = [](const QStringList& arguments, const QByteArray& awaited) {
      QProcess process;
      QProcessEnvironment unseen = QProcessEnvironment::systemEnvironment();
      unseen.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
      process.setProcessEnvironment(unseen);
      process.start(QStringLiteral(BINADE_BIN_DIR "/binade"), arguments);
      QByteArray all;
      static_cast<void>(QTest::qWaitFor(
          [&] {
            all += process.readAllStandardError();
            return all.contains(awaited);
          },
          20000));
      process.kill();  // without --shots the window stays
      process.waitForFinished();
      return all;
    };
    const QString folder = test::temporaryFolder();
    for (const QString& far : {QStringLiteral("nowhere"), QStringLiteral("nowhere:binade-engine attach")}) {
      const QByteArray pictures =
          said({QStringLiteral("--connect"), far, QStringLiteral("--shots"), folder}, "\nCheck");
      QVERIFY2(pictures.contains("Could not resolve hostname nowhere") && pictures.contains("~/.ssh/config"), pictures);
    }
    const QByteArray window = said({QStringLiteral("--connect"), QStringLiteral("changed")}, "ssh-keygen");
    QVERIFY2(window.contains("HAS CHANGED") && window.contains("ssh-keygen -R changed"), window);
  }

  void shotsOpenOneRunFileAndNothingElse() {
    const auto said = [](const QStringList& files, int code) {
      QProcess process;
      process.start(QStringLiteral(BINADE_BIN_DIR "/binade"),
                    QStringList{QStringLiteral("--shots"), test::temporaryFolder()} + files);
      const bool ended = process.waitForFinished() && process.exitStatus() == QProcess::NormalExit;
      return ended && process.exitCode() == code ? process.readAllStandardError() : QByteArray();
    };
    const QByteArray model = said({QStringLiteral("mine.pt")}, 2);
    QVERIFY2(model.contains("mine.pt") && model.contains("--shots"), model);
    const QByteArray two = said({QStringLiteral("one.binade"), QStringLiteral("two.binade")}, 2);
    QVERIFY2(two.contains("one.binade two.binade"), two);
    const QByteArray missing = said({QStringLiteral("missing.binade")}, 1);
    QVERIFY2(missing.contains("missing.binade does not exist"), missing);
  }

  void aLessonNeedsANameAndNoDemoBesideIt() {
    for (const QStringList& arguments :
         {QStringList{QStringLiteral("--lesson=")},
          QStringList{QStringLiteral("--lesson"), QStringLiteral("3"), QStringLiteral("--demo")}}) {
      QProcess process;
      process.start(QStringLiteral(BINADE_BIN_DIR "/binade"), arguments);
      QVERIFY(process.waitForFinished());
      QCOMPARE(process.exitCode(), 2);
      QVERIFY(process.readAllStandardError().contains("--lesson"));
    }
  }

  void optionsAndFilesAreRead() {
    QCommandLineParser parser;
    app::addOptions(parser);
    QVERIFY(parser.parse({QStringLiteral("binade"), QStringLiteral("--demo"), QStringLiteral("--connect"),
                          QStringLiteral("ssh host binade-engine serve"), QStringLiteral("--shots=out"),
                          QStringLiteral("--lesson=5"), QStringLiteral("a.pt"), QStringLiteral("b.binade")}));
    const app::CommandLine line = app::readCommandLine(parser);
    QVERIFY(line.demo && !line.safe);
    QVERIFY(parser.parse({QStringLiteral("binade"), QStringLiteral("--safe"), QStringLiteral("a.pt")}));
    QVERIFY(app::readCommandLine(parser).safe);
    QCOMPARE(line.lesson, QStringLiteral("5"));
    QCOMPARE(line.shots, QStringLiteral("out"));
    QCOMPARE(line.connect, QStringLiteral("ssh host binade-engine serve"));
    QCOMPARE(line.files, (QStringList{QStringLiteral("a.pt"), QStringLiteral("b.binade")}));
  }
};

BINADE_SUITE(CommandLineHelp);

}  // namespace

#include "tst_command_line.moc"
