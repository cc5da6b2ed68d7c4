// SPDX-License-Identifier: Apache-2.0
#include "engine/interchange/csv_file.h"
#include "engine/interchange/export_run.h"
#include "engine/record/run_reader.h"
#include "tests/interchange/csv_rows.h"
#include "tests/interchange/event_file.h"
#include "tests/interchange/recorded.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <stdexcept>

using namespace binade;
using test::CsvRow;

namespace {

std::string exportedTables() {
  const std::string folder = test::temporaryFolder().toStdString();
  test::recordRun(folder + "/run.binade", test::recordedHistory());
  interchange::export_run(folder + "/run.binade", interchange::RunTarget::kCsv, folder + "/tables");
  return folder;
}

std::vector<CsvRow> tableOf(const std::string& folder, const std::string& name) {
  return test::csvRows(test::readBytes(folder + "/tables/" + name));
}

double numberIn(const CsvRow& row, const std::string& column) {
  const std::string& text = row.at(column);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') throw std::runtime_error(column + " is no number: " + text);
  return value;
}

bool sameNumber(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b;
}

}  // namespace

class CsvTables : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void cellsComeBackWhateverTheyHold();
  void doublesComeBackToTheBit();
  void everyStepIsARow();
  void whatWasNotRecordedIsAnEmptyCell();
  void eventsHaveTheirSentences();
  void gradientsHaveCountsAndBinades();
  void opCallsHaveFormatsAndTimes();
  void ranksHaveATableOfTheirOwn();
};

void CsvTables::cellsComeBackWhateverTheyHold() {
  const std::string path = test::temporaryFolder().toStdString() + "/cells.csv";
  const std::vector<std::string> texts{
      "", "plain", "a,b", "\"", "say \"no\"", "two\nlines", "c\r\nd", "ends in \"", "größer, kleiner", " x "};
  interchange::CsvFile file(path, {"first, \"one\"", "second"});
  for (const std::string& each : texts) file.text(each).integer(7).end_row();
  file.close();
  const std::vector<CsvRow> rows = test::csvRows(test::readBytes(path));
  QCOMPARE(rows.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) QCOMPARE(rows[i].at("first, \"one\""), texts[i]);
}

void CsvTables::doublesComeBackToTheBit() {
  const std::string path = test::temporaryFolder().toStdString() + "/doubles.csv";
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> values{0.1,       1.0 / 3, 0.1 + 0.2, 5e-324,      1.7976931348623157e308, -0.0, infinity,
                                   -infinity, 65536,   0x1p-149,  std::nan("")};
  interchange::CsvFile file(path, {"value"});
  for (const double each : values) file.number(each).end_row();
  file.number(-std::nan("")).end_row();
  file.close();
  const std::vector<CsvRow> rows = test::csvRows(test::readBytes(path));
  for (std::size_t i = 0; i < values.size(); ++i) {
    QVERIFY(sameNumber(numberIn(rows[i], "value"), values[i]));
    QCOMPARE(std::signbit(numberIn(rows[i], "value")), std::signbit(values[i]));
  }
  QCOMPARE(rows[0].at("value"), std::string("0.1"));
  QCOMPARE(rows.back().at("value"), std::string("nan"));
}

void CsvTables::everyStepIsARow() {
  const std::string folder = exportedTables();
  const std::vector<CsvRow> rows = tableOf(folder, "steps.csv");
  std::size_t at = 0;
  for (const record::RunRecord& each : test::recordedHistory()) {
    const auto* step = std::get_if<wire::StepRecord>(&each);
    if (step == nullptr) continue;
    QVERIFY(at < rows.size());
    const CsvRow& row = rows[at++];
    QCOMPARE(numberIn(row, "step"), static_cast<double>(step->step));
    QVERIFY(sameNumber(numberIn(row, "loss"), step->loss));
    QVERIFY(sameNumber(numberIn(row, "gradient_norm"), step->gradient_norm));
    QCOMPARE(numberIn(row, "loss_scale"), step->scale);
    QCOMPARE(numberIn(row, "next_loss_scale"), step->next_scale);
    QCOMPARE(row.at("stepped"), std::string(step->stepped ? "1" : "0"));
    QCOMPARE(numberIn(row, "step_seconds"), step->seconds);
    QCOMPARE(numberIn(row, "learning_rate"), step->learning_rate);
  }
  QCOMPARE(at, rows.size());
}

void CsvTables::whatWasNotRecordedIsAnEmptyCell() {
  const std::string folder = exportedTables();
  const std::vector<CsvRow> evaluations = tableOf(folder, "evaluations.csv");
  QCOMPARE(evaluations.size(), std::size_t{2});
  QCOMPARE(evaluations[0].at("accuracy_share"), std::string());
  QCOMPARE(numberIn(evaluations[0], "loss"), 0.1 + 0.2);
  QCOMPARE(numberIn(evaluations[1], "accuracy_share"), 0.875);
  // A scan counts neither zeros nor underflows.
  const CsvRow scan = tableOf(folder, "gradients.csv").at(1);
  for (const char* column : {"zeros", "underflows", "smallest_magnitude", "sum_of_squares"})
    QCOMPARE(scan.at(column), std::string());
  QCOMPARE(scan.at("nans"), std::string("2"));
  QCOMPARE(numberIn(scan, "loss_scale"), 65536.0);
  const CsvRow unprofiled = tableOf(folder, "op_calls.csv").at(1);
  QCOMPARE(unprofiled.at("forward_seconds_per_step"), std::string());
  QCOMPARE(unprofiled.at("tensor_core_percent"), std::string());
}

void CsvTables::eventsHaveTheirSentences() {
  const std::string folder = exportedTables();
  const std::vector<CsvRow> rows = tableOf(folder, "events.csv");
  QCOMPARE(rows.size(), std::size_t{1});
  QCOMPARE(rows[0].at("step"), std::string("3"));
  QCOMPARE(rows[0].at("kind"), std::string("gradient_overflow"));
  QVERIFY(rows[0].at("event").find("fc1.weight") != std::string::npos);
  QCOMPARE(rows[0].at("verdict"), std::string());  // the step was not replayed
}

void CsvTables::gradientsHaveCountsAndBinades() {
  const std::string folder = exportedTables();
  const std::vector<CsvRow> rows = tableOf(folder, "gradients.csv");
  QCOMPARE(rows.size(), std::size_t{10});  // two gradients in five steps; the output is none
  QCOMPARE(rows[0].at("gradient"), std::string("fc1.weight"));
  QCOMPARE(rows[0].at("kind"), std::string("parameter_gradient"));
  QCOMPARE(rows[0].at("loss_scale"), std::string("1"));
  const formats::TensorStats stats = test::gradientStats(0);
  QCOMPARE(rows[0].at("elements"), std::to_string(stats.count));
  QCOMPARE(rows[0].at("zeros"), std::string("1"));
  QCOMPARE(rows[0].at("positive_infinities"), std::string("1"));
  QCOMPARE(numberIn(rows[0], "sum_of_squares"), stats.sum_of_squares);
  QCOMPARE(numberIn(rows[0], "largest_magnitude"), 12.0);
  std::map<std::string, std::string> counts;
  for (const CsvRow& row : tableOf(folder, "gradient_binades.csv"))
    if (row.at("step") == "0") counts[row.at("binade_log2")] = row.at("values");
  QCOMPARE(counts, (std::map<std::string, std::string>{{"-1", "1"}, {"0", "2"}, {"3", "1"}}));
}

void CsvTables::opCallsHaveFormatsAndTimes() {
  const std::string folder = exportedTables();
  const std::vector<CsvRow> rows = tableOf(folder, "op_calls.csv");
  QCOMPARE(rows.size(), std::size_t{4});
  QCOMPARE(rows[0].at("op_call"), std::string("layer0::helper/aten::conv2d#0"));
  QCOMPARE(rows[0].at("format"), std::string("float16"));
  QCOMPARE(rows[0].at("gradient_format"), std::string("bfloat16"));
  QCOMPARE(numberIn(rows[0], "forward_seconds_per_step"), 0.03125);
  QCOMPARE(numberIn(rows[0], "tensor_core_percent"), 61.5);
  QCOMPARE(rows[0].at("profiled_first_step"), std::string("6"));
  QCOMPARE(rows[2].at("calls_per_step"), std::string("2"));
  QCOMPARE(rows[2].at("tensor_core_percent"), std::string());
  QCOMPARE(rows[2].at("format"), std::string());
}

void CsvTables::ranksHaveATableOfTheirOwn() {
  const std::string folder = test::temporaryFolder().toStdString();
  wire::RunStarted started = test::sampleStartedOnRanks();
  started.policy.decisions.resize(started.model.sites.size());
  wire::Event event = test::sampleEvent(1);
  event.rank = 1;
  test::recordRun(folder + "/run.binade", {started, test::sampleStepOfRanks(0), test::sampleStepOfRanks(1), event});
  interchange::export_run(folder + "/run.binade", interchange::RunTarget::kCsv, folder + "/tables");
  const std::vector<CsvRow> rows = tableOf(folder, "ranks.csv");
  QCOMPARE(rows.size(), std::size_t{4});
  QCOMPARE(rows[1].at("rank"), std::string("1"));
  QCOMPARE(numberIn(rows[1], "busy_seconds"), 0.01);
  QCOMPARE(rows[1].at("found_inf"), std::string("1"));
  QCOMPARE(rows[3].at("found_inf"), std::string("0"));
  QCOMPARE(numberIn(rows[0], "tensor_core_percent"), 41.5);
  QCOMPARE(tableOf(folder, "events.csv").at(0).at("rank"), std::string("1"));
  // A run of one process has neither.
  QVERIFY(!std::filesystem::exists(exportedTables() + "/tables/ranks.csv"));
}

BINADE_SUITE(CsvTables);
#include "tst_csv_tables.moc"
