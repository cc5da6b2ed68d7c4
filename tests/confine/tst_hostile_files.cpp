// SPDX-License-Identifier: Apache-2.0
#include "engine/confine/confined_process.h"
#include "tests/confine/hostile_files.h"
#include "tests/confine/hostile_ground.h"
#include "tests/graph/text_model.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>

#include <cstdio>
#include <string>

namespace binade {

namespace {

using test::HostileGround;

struct Outcome {
  int code = -1;  ///< -1: a signal, or it did not end
  QByteArray text;
};

Outcome engine(const HostileGround& ground, const QStringList& arguments, int seconds) {
  QProcess process;
  process.setWorkingDirectory(ground.inside());
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"), arguments);
  if (!process.waitForFinished(seconds * 1000)) {
    process.kill();
    process.waitForFinished();
    return {};
  }
  return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAll()};
}

QStringList training(const HostileGround& ground, const QStringList& more) {
  return QStringList{QStringLiteral("train"), ground.run(), QStringLiteral("--run-file"), QStringLiteral("none")} +
         more;
}

/// Whether the first letters of a file outside were printed: as text, or as a tensor of bytes (`SECR`, `root`).
bool showsContent(const QByteArray& text) {
  static const QRegularExpression bytes(QStringLiteral("83\\s+69\\s+67\\s+82|114\\s+111\\s+111\\s+116"));
  const QByteArray printed = QByteArray(text).replace("model: ", "");  // before each line that a model prints
  return printed.contains("SECRET") || bytes.match(QString::fromUtf8(printed)).hasMatch();
}

}  // namespace

class HostileFiles : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theFirstWallRefusesCodeWithItsLine();
  void withoutBothWallsTheCodeWrites();
  void theConfinementStopsAllWithTheFirstWallOff();
  void aRefusedFileIsReported();
  void aDescriptionCannotNameAFolderOfOtherFiles();
  void aFolderInPlaceOfAFileGivesNothing();
  void aDescriptionCannotChooseWhereToWrite();
  void aChangedFileIsNotTrusted();
  void anEndlessLoopEndsWithItsStarter();
};

void HostileFiles::theFirstWallRefusesCodeWithItsLine() {
  int refused = 0;
  const auto count = test::files_that_run_code(HostileGround().outside().toStdString()).size();
  for (std::size_t i = 0; i < count; i += 9) {  // each place once
    const HostileGround ground;
    const test::HostileFile file = test::files_that_run_code(ground.outside().toStdString())[i];
    ground.put(file);
    const auto before = ground.contents();
    const Outcome outcome = engine(ground, {QStringLiteral("inspect"), ground.model()}, 60);
    QVERIFY2(outcome.code == 3, (file.name + ": " + outcome.text.toStdString()).c_str());
    QVERIFY2(outcome.text.contains("SHA-256"), outcome.text.constData());
    QCOMPARE(ground.contents(), before);
    ++refused;
  }
  std::printf("first wall: %d places of code refused with exit code 3\n", refused);
  QCOMPARE(refused, 8);
}

/// Otherwise the next test would show nothing.
void HostileFiles::withoutBothWallsTheCodeWrites() {
  int wrote = 0;
  for (const std::size_t i : {0U, 9U, 18U, 27U, 36U, 45U, 54U, 63U}) {  // `writes a new file` in each place
    const HostileGround ground;
    const test::HostileFile file = test::files_that_run_code(ground.outside().toStdString())[i];
    ground.put(file);
    const Outcome outcome = engine(ground, training(ground, {QStringLiteral("--trust")}), 60);
    QVERIFY2(QFile::exists(ground.outside() + QStringLiteral("/new")),
             (file.name + ": " + outcome.text.toStdString()).c_str());
    ++wrote;
  }
  const HostileGround ground;
  ground.put(test::files_that_run_code(ground.outside().toStdString())[7]);  // `forward: reads a file`
  const Outcome outcome = engine(ground, training(ground, {QStringLiteral("--trust")}), 60);
  QVERIFY2(showsContent(outcome.text), outcome.text.constData());
  std::printf("no wall: the code of %d places wrote its file, and a read file was printed\n", wrote);
}

void HostileFiles::theConfinementStopsAllWithTheFirstWallOff() {
  if (!confine::why_unavailable().empty()) QSKIP("processes cannot be confined here");
  int files = 0;
  int writes = 0;
  int reads = 0;
  int crashes = 0;
  const auto all = [](const HostileGround& ground) {
    auto made = test::files_that_run_code(ground.outside().toStdString());
    for (auto& each : test::files_that_exhaust(ground.outside().toStdString())) made.push_back(std::move(each));
    return made;
  };
  const HostileGround ground;
  const auto before = ground.contents();
  for (const test::HostileFile& file : all(ground)) {
    ground.put(file);
    const Outcome outcome =
        engine(ground, training(ground, {QStringLiteral("--trust"), QStringLiteral("--confined")}), 60);
    ++files;
    if (ground.contents() != before) {
      ++writes;
      std::printf("%s: wrote\n", file.name.c_str());
    }
    if (showsContent(outcome.text)) {
      ++reads;
      std::printf("%s: read\n", file.name.c_str());
    }
    if (outcome.code < 0) {
      ++crashes;
      std::printf("%s: ended by a signal or not at all\n", file.name.c_str());
    }
    // An engine that ends without its training says why.
    if (outcome.code != 0) QVERIFY2(outcome.text.contains("binade-engine: "), outcome.text.constData());
  }
  std::printf("confined: %d hostile files, %d writes outside, %d reads outside, %d engines ended by a signal\n", files,
              writes, reads, crashes);
  QVERIFY(files >= 60);
  QCOMPARE(writes, 0);
  QCOMPARE(reads, 0);
  QCOMPARE(crashes, 0);
}

/// LibTorch ignores that torch.save fails, and blames permissions where torch.from_file does.
void HostileFiles::aRefusedFileIsReported() {
  if (!confine::why_unavailable().empty()) QSKIP("processes cannot be confined here");
  const HostileGround ground;
  const auto files = test::files_that_run_code(ground.outside().toStdString());
  const QStringList arguments = training(ground, {QStringLiteral("--trust"), QStringLiteral("--confined")});
  ground.put(files[0]);  // `forward: writes a new file`
  const Outcome written = engine(ground, arguments, 60);
  const QByteArray line = "binade-engine: confined: torch.save of the model could not write " +
                          ground.outside().toUtf8() + "/new: the confinement refuses it\n";
  QVERIFY2(written.text.count(line) == 1, written.text.constData());
  ground.put(files[7]);  // `forward: reads a file`
  const Outcome read = engine(ground, arguments, 60);
  QVERIFY2(read.code == 1 && read.text.contains("which the confinement refuses") &&
               read.text.contains(ground.outside().toUtf8() + "/secret"),
           read.text.constData());
}

void HostileFiles::aDescriptionCannotNameAFolderOfOtherFiles() {
  if (!confine::why_unavailable().empty()) QSKIP("processes cannot be confined here");
  const HostileGround ground;
  ground.put({"plain", test::model_with("    return x\n").archive()});
  for (const QByteArray& field :
       {QByteArray(R"("checkpoint": {"folder": "%", "every": 1})"), QByteArray(R"("resume": "%")")}) {
    QByteArray named = field;
    ground.describe(named.replace('%', ground.outside().toUtf8()));
    const Outcome outcome = engine(ground, training(ground, {QStringLiteral("--confined")}), 60);
    QCOMPARE(outcome.code, 3);
    QVERIFY2(outcome.text.contains("holds other files than checkpoints"), outcome.text.constData());
  }
}

/// Each code reads its file outside, which lies in the folder that the description names where a file is meant.
void HostileFiles::aFolderInPlaceOfAFileGivesNothing() {
  if (!confine::why_unavailable().empty()) QSKIP("processes cannot be confined here");
  const HostileGround ground;
  ground.put(test::files_that_run_code(ground.outside().toStdString())[7]);  // `forward: reads a file`
  ground.describe(QByteArray(R"("weights": ")") + ground.outside().toUtf8() + '"');
  const Outcome outcome =
      engine(ground, training(ground, {QStringLiteral("--trust"), QStringLiteral("--confined")}), 60);
  QVERIFY2(outcome.code != 0 && !showsContent(outcome.text), outcome.text.constData());
}

/// In every mode: what a description names is a stranger's, confined or not.
void HostileFiles::aDescriptionCannotChooseWhereToWrite() {
  const HostileGround ground;
  ground.put({"plain", test::model_with("    return x\n").archive()});
  const auto before = ground.contents();
  const QByteArray outside = ground.outside().toUtf8();
  ground.describe(R"("run_file": ")" + outside + R"(/.bash_login")");
  const QStringList train{QStringLiteral("train"), ground.run()};
  Outcome outcome = engine(ground, train, 60);
  QVERIFY2(outcome.code == 3 && outcome.text.contains("does not end in .binade"), outcome.text.constData());
  if (confine::why_unavailable().empty()) {
    outcome = engine(ground, train + QStringList{QStringLiteral("--confined")}, 60);
    QVERIFY2(outcome.code == 3, outcome.text.constData());
  }
  ground.describe(R"("checkpoint": {"folder": ")" + outside + R"(", "every": 1})");
  outcome = engine(ground, training(ground, {}), 60);
  QVERIFY2(outcome.code == 3 && outcome.text.contains("holds other files than checkpoints"), outcome.text.constData());
  QCOMPARE(ground.contents(), before);
}

void HostileFiles::aChangedFileIsNotTrusted() {
  const HostileGround ground;
  const auto files = test::files_that_run_code(ground.outside().toStdString());
  qputenv("XDG_CONFIG_HOME", ground.inside().toUtf8());
  QDir(ground.inside()).mkpath(QStringLiteral("binade"));
  const QByteArray hash =
      QCryptographicHash::hash(QByteArray::fromStdString(files[0].bytes), QCryptographicHash::Sha256).toHex();
  QFile list(ground.inside() + QStringLiteral("/binade/trusted-models"));
  QVERIFY(list.open(QIODevice::WriteOnly) && list.write(hash + "  model.pt\n") > 0);
  list.close();
  ground.put(files[0]);
  const Outcome trusted = engine(ground, {QStringLiteral("inspect"), ground.model()}, 60);
  ground.put(files[1]);
  const Outcome changed = engine(ground, {QStringLiteral("inspect"), ground.model()}, 60);
  qunsetenv("XDG_CONFIG_HOME");
  QVERIFY2(trusted.code != 3, trusted.text.constData());
  QVERIFY2(changed.code == 3, changed.text.constData());
}

void HostileFiles::anEndlessLoopEndsWithItsStarter() {
  if (!confine::why_unavailable().empty()) QSKIP("processes cannot be confined here");
  const HostileGround ground;
  ground.put(test::endless_file());
  QProcess process;
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"), training(ground, {QStringLiteral("--confined")}));
  QVERIFY(process.waitForStarted());
  QVERIFY(!process.waitForFinished(4000));
  process.kill();
  // The pipe ends once the confined process has gone as well.
  QVERIFY(process.waitForFinished(30000));
}

BINADE_SUITE(HostileFiles);

}  // namespace binade

#include "tst_hostile_files.moc"
