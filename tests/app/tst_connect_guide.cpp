// SPDX-License-Identifier: Apache-2.0
// The commands of docs/guide/several-gpus.md that connect the window to another computer and to a training, as
// programs. The other computer is this one, behind a stand-in for ssh.
#include "tests/app/journey.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <csignal>

namespace {

using namespace binade;
using namespace Qt::StringLiterals;

// It keeps what the command over there answers.
const char kSsh[] =
    "#!/bin/sh\n"
    "while [ \"${1#-}\" != \"$1\" ]; do [ \"$1\" = -p ] && shift; shift; done\n"
    "[ \"${1#*@}\" = box ] || exit 255\n"
    "shift\n"
    "sh -c \"$*\" | tee \"$(dirname \"$0\")/answers\"\n";

QByteArray textOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The commands below the section on ranks, one in a line.
QStringList commandsOfThePage() {
  const QString page = QString::fromUtf8(textOf(QStringLiteral(BINADE_SOURCE_DIR "/docs/guide/several-gpus.md")));
  const QString rest = page.section(u"\n## The engine of another computer\n"_s, 1);
  static const QRegularExpression fence(
      u"^```\\n(.*?)^```"_s, QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
  QStringList commands;
  for (const auto& match : fence.globalMatch(rest)) commands += match.captured(1).split(u'\n', Qt::SkipEmptyParts);
  return commands;
}

class ConnectGuide : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (!QFileInfo::exists(test::enginePath())) QSKIP("binade-engine is not built");
    folder_ = test::temporaryFolder();
    QVERIFY(QFile::setPermissions(folder_, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QVERIFY(write(u"ssh"_s, kSsh));
    QVERIFY(QFile::setPermissions(folder_ + u"/ssh"_s, QFile::ReadOwner | QFile::ExeOwner));
    QVERIFY(write(u"run.json"_s,
                  "{\"binade_run\": 1, \"name\": \"guide\", \"model\": \"sample:mlp\", \"batch\": 8,"
                  " \"data\": {\"kind\": \"synthetic\", \"inputs\": [\"float32[8,1,28,28]\"]}, \"steps\": 10000000}"));
    environment_ = QProcessEnvironment::systemEnvironment();
    const QString bin = QFileInfo(test::enginePath()).absolutePath();
    environment_.insert(u"PATH"_s, folder_ + u':' + bin + u':' + environment_.value(u"PATH"_s));
    environment_.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    for (const char* each : {"XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "HOME"})
      environment_.insert(QLatin1String(each), folder_);
    training_.setProcessEnvironment(environment_);
    training_.setStandardOutputFile(folder_ + u"/training.log"_s);
    training_.setStandardErrorFile(folder_ + u"/training.err"_s);
    training_.start(test::enginePath(),
                    {u"train"_s, folder_ + u"/run.json"_s, u"--run-file"_s, folder_ + u"/run.binade"_s});
    QVERIFY(training_.waitForStarted());
    QTRY_COMPARE_WITH_TIMEOUT(connections(), 1, test::kPatience);
  }
  void cleanupTestCase() {
    training_.kill();
    training_.waitForFinished();
  }

  void theTrainingIsListed() {
    QProcess list;
    list.setProcessEnvironment(environment_);
    list.start(u"/bin/sh"_s, {u"-c"_s, u"binade-engine attach --list"_s});
    QVERIFY(list.waitForFinished() && list.exitCode() == 0);
    const QString printed = QString::fromUtf8(list.readAllStandardOutput());
    QVERIFY2(printed.contains(QString::number(training_.processId())), qPrintable(printed));
  }

  void theCommandsOfThePageConnect_data() {
    QTest::addColumn<QString>("command");
    const QStringList commands = commandsOfThePage();
    QCOMPARE(commands.size(), 6);
    for (const QString& each : commands) QTest::newRow(qPrintable(each)) << each;
  }
  void theCommandsOfThePageConnect() {
    QFETCH(const QString, command);
    QFile::remove(folder_ + u"/answers"_s);
    QString line = command;
    line.replace(u"/opt/binade/bin/binade-engine"_s, test::enginePath());
    line.replace(u"4242"_s, QString::number(training_.processId()));
    QProcess window;
    window.setProcessEnvironment(environment_);
    window.setStandardErrorFile(folder_ + u"/window.err"_s);
    window.start(u"/bin/sh"_s, {u"-c"_s, u"exec "_s + line});
    QVERIFY(window.waitForStarted());
    // The training's socket, and one for each of its windows.
    const int wanted = command.contains(u"attach"_s) ? 2 : 1;
    QTRY_COMPARE_WITH_TIMEOUT(connections(), wanted, test::kPatience);
    if (command.contains(u"--connect"_s)) {
      QTRY_VERIFY_WITH_TIMEOUT(!textOf(folder_ + u"/answers"_s).isEmpty(), test::kPatience);
    }
    ::kill(static_cast<pid_t>(window.processId()), SIGTERM);
    QVERIFY(window.waitForFinished());
    const QByteArray errors = textOf(folder_ + u"/window.err"_s);
    QVERIFY2(window.exitStatus() == QProcess::NormalExit && !errors.contains("binade: "), errors);
    QTRY_COMPARE_WITH_TIMEOUT(connections(), 1, test::kPatience);
    QVERIFY(training_.state() == QProcess::Running);
  }

 private:
  bool write(const QString& name, const char* text) const {
    QFile file(folder_ + u'/' + name);
    return file.open(QIODevice::WriteOnly) && file.write(text) > 0;
  }

  // Sockets of the training: the one at which it listens, and its ends of connections.
  int connections() const {
    const QList<QByteArray> lines = textOf(u"/proc/net/unix"_s).split('\n');
    const QByteArray socket = '-' + QByteArray::number(training_.processId()) + ".sock";
    return static_cast<int>(
        std::count_if(lines.begin(), lines.end(), [&](const QByteArray& line) { return line.endsWith(socket); }));
  }

  QString folder_;
  QProcessEnvironment environment_;
  QProcess training_;
};

BINADE_SUITE(ConnectGuide);

}  // namespace

#include "tst_connect_guide.moc"
