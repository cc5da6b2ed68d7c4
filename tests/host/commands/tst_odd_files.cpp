// SPDX-License-Identifier: Apache-2.0
// Files that are no files, or hold what nobody expects: each command says what is wrong and what to do, and none waits.
#include "engine/host/input/given_inputs.h"
#include "tests/host/run_engine.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QProcess>

using namespace binade;
using test::engine;
using test::EngineResult;
using test::modelFile;
using test::runFile;
using test::written;

namespace {

/// A named pipe that nobody writes to.
QString fifo(const char* name) {
  const QString path = test::temporaryFolder() + QLatin1Char('/') + QLatin1String(name);
  QFile::remove(path);
  if (::mkfifo(QFile::encodeName(path).constData(), 0600) != 0) qFatal("no pipe");
  return path;
}

/// An .npy file of one row each; `bytes` are its numbers.
QString npy(const QString& name, const char* dtype, const char* shape, const QByteArray& bytes) {
  QByteArray header = QByteArray("{'descr': '") + dtype + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  header = header.leftJustified(117, ' ') + '\n';
  QByteArray file("\x93NUMPY\x01", 7);
  file += QByteArray(1, '\0') + static_cast<char>(header.size()) + QByteArray(1, '\0') + header + bytes;
  return written(name, file);
}

QString runOn(const QStringList& files, const QString& x, const QString& y) {
  const QJsonObject column{{QStringLiteral("from"), x}};
  const QJsonObject target{{QStringLiteral("from"), y}};
  return runFile(
      {{QStringLiteral("data"), QJsonObject{{QStringLiteral("kind"), QStringLiteral("files")},
                                            {QStringLiteral("files"), QJsonArray::fromStringList(files)},
                                            {QStringLiteral("columns"), QJsonObject{{QStringLiteral("x"), column}}},
                                            {QStringLiteral("targets"), QJsonObject{{QStringLiteral("y"), target}}}}},
       {QStringLiteral("batch"), 1}});
}

/// What is said of a CSV file with the columns x and y.
QString saidOfCsv(const QByteArray& text) {
  const QString file = written(QStringLiteral("odd.csv"), text);
  return engine({QStringLiteral("data"), runOn({file}, QStringLiteral("x"), QStringLiteral("y"))}).err;
}

}  // namespace

class TestOddFiles : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void noCommandWaitsForANamedPipe_data() {
    QTest::addColumn<QStringList>("arguments");
    const auto row = [](const char* name, const QStringList& arguments) { QTest::newRow(name) << arguments; };
    const QString model = fifo("fifo.pt");
    const QString text = fifo("fifo.json");
    const auto word = [](const char* each) { return QString::fromLatin1(each); };
    row("inspect", {word("inspect"), model});
    row("verify", {word("verify"), model, word("--input"), word("float32[2]")});
    row("export", {word("export"), model, word("--policy"), word("cpu-amp"), word("--to"), word("torchscript"),
                   word("--input"), word("float32[2]"), word("--out"), word("out.pt")});
    row("policy check", {word("policy"), word("check"), text});
    row("policy check of a model", {word("policy"), word("check"), word("cpu-amp"), model});
    row("policy show", {word("policy"), word("show"), text});
    row("policy diff", {word("policy"), word("diff"), word("cpu-amp"), text});
    row("train", {word("train"), text});
    row("train by a policy", {word("train"), runFile(), word("--policy"), text});
    row("data", {word("data"), text});
    row("casts", {word("casts"), text});
    row("compare", {word("compare"), text});
    row("replay", {word("replay"), text, word("--step"), word("0")});
    row("report", {word("report"), text, word("--out"), word("out.html")});
    row("resume",
        {word("train"), runFile(), word("--resume"), fifo("fifo.safetensors"), word("--run-file"), word("none")});
    row("a socket's cousin, a device", {word("inspect"), word("/dev/zero")});
  }
  void noCommandWaitsForANamedPipe() {
    QFETCH(const QStringList, arguments);
    const EngineResult result = engine(arguments);
    QCOMPARE(result.code, 1);
    QVERIFY2(result.err.contains(QStringLiteral("is not a regular file\n  Copy its content to a regular file")),
             qPrintable(result.err));
  }

  void aMissingCheckpointIsSearchedInTheWorkingFolder() {
    for (const char* const command : {"train", "compare"}) {
      const EngineResult result = engine(
          {QString::fromLatin1(command), runFile(), QStringLiteral("--resume"), QStringLiteral("no.safetensors")});
      QCOMPARE(result.code, 1);
      QVERIFY2(result.err.contains(QStringLiteral("no.safetensors does not exist\n  Check the path. A relative path "
                                                  "starts at the working folder, /")),
               qPrintable(result.err));
    }
  }

  void nothingThatARunNamesIsWaitedFor_data() {
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("value");
    QTest::newRow("model") << QStringLiteral("model") << fifo("named.pt");
    QTest::newRow("weights") << QStringLiteral("weights") << fifo("weights.pt");
    QTest::newRow("safetensors") << QStringLiteral("weights") << fifo("weights.safetensors");
    QTest::newRow("policy") << QStringLiteral("policy") << fifo("policy.json");
  }
  void nothingThatARunNamesIsWaitedFor() {
    QFETCH(const QString, field);
    QFETCH(const QString, value);
    const EngineResult result = engine(
        {QStringLiteral("train"), runFile({{field, value}}), QStringLiteral("--run-file"), QStringLiteral("none")});
    QCOMPARE(result.code, 1);
    QVERIFY2(result.err.contains(QStringLiteral("is not a regular file")), qPrintable(result.err));
  }

  // `<(command)` and `cat FILE | ... /dev/stdin`: a pipe that this process has open already.
  void aDescriptionMayComeThroughAPipeOfOnesOwn() {
    QFile file(runFile({{QStringLiteral("steps"), 1}}));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QProcess process;
    process.setProcessEnvironment(test::engineEnvironment());
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"),
                  {QStringLiteral("data"), QStringLiteral("/dev/stdin")});
    process.write(file.readAll());
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(60000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
  }

  void linksThatLeadAroundAreTold() {
    const QString path = test::temporaryFolder() + QStringLiteral("/loop.pt");
    QVERIFY(QFile::link(path, path));
    for (const char* command : {"inspect", "train", "data"}) {
      const EngineResult result = engine({QLatin1String(command), path});
      QVERIFY2(result.err.contains(QStringLiteral("too many symbolic links")), qPrintable(result.err));
    }
    const EngineResult policy = engine({QStringLiteral("policy"), QStringLiteral("check"), path});
    QVERIFY2(policy.err.contains(QStringLiteral("too many symbolic links")), qPrintable(policy.err));
  }

  void aLabelBeyondInt64IsTold() {
    QByteArray numbers(16, '\0');
    numbers[15] = '\x80';  // the second is 2^63
    const QString x = npy(QStringLiteral("x.npy"), "<f4", "2, 784", QByteArray(2 * 784 * 4, '\0'));
    const QString y = npy(QStringLiteral("y.npy"), "<u8", "2,", numbers);
    const QString run = runOn({x, y}, QStringLiteral("x"), QStringLiteral("y"));
    for (const char* command : {"data", "train"}) {
      const EngineResult result = engine({QLatin1String(command), run});
      QVERIFY2(result.err.contains(QStringLiteral("holds 9223372036854775808 in row 1, which int64 cannot represent")),
               qPrintable(result.err));
    }
  }

  void dataWithoutRowsIsNotToldToUseASmallerBatch() {
    const QString x = npy(QStringLiteral("x.npy"), "<f4", "0, 784", {});
    const QString y = npy(QStringLiteral("y.npy"), "<i8", "0,", {});
    const EngineResult result =
        engine({QStringLiteral("data"), runOn({x, y}, QStringLiteral("x"), QStringLiteral("y"))});
    QVERIFY2(result.err.contains(QStringLiteral("has no rows")), qPrintable(result.err));
    QVERIFY2(!result.err.contains(QStringLiteral("smaller batch")), qPrintable(result.err));
  }

  void controlCharactersCutNoMessageOff() {
    const QString value = saidOfCsv(QByteArray("x,y\n\0003,0\n", 9));
    QVERIFY2(value.contains(QStringLiteral("holds \"\\x003\" in line 2, column \"x\", which is not a number")),
             qPrintable(value));
    const QString escape = saidOfCsv("x,y\n\x1b[31mred,0\n");
    QVERIFY2(escape.contains(QStringLiteral("holds \"\\x1b[31mred\"")), qPrintable(escape));
    const QString latin = saidOfCsv("x,y\n\xe4,0\n");
    QVERIFY2(latin.contains(QStringLiteral("holds \"\\xe4\"")), qPrintable(latin));
    const QString names = saidOfCsv(QByteArray("x\0x,y\n1,0\n", 10));
    QVERIFY2(names.contains(QStringLiteral("The files contain x\\x00x, y")), qPrintable(names));
  }

  void aCsvFileInUtf16IsNamed() {
    for (const QByteArray& mark : {QByteArray("\xff\xfe"), QByteArray("\xfe\xff")}) {
      const QString text = saidOfCsv(mark + QByteArray("x\0,\0y\0", 6));
      QVERIFY2(text.contains(QStringLiteral("is UTF-16")) && text.contains(QStringLiteral("Save the file as UTF-8")),
               qPrintable(text));
    }
  }

  void aNumberBeyondFloat64IsToldAsSuch() {
    for (const char* number : {"1e400", "-1e400", "1e-400"}) {
      const QString text = saidOfCsv(QByteArray("x,y\n") + number + ",0\n");
      QVERIFY2(text.contains(QStringLiteral("which is out of the range of float64")), qPrintable(text));
    }
    const QString none = saidOfCsv("x,y\n1e400x,0\n");
    QVERIFY2(none.contains(QStringLiteral("which is not a number")), qPrintable(none));
  }

  void adviceOnDrawnIntegersIsForThoseAlone() {
    const auto hint = [](std::vector<std::string> texts, const char* message) {
      std::vector<batches::Spec> specs;
      for (const std::string& text : texts) specs.push_back(batches::parse_spec(text));
      return host::hint_on_drawn(message, specs);
    };
    const char* const beyond = "index 7 is out of bounds for dimension 1 with size 4";
    QVERIFY(hint({"float32[2,4]"}, beyond).empty());
    QVERIFY(hint({"float32[2,4]", "int64[2]=0,7"}, beyond).empty());
    QVERIFY(!hint({"float32[2,4]", "int64[2]"}, beyond).empty());
    QVERIFY(!hint({"list(int64[2])"}, beyond).empty());
    QVERIFY(!hint({"float32[2]"}, "all elements of target should be between 0 and 1").empty());
    QVERIFY(hint({"int64[2]"}, "all elements of target should be between 0 and 1").empty());
  }

  void aMissingModelIsNamedWithItsField() {
    const QString run = runFile({{QStringLiteral("model"), QStringLiteral("no.pt")}});
    const auto train = engine({QStringLiteral("train"), run, QStringLiteral("--run-file"), QStringLiteral("none")});
    QCOMPARE(train.code, 1);
    QVERIFY2(train.err.contains(QStringLiteral(": model: ")) &&
                 train.err.contains(QStringLiteral("no.pt does not exist\n  Check the path. A relative path starts at "
                                                   "the folder of the run description.\n")),
             qPrintable(train.err));
  }

  void aRefusedRunLeavesNoFolder() {
    const QString place = test::temporaryFolder() + QStringLiteral("/empty");
    QVERIFY(QDir().mkpath(place));
    QProcess process;
    QProcessEnvironment variables = test::engineEnvironment();
    variables.remove(QStringLiteral("XDG_DATA_HOME"));
    variables.remove(QStringLiteral("HOME"));
    process.setProcessEnvironment(variables);
    process.setWorkingDirectory(place);
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"),
                  {QStringLiteral("train"), runFile({{QStringLiteral("weights"), QStringLiteral("none.pt")}})});
    QVERIFY(process.waitForFinished(60000));
    const QByteArray told = process.readAllStandardError();
    QVERIFY2(told.contains("none.pt does not exist"), told);
    QVERIFY2(!told.contains("the run is recorded in"), told);
    QVERIFY(QDir(place).isEmpty());
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"), {QStringLiteral("train"), runFile()});
    QVERIFY(process.waitForFinished(60000));
    QVERIFY(process.readAllStandardError().contains("the run is recorded in"));
    QCOMPARE(QDir(place + QStringLiteral("/binade/runs")).entryList({QStringLiteral("*.binade")}).size(), 1);
  }
};

BINADE_SUITE(TestOddFiles);
#include "tst_odd_files.moc"
