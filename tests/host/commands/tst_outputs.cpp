// SPDX-License-Identifier: Apache-2.0
// What does not arrive: standard output, the record of a run, and where it is.
#include "tests/host/run_engine.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>

#include <algorithm>

using namespace binade;
using test::engineEnvironment;
using test::EngineResult;
using test::runFile;

namespace {

/// The program with its standard output at `to`, under what `shell` sets before it starts.
EngineResult engineInto(const QString& to, const QStringList& arguments, const QString& shell = {},
                        const QProcessEnvironment& variables = engineEnvironment()) {
  QStringList words;
  for (const QString& each : arguments) words << u'\'' + each + u'\'';
  QProcess process;
  process.setProcessEnvironment(variables);
  process.start(QStringLiteral("bash"),
                {QStringLiteral("-c"), shell + QStringLiteral("exec " BINADE_BIN_DIR "/binade-engine ") +
                                           words.join(u' ') + (to.isEmpty() ? QString() : QStringLiteral(" > ") + to)});
  process.waitForFinished(60000);
  return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
          QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

const QString kNone = QStringLiteral("none");

}  // namespace

class TestOutputs : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void outputThatDoesNotArriveIsAFailure_data() {
    QTest::addColumn<QStringList>("arguments");
    const auto row = [](const char* line) {
      QTest::newRow(line) << QString::fromLatin1(line).split(u' ', Qt::SkipEmptyParts);
    };
    row("--help");
    row("--version");
    row("inspect sample:mlp --json");
    row("sample");
    row("policy show cuda-amp");
    row("data RUN");
    row("train RUN --run-file none --json");
  }
  void outputThatDoesNotArriveIsAFailure() {
    if (!QFile::exists(QStringLiteral("/dev/full"))) QSKIP("no /dev/full here");
    QFETCH(QStringList, arguments);
    arguments.replaceInStrings(QStringLiteral("RUN"), runFile());
    const EngineResult full = engineInto(QStringLiteral("/dev/full"), arguments);
    QVERIFY2(full.code == 1, qPrintable(QString::number(full.code) + u' ' + full.err));
    QVERIFY2(full.err.contains(QStringLiteral("Standard output was not written completely: No space left on device")),
             qPrintable(full.err));
  }

  void aRefusalKeepsItsOwnCode() {
    if (!QFile::exists(QStringLiteral("/dev/full"))) QSKIP("no /dev/full here");
    const EngineResult full =
        engineInto(QStringLiteral("/dev/full"),
                   {QStringLiteral("inspect"), test::modelFile("set_state.pt"), QStringLiteral("--json")});
    QCOMPARE(full.code, 3);
  }

  void aRecordThatStopsIsAFailure_data() {
    QTest::addColumn<bool>("json");
    QTest::newRow("sentences") << false;
    QTest::newRow("JSON") << true;
  }
  void aRecordThatStopsIsAFailure() {
    constexpr int kSteps = 1000;
    QFETCH(const bool, json);
    const QString record = test::temporaryFolder() + QStringLiteral("/run.binade");
    // A small model, whose steps are quick.
    const QJsonObject rows{{QStringLiteral("inputs"), QJsonArray{QStringLiteral("float32[8,8]")}},
                           {QStringLiteral("classes"), 4}};
    const QString run = runFile({{QStringLiteral("model"), QStringLiteral(BINADE_TEST_DATA "/journeys/rows.pt")},
                                 {QStringLiteral("data"), rows},
                                 {QStringLiteral("steps"), kSteps}});
    QStringList arguments{QStringLiteral("train"), run, QStringLiteral("--run-file"), record};
    if (json) arguments << QStringLiteral("--json");
    // No file may grow beyond 200 kB, as on a full disk: the tables fit, the steps do not.
    const EngineResult result = engineInto(QString(), arguments, QStringLiteral("trap '' XFSZ; ulimit -f 200; "));
    QCOMPARE(result.code, 1);
    QVERIFY2(result.err.contains(QStringLiteral("Recording has stopped. Training continues.")), qPrintable(result.err));
    QVERIFY2(result.err.contains(QStringLiteral("its recording is incomplete: ") + record), qPrintable(result.err));
    if (!json) return;
    const auto lines = result.lines();
    const auto named = [&](const char* event) {
      return std::count_if(lines.begin(), lines.end(), [&](const QJsonObject& line) {
        return line[QLatin1String("event")].toString() == QLatin1String(event);
      });
    };
    QCOMPARE(named("step"), kSteps);  // the training went on
    QCOMPARE(named("recording_stopped"), 1);
    QCOMPARE(named("finished"), 1);
    QCOMPARE(lines.back()[QLatin1String("event")].toString(), QStringLiteral("error"));
    QVERIFY(lines.back()[QLatin1String("message")].toString().contains(record));
  }

  void aRunWithoutAHomeSaysWhereItIsRecorded() {
    QProcessEnvironment variables = engineEnvironment();
    variables.remove(QStringLiteral("XDG_DATA_HOME"));
    variables.remove(QStringLiteral("HOME"));
    const QString folder = test::temporaryFolder();
    const EngineResult result = engineInto(QString(), {QStringLiteral("train"), runFile(), QStringLiteral("--json")},
                                           QStringLiteral("cd '%1'; ").arg(folder), variables);
    QVERIFY2(result.code == 0, qPrintable(result.err));
    QVERIFY2(
        result.err.contains(QStringLiteral("neither XDG_DATA_HOME nor HOME names a folder: the run is recorded in ") +
                            folder + QStringLiteral("/binade/runs")),
        qPrintable(result.err));
    QCOMPARE(QDir(folder + QStringLiteral("/binade/runs")).entryList({QStringLiteral("*.binade")}).size(), 1);
  }

  void aDataFileThatIsCutShortEndsTheRunWithItsName() {
    const QString folder = test::temporaryFolder();
    constexpr int kRows = 20000;
    const auto array = [&](const char* name, const char* dtype, const char* rest, const QByteArray& row) {
      QByteArray header = QByteArray("{'descr': '") + dtype + "', 'fortran_order': False, 'shape': (" +
                          QByteArray::number(kRows) + rest + "), }";
      header += QByteArray(118 - header.size() - 1, ' ') + '\n';
      QFile file(folder + u'/' + QLatin1String(name) + QStringLiteral(".npy"));
      if (!file.open(QIODevice::WriteOnly)) return QString();
      file.write(QByteArray("\x93NUMPY\x01\x00\x76\x00", 10) + header);
      for (int i = 0; i < kRows; ++i) file.write(row);
      return file.fileName();
    };
    const QString pictures = array("x", "<f4", ", 1, 28, 28", QByteArray(4 * 28 * 28, '\x3e'));
    const QString labels = array("y", "<i8", ",", QByteArray(8, '\0'));
    const auto from = [](const char* name) { return QJsonObject{{QStringLiteral("from"), QLatin1String(name)}}; };
    const QJsonObject data{{QStringLiteral("kind"), QStringLiteral("files")},
                           {QStringLiteral("files"), QJsonArray{pictures, labels}},
                           {QStringLiteral("columns"), QJsonObject{{QStringLiteral("x"), from("x")}}},
                           {QStringLiteral("targets"), QJsonObject{{QStringLiteral("label"), from("y")}}}};
    const QString checkpoints = folder + QStringLiteral("/kept");
    QProcess process;
    process.setProcessEnvironment(engineEnvironment());
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"),
                  {QStringLiteral("train"),
                   runFile({{QStringLiteral("steps"), 1000000},
                            {QStringLiteral("data"), data},
                            {QStringLiteral("checkpoint"),
                             QJsonObject{{QStringLiteral("folder"), checkpoints}, {QStringLiteral("every"), 5}}}}),
                   QStringLiteral("--json"), QStringLiteral("--run-file"), kNone});
    QByteArray output;
    while (output.count("\"step\"") < 12 && process.waitForReadyRead(60000)) output += process.readAllStandardOutput();
    QVERIFY2(output.count("\"step\"") >= 12, process.readAllStandardError());
    QVERIFY(QFile::resize(pictures, 10000));
    QVERIFY(process.waitForFinished(60000));
    const QString err = QString::fromUtf8(process.readAllStandardError());
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 1, qPrintable(err));
    QVERIFY2(err.contains(pictures + QStringLiteral(" was truncated while it was in use")), qPrintable(err));
    QVERIFY(!QDir(checkpoints).entryList({QStringLiteral("step-*.safetensors")}).isEmpty());
  }

  /// A description comes from a stranger: its run file could be one that a shell runs. The user's own choice is free.
  void aDescriptionCannotChooseWhereToWrite() {
    const QString folder = test::temporaryFolder();
    const QString shell = folder + QStringLiteral("/.bash_login");
    const QString run = runFile({{QStringLiteral("steps"), 1}, {QStringLiteral("run_file"), shell}});
    const EngineResult refused = test::engine({QStringLiteral("train"), run});
    QCOMPARE(refused.code, 3);
    QVERIFY2(refused.err.contains(QLatin1String("does not end in .binade")), qPrintable(refused.err));
    QVERIFY(!QFile::exists(shell));
    const QString own = folder + QStringLiteral("/my-own-name");
    QCOMPARE(test::engine({QStringLiteral("train"), run, QStringLiteral("--run-file"), own}).code, 0);
    QVERIFY(QFile::exists(own) && !QFile::exists(shell));
    const EngineResult crowded =
        test::engine({QStringLiteral("train"),
                      runFile({{QStringLiteral("checkpoint"), QJsonObject{{QStringLiteral("folder"), folder}}}})});
    QCOMPARE(crowded.code, 3);
    QVERIFY2(crowded.err.contains(QLatin1String("holds other files than checkpoints")), qPrintable(crowded.err));
  }
};

BINADE_SUITE(TestOutputs);

#include "tst_outputs.moc"
