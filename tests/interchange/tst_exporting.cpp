// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/interchange/export_run.h"
#include "engine/record/sqlite.h"
#include "tests/interchange/csv_rows.h"
#include "tests/interchange/event_file.h"
#include "tests/interchange/recorded.h"
#include "tests/support/suite.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

using namespace binade;
using interchange::RunTarget;

namespace {

namespace fs = std::filesystem;

constexpr std::array kTargets{RunTarget::kTensorBoard, RunTarget::kCsv, RunTarget::kPerfetto};

std::string recordedFile() {
  const std::string path = test::temporaryFolder().toStdString() + "/run.binade";
  test::recordRun(path, test::recordedHistory());
  return path;
}

/// The error of an export; nullopt if it succeeds.
std::optional<Error> failureOf(const std::string& run, RunTarget target, const std::string& out,
                               interchange::Progress progress = {}) {
  try {
    interchange::export_run(run, target, out, std::move(progress));
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  }
}

std::size_t entriesIn(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

}  // namespace

class Exporting : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void targetsHaveNames();
  void nothingThatExistsIsReplaced();
  void cancellingLeavesNothing();
  void aFailureLeavesNothing();
  void aDamagedRowIsReportedAndLeftOut();
  void aFileWithoutARunIsRefused();
  void aFileOfAnotherKindIsRefused();
  void progressGrowsToTheEnd();
  void theRunFileStaysAsItIs();
};

void Exporting::targetsHaveNames() {
  for (const RunTarget each : kTargets) QVERIFY(interchange::run_target(interchange::name(each)) == each);
  QVERIFY(!interchange::run_target("torchscript"));
}

void Exporting::nothingThatExistsIsReplaced() {
  const std::string run = recordedFile();
  const std::string folder = test::temporaryFolder().toStdString();
  std::ofstream(folder + "/there") << "mine";
  for (const RunTarget each : kTargets) {
    const auto error = failureOf(run, each, folder + "/there");
    QVERIFY(error && error->code == ErrorCode::kUsage);
    QCOMPARE(test::readBytes(folder + "/there"), std::string("mine"));
    QCOMPARE(entriesIn(folder), std::size_t{1});
  }
}

void Exporting::cancellingLeavesNothing() {
  const std::string run = recordedFile();
  const std::string folder = test::temporaryFolder().toStdString();
  for (const RunTarget each : kTargets) {
    const auto error = failureOf(run, each, folder + "/out", [](double share) { return share < 0.5; });
    QVERIFY(error && error->code == ErrorCode::kCancelled);
    QCOMPARE(entriesIn(folder), std::size_t{0});
  }
}

void Exporting::aFailureLeavesNothing() {
  const std::string run = recordedFile();
  const auto missing = failureOf(run, RunTarget::kCsv, test::temporaryFolder().toStdString() + "/no/folder/out");
  QVERIFY(missing && missing->code == ErrorCode::kBadFile);
  QVERIFY(std::string(missing->what()).find("/no/folder") != std::string::npos);
  auto history = test::recordedHistory();
  std::erase_if(history, [](const record::RunRecord& each) { return std::holds_alternative<wire::Profile>(each); });
  const std::string plain = test::temporaryFolder().toStdString() + "/plain.binade";
  test::recordRun(plain, history);
  const std::string folder = test::temporaryFolder().toStdString();
  QVERIFY(failureOf(plain, RunTarget::kPerfetto, folder + "/trace.json"));
  QCOMPARE(entriesIn(folder), std::size_t{0});
}

void Exporting::aDamagedRowIsReportedAndLeftOut() {
  const std::string run = recordedFile();
  {
    record::Database file(run, record::Database::Mode::kReadWrite);
    file.run("UPDATE steps SET loss = 'much' WHERE step = 2");
  }
  const std::string out = test::temporaryFolder().toStdString() + "/tables";
  const interchange::RunExport written = interchange::export_run(run, RunTarget::kCsv, out);
  QCOMPARE(written.damage.count(), std::size_t{1});
  QVERIFY(written.damage.lines().front().find("steps") != std::string::npos);
  QCOMPARE(written.steps, std::int64_t{9});
  const auto rows = test::csvRows(test::readBytes(out + "/steps.csv"));
  QCOMPARE(rows.size(), std::size_t{9});
  for (const test::CsvRow& row : rows) QVERIFY(row.at("step") != "2");
}

void Exporting::aFileWithoutARunIsRefused() {
  const std::string run = test::temporaryFolder().toStdString() + "/empty.binade";
  test::recordRun(run, {});
  const std::string folder = test::temporaryFolder().toStdString();
  for (const RunTarget each : kTargets) {
    const auto error = failureOf(run, each, folder + "/out");
    QVERIFY(error && error->code == ErrorCode::kBadFile);
    QVERIFY(std::string(error->what()).find("contains no run") != std::string::npos);
    QCOMPARE(entriesIn(folder), std::size_t{0});
  }
}

void Exporting::aFileOfAnotherKindIsRefused() {
  const std::string folder = test::temporaryFolder().toStdString();
  std::ofstream(folder + "/text.binade") << "not a run";
  const auto error = failureOf(folder + "/text.binade", RunTarget::kCsv, folder + "/out");
  QVERIFY(error && error->code == ErrorCode::kBadFile);
  QCOMPARE(entriesIn(folder), std::size_t{1});
}

void Exporting::progressGrowsToTheEnd() {
  double last = 0;
  interchange::export_run(recordedFile(), RunTarget::kCsv, test::temporaryFolder().toStdString() + "/out",
                          [&last](double share) {
                            const bool grows = share >= last && share <= 1;
                            last = share;
                            return grows;
                          });
  QCOMPARE(last, 1.0);
}

void Exporting::theRunFileStaysAsItIs() {
  const std::string run = recordedFile();
  const std::string before = test::readBytes(run);
  for (const RunTarget each : kTargets) {
    interchange::export_run(run, each, test::temporaryFolder().toStdString() + "/out");
    QVERIFY(test::readBytes(run) == before);
  }
}

BINADE_SUITE(Exporting);
#include "tst_exporting.moc"
