// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/wire/run_config.h"
#include "tests/support/error_corpus.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <nlohmann/json.hpp>

#include <QDir>
#include <QFile>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

using namespace binade;

namespace {

QDir corpus(const char* half) {
  return QDir(QStringLiteral(BINADE_TEST_DATA "/runs/") + QString::fromUtf8(half));
}

std::string textOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

wire::RunConfig readRun(const QString& path) {
  const QFileInfo info(path);
  return wire::parse_run(textOf(path), info.fileName().toStdString(), info.path().toStdString());
}

void addFiles(const char* half) {
  QTest::addColumn<QString>("path");
  const QDir folder = corpus(half);
  for (const QString& name : folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
    if (name.endsWith(QStringLiteral(".policy.json"))) continue;
    QTest::newRow(name.toUtf8().constData()) << folder.filePath(name);
  }
}

test::ErrorCorpus badFiles() {
  return {QStringLiteral(BINADE_TEST_DATA "/runs/bad"), QStringLiteral(".json"), QStringLiteral(".message")};
}

/// Returns the error that reading a run description throws; none if it is accepted.
std::optional<test::SeenError> errorOf(const QString& path) {
  try {
    readRun(path);
  } catch (const Error& error) {
    const QString code = error.code == ErrorCode::kBadRun      ? QStringLiteral("bad_run")
                         : error.code == ErrorCode::kBadPolicy ? QStringLiteral("bad_policy")
                                                               : QStringLiteral("another");
    return test::SeenError{code, QString::fromUtf8(error.what()), QString::fromStdString(error.hint)};
  }
  return std::nullopt;
}

}  // namespace

class RunFiles : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void goodFilesAreReadAndWrittenBack_data() { addFiles("good"); }
  void goodFilesAreReadAndWrittenBack();
  void badFilesNameTheirFieldAndWhatItTakes_data() { addFiles("bad"); }
  void badFilesNameTheirFieldAndWhatItTakes();
  void oneBadFileOfEachKindShowsItsWords();
  void aValueOfTheWrongKindComesWithAnExample_data();
  void aValueOfTheWrongKindComesWithAnExample();
  void absentFieldsHaveTheirDefaults();
  void everyFieldIsRead();
  void relativePathsCountFromTheFilesFolder();
  void aPolicyMayStandInAFileOfItsOwn();
  void aPolicyMayBeABaseListByName();
  void aScalerWithNothingButDefaultsIsStillGiven();
  void everyFieldSurvivesToJson();
  void theLossesAreWrittenInOneForm();
  void theFuzzedCorpusGivesErrorsOnly();
};

void RunFiles::goodFilesAreReadAndWrittenBack() {
  QFETCH(QString, path);
  const wire::RunConfig config = readRun(path);
  QVERIFY(wire::parse_run(wire::to_json(config), "again", "") == config);
}

void RunFiles::badFilesNameTheirFieldAndWhatItTakes() {
  QFETCH(QString, path);
  QCOMPARE(badFiles().difference(path, errorOf(path)), QString());
}

void RunFiles::oneBadFileOfEachKindShowsItsWords() {
  const QStringList differences = badFiles().goldenDifferences(&errorOf);
  QVERIFY2(differences.isEmpty(), qPrintable(differences.join(QLatin1Char('\n'))));
}

void RunFiles::aValueOfTheWrongKindComesWithAnExample_data() {
  QTest::addColumn<QString>("field");
  QTest::addColumn<QString>("hint");
  const auto row = [](const char* field, const char* hint) {
    QTest::newRow(field) << QString::fromUtf8(field) << QString::fromUtf8(hint);
  };
  row(R"("steps": "100")", "Write 100, without quotes.");
  row(R"("steps": "many")", R"(For example: "steps": 100)");
  row(R"("steps": "1.5")", R"(For example: "steps": 100)");
  row(R"("batch": 32.5)", R"(For example: "batch": 100)");
  row(R"("seed": -1)", R"(For example: "seed": 100)");
  row(R"("optimizer": {"learning_rate": true})", "Write a number.");
  row(R"("optimizer": {"learning_rate": "small"})", "Write a number without quotes.");
  row(R"("scaler": {"init_scale": "2^16"})", R"(For example: "init_scale": 65536)");
  row(R"("observe": {"inputs": "true"})", "Write true, without quotes.");
  row(R"("name": 5)", R"(Write "5", with quotes.)");
  row(R"("name": ["a"])", "Write a text in quotes.");
  row(R"("data": {"inputs": "float32[8]"})", "Write a list in [ ].");
  row(R"("data": [])", "Write an object in { }.");
}

void RunFiles::aValueOfTheWrongKindComesWithAnExample() {
  QFETCH(QString, field);
  QFETCH(QString, hint);
  try {
    wire::parse_run(R"({"binade_run": 1, "model": "sample:mlp", )" + field.toStdString() + "}", "run.json", "");
    QFAIL("the run description was accepted");
  } catch (const Error& error) {
    QCOMPARE(QString::fromStdString(error.hint), hint);
  }
}

void RunFiles::absentFieldsHaveTheirDefaults() {
  wire::RunConfig expected;
  expected.model = "sample:mlp";
  QVERIFY(readRun(corpus("good").filePath(QStringLiteral("smallest.json"))) == expected);
}

void RunFiles::everyFieldIsRead() {
  const auto config = readRun(corpus("good").filePath(QStringLiteral("everything.json")));
  QCOMPARE(config.data.inputs, (std::vector<std::string>{"int64[8,16]<1000", "bool[8,16]"}));
  QCOMPARE(config.data.classes, std::int64_t{1000});
  QCOMPARE(config.loss, std::string("mse"));
  QCOMPARE(config.output, std::string("[0]"));
  QCOMPARE(config.optimizer.epsilon, 1e-9);
  QCOMPARE(config.scaler.enabled, false);
  QCOMPARE(config.policy.sites.size(), std::size_t{1});
  QCOMPARE(config.observe.every, std::int64_t{10});
  QCOMPARE(config.seed, std::uint64_t{18446744073709551615ull});
}

void RunFiles::relativePathsCountFromTheFilesFolder() {
  const std::string text = R"({"binade_run": 1, "model": "m/net.pt", "run_file": "../out.binade",
                               "data": {"kind": "idx", "folder": "/data/clothes"}})";
  const auto config = wire::parse_run(text, "run.json", "/project/runs");
  QCOMPARE(config.model, std::string("/project/runs/m/net.pt"));
  QCOMPARE(config.run_file, std::string("/project/out.binade"));
  QCOMPARE(config.data.folder, std::string("/data/clothes"));
  QCOMPARE(wire::parse_run(text, "run.json", "").model, std::string("m/net.pt"));
}

void RunFiles::aPolicyMayStandInAFileOfItsOwn() {
  const auto config = readRun(corpus("good").filePath(QStringLiteral("policy_by_path.json")));
  QCOMPARE(config.policy.name, std::string("shared"));
  QVERIFY(config.policy.base == policy::Base::kAllFloat32);
}

void RunFiles::aPolicyMayBeABaseListByName() {
  const auto read = [](const std::string& name, const std::string& folder) {
    return wire::parse_run(R"({"binade_run": 1, "model": "sample:mlp", "policy": ")" + name + "\"}", "run.json", folder)
        .policy;
  };
  for (const char* name : {"cuda-amp", "cpu-amp", "apex-o0", "apex-o1", "apex-o2", "apex-o3", "all-float32"}) {
    const std::string file = R"({"binade_policy": 1, "base": ")" + std::string(name) + "\"}";
    QVERIFY2(read(name, "/nowhere") == policy::parse_policy(file, "file"), name);
  }
  QVERIFY(read("cpu-amp", "").low == formats::kBFloat16);
  // A file of that name goes before.
  const std::string folder = test::temporaryFolder().toStdString();
  std::ofstream(folder + "/cpu-amp") << R"({"binade_policy": 1, "name": "mine", "base": "all-float32"})";
  QCOMPARE(read("cpu-amp", folder).name, std::string("mine"));
}

// Apex's levels without a loss scale ask whether the run says anything of a scaler, be it only its defaults.
void RunFiles::aScalerWithNothingButDefaultsIsStillGiven() {
  const auto read = [](const char* scaler) {
    return wire::parse_run(std::string(R"({"binade_run": 1, "model": "sample:mlp")") + scaler + "}", "run.json", "");
  };
  const auto again = [](const wire::RunConfig& config) { return wire::parse_run(wire::to_json(config), "again", ""); };
  QVERIFY(!wire::has_scaler(read("")));
  QVERIFY(again(read("")) == read(""));
  for (const char* given : {R"(, "scaler": {"enabled": true})", R"(, "scaler": {})"}) {
    QVERIFY2(wire::has_scaler(read(given)), given);
    QVERIFY(read(given) != read(""));
    QVERIFY(again(read(given)) == read(given));
  }
  QVERIFY(wire::has_scaler(read(R"(, "scaler": {"init_scale": 8})")));
  QVERIFY(again(read(R"(, "scaler": {"init_scale": 8})")) == read(R"(, "scaler": {"init_scale": 8})"));
}

void RunFiles::everyFieldSurvivesToJson() {
  const wire::RunConfig config = test::sampleConfig();
  QVERIFY(wire::parse_run(wire::to_json(config), "again", "") == config);
}

// A description with both forms is refused.
void RunFiles::theLossesAreWrittenInOneForm() {
  wire::RunConfig config;
  config.model = "sample:mlp";
  const auto one = nlohmann::json::parse(wire::to_json(config));
  QVERIFY(one.contains("loss") && one.contains("output") && !one.contains("losses"));
  config.losses = {{.kind = "mse"}, {.kind = "l1"}};
  const auto several = nlohmann::json::parse(wire::to_json(config));
  QVERIFY(!several.contains("loss") && !several.contains("output") && several.contains("losses"));
}

void RunFiles::theFuzzedCorpusGivesErrorsOnly() {
  std::uint32_t state = 12345;
  int tried = 0;
  int refused = 0;
  const auto below = [&](std::size_t n) { return (state = state * 1664525u + 1013904223u) / 65536u % n; };
  for (const QString& name : corpus("good").entryList({QStringLiteral("*.json")}, QDir::Files)) {
    const std::string whole = textOf(corpus("good").filePath(name));
    for (int round = 0; round < 300; ++round) {
      std::string text = whole;
      for (std::size_t edits = 1 + below(3); edits > 0; --edits)
        text[below(text.size())] = static_cast<char>(below(256));
      ++tried;
      try {
        wire::parse_run(text, "fuzz", "");
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  // Half of all bytes alone are no UTF-8. Any other exception fails the test.
  QVERIFY(tried >= 300);
  QVERIFY2(refused > tried / 4, qPrintable(QString::number(refused)));
}

BINADE_SUITE(RunFiles);
#include "tst_run_files.moc"
