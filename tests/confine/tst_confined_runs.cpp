// SPDX-License-Identifier: Apache-2.0
// What honest commands need works in a confined process.
#include "engine/confine/confined_process.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>

namespace binade {

class ConfinedRuns : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void aTrainingReadsItsPolicyRecordsAndKeepsCheckpoints();
  void aDescriptionMayComeThroughAPipe();
  void anotherGoesOnFromItsCheckpoint();
  void aTryIsAddedToTheRunFile();
  void aSearchKeepsItsState();
  void aModelIsExportedAndReadBack();
  void verifyStartsItsSecondProcessConfined();
  void aProofInPythonIsRefusedBeforeAnythingIsDone();

 private:
  /// The exit code of a confined command in the folder; what it printed is in `text_`.
  int run(const QStringList& arguments, const QByteArray& input = {});
  void write(const char* name, const QByteArray& text) const;
  QStringList filesIn(const char* folder, const char* pattern) const;

  QString folder_ = test::temporaryFolder();
  QByteArray text_;
};

int ConfinedRuns::run(const QStringList& arguments, const QByteArray& input) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("XDG_DATA_HOME"), folder_ + QStringLiteral("/data"));
  environment.insert(QStringLiteral("OMP_NUM_THREADS"), QStringLiteral("2"));
  process.setProcessEnvironment(environment);
  process.setWorkingDirectory(folder_);
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"), arguments + QStringList{QStringLiteral("--confined")});
  process.write(input);
  process.closeWriteChannel();
  if (!process.waitForFinished(100'000)) process.kill();
  text_ = process.readAll();
  return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
}

void ConfinedRuns::write(const char* name, const QByteArray& text) const {
  QFile file(folder_ + u'/' + QLatin1String(name));
  if (file.open(QIODevice::WriteOnly)) file.write(text);
}

QStringList ConfinedRuns::filesIn(const char* folder, const char* pattern) const {
  return QDir(folder_ + u'/' + QLatin1String(folder)).entryList({QLatin1String(pattern)}, QDir::Files);
}

void ConfinedRuns::initTestCase() {
  if (const std::string why = confine::why_unavailable(); !why.empty()) QSKIP(why.c_str());
  write("p.policy.json", R"({"binade_policy": 1, "base": "cpu-amp"})");
  write("net.run.json", R"({"binade_run": 1, "name": "net", "model": "sample:mlp", "policy": "p.policy.json",
    "batch": 2, "steps": 4, "data": {"kind": "synthetic", "inputs": ["float32[2,1,28,28]"]},
    "checkpoint": {"folder": "kept", "every": 1, "keep": 2}})");
}

void ConfinedRuns::aTrainingReadsItsPolicyRecordsAndKeepsCheckpoints() {
  QVERIFY2(run({QStringLiteral("train"), QStringLiteral("net.run.json")}) == 0, text_.constData());
  QCOMPARE(filesIn("data/binade/runs", "*.binade").size(), 1);
  QCOMPARE(filesIn("kept", "step-*.safetensors").size(), 2);
  QVERIFY(filesIn("kept", "*.part").isEmpty());
}

void ConfinedRuns::aDescriptionMayComeThroughAPipe() {
  const QByteArray description = R"({"binade_run": 1, "name": "piped", "model": "sample:mlp", "steps": 1})";
  const auto before = filesIn("data/binade/runs", "*.binade").size();
  QVERIFY2(run({QStringLiteral("train"), QStringLiteral("/dev/stdin")}, description) == 0, text_.constData());
  QCOMPARE(filesIn("data/binade/runs", "*.binade").size(), before + 1);
}

void ConfinedRuns::anotherGoesOnFromItsCheckpoint() {
  QVERIFY2(run({QStringLiteral("train"), QStringLiteral("net.run.json"), QStringLiteral("--resume"),
                QStringLiteral("kept"), QStringLiteral("--steps=6"), QStringLiteral("--run-file"),
                QStringLiteral("second.binade"), QStringLiteral("--save=trained.pt")}) == 0,
           text_.constData());
  QVERIFY(QFile::exists(folder_ + QStringLiteral("/second.binade")));
  QVERIFY(QFile::exists(folder_ + QStringLiteral("/trained.pt")));
}

void ConfinedRuns::aTryIsAddedToTheRunFile() {
  const auto size = QFile(folder_ + QStringLiteral("/second.binade")).size();
  QVERIFY2(run({QStringLiteral("try"), QStringLiteral("second.binade"), QStringLiteral("--policy"),
                QStringLiteral("all-float32"), QStringLiteral("--steps"), QStringLiteral("2")}) == 0,
           text_.constData());
  QVERIFY(QFile(folder_ + QStringLiteral("/second.binade")).size() >= size);
  QVERIFY2(!text_.contains("could not be recorded"), text_.constData());
}

void ConfinedRuns::aSearchKeepsItsState() {
  QVERIFY2(
      run({QStringLiteral("search"), QStringLiteral("second.binade"), QStringLiteral("--for"), QStringLiteral("casts"),
           QStringLiteral("--budget"), QStringLiteral("1tries"), QStringLiteral("--steps"), QStringLiteral("2")}) == 0,
      text_.constData());
  QVERIFY(!filesIn("second.search", "*").isEmpty());
}

void ConfinedRuns::aModelIsExportedAndReadBack() {
  QVERIFY2(run({QStringLiteral("export"), QStringLiteral("sample:mlp"), QStringLiteral("--policy"),
                QStringLiteral("p.policy.json"), QStringLiteral("--to"), QStringLiteral("torchscript"),
                QStringLiteral("--out"), QStringLiteral("out.pt")}) == 0,
           text_.constData());
  QVERIFY(QFile::exists(folder_ + QStringLiteral("/out.pt")));
}

void ConfinedRuns::verifyStartsItsSecondProcessConfined() {
  QVERIFY2(run({QStringLiteral("verify"), QStringLiteral("sample:mlp")}) == 0, text_.constData());
  QVERIFY2(text_.contains("optimising executor, which a plain forward() in a program uses, gives identical results"),
           text_.constData());
  // A process that cannot even begin is reported, and not taken for one that agrees.
  QVERIFY(run({QStringLiteral("verify"), QStringLiteral("none.pt")}) != 0);
  QVERIFY2(!text_.contains("identical"), text_.constData());
}

void ConfinedRuns::aProofInPythonIsRefusedBeforeAnythingIsDone() {
  QCOMPARE(run({QStringLiteral("export"), QStringLiteral("sample:mlp"), QStringLiteral("--policy"),
                QStringLiteral("p.policy.json"), QStringLiteral("--to"), QStringLiteral("pytorch"),
                QStringLiteral("--out"), QStringLiteral("out.py"), QStringLiteral("--prove"),
                QStringLiteral("--python-model"), QStringLiteral("net.py:make_model")}),
           2);
  QVERIFY2(text_.contains("which a confined command cannot start"), text_.constData());
  QVERIFY(!QFile::exists(folder_ + QStringLiteral("/out.py")));
}

BINADE_SUITE(ConfinedRuns);

}  // namespace binade

#include "tst_confined_runs.moc"
