// SPDX-License-Identifier: Apache-2.0
#include "engine/record/run_writer.h"
#include "tests/record/run_file.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <cmath>
#include <limits>

using namespace binade;
using record::RunReader;
using record::RunRecord;
using record::RunWriter;

namespace {

std::string newPath() {
  return test::temporaryFolder().toStdString() + "/run.binade";
}

wire::CheckpointInfo sampleCheckpoint(std::int64_t step) {
  return {"/runs/step-20.safetensors", step, "step", 2, "sample:cnn", 12345, 1'790'000'000, 0.125};
}

wire::SilentReport sampleReport(int revision, std::int64_t step) {
  wire::SilentReport report = test::sampleSilentReport(step);
  report.policy_revision = revision;
  return report;
}

/// A short history with every kind of record.
std::vector<RunRecord> history() {
  std::vector<RunRecord> records{test::sampleStarted(), wire::LogLine{"warning", "BatchNorm in train mode"}};
  for (int step = 0; step < 30; ++step) {
    if (step == 12) records.emplace_back(test::samplePolicyApplied(2, 12));
    records.emplace_back(test::sampleStep(step, 40));
    if (step == 9) std::get<wire::StepRecord>(records.back()).scalers = {{65536, 32768, true}, {8, 8, false}};
    if (step == 15) records.emplace_back(wire::ScalerChanged{15, {.id = "a", .growth_interval = 50}, 1024});
    if (step == 20) records.emplace_back(sampleCheckpoint(20));
    if (step == 22) records.emplace_back(wire::Rewound{20, sampleCheckpoint(20).file});
    if (step % 7 == 6) records.emplace_back(test::sampleEvent(step));
    if (step % 10 == 4) records.emplace_back(test::sampleProfile(step));
    if (step == 11 || step == 25) records.emplace_back(test::sampleCasts(step / 20, step));
    if (step == 18) records.emplace_back(test::sampleComparison(18));
    if (step % 10 == 8) records.emplace_back(test::sampleQuantized(step));
    if (step % 10 == 5) records.emplace_back(sampleReport(step / 10, step));
    if (step == 21) records.emplace_back(test::sampleTrial(20));
    if (step == 23) records.emplace_back(wire::Note{21, "loss jumps: new data, größer", 1'700'000'000});
    if (step % 10 == 9) records.emplace_back(wire::Evaluated{step, 0.1 * step, 1.0 / 3});
  }
  records.emplace_back(wire::Finished{wire::Outcome::kFailed, 30, "out of memory", "use a smaller batch"});
  return records;
}

std::string write(const std::vector<RunRecord>& records, record::WriterOptions options = {}) {
  const std::string path = newPath();
  RunWriter writer(path, std::move(options));
  for (const RunRecord& record : records) writer.add(record);
  writer.close();
  return path;
}

std::vector<RunRecord> readAll(const RunReader& reader, std::int64_t after = 0) {
  std::vector<RunRecord> records;
  reader.replay(
      [&](RunRecord&& record) {
        records.push_back(std::move(record));
        return true;
      },
      after);
  return records;
}

template <class T>
std::vector<T> only(const std::vector<RunRecord>& records) {
  std::vector<T> chosen;
  for (const RunRecord& record : records) {
    if (const T* value = std::get_if<T>(&record)) chosen.push_back(*value);
  }
  return chosen;
}

}  // namespace

class RoundTrip : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everythingComesBackInItsOrder();
  void startStepAndEventsCanBeReadAlone();
  void environmentComesBack();
  void nanAndInfinityComeBack();
  void aTensorDeclaredAgainStaysWithItsStep();
  void stepsComeWithoutStatisticsWhereAsked();
  void onlyTheNewestStepHasStatisticsWhereAsked();
  void replayStopsWhereTold();
  void aGrowingFileIsFollowed();
  void aRepeatedStepIsItsNewest();
  void everyProfileComesBackWhole();
  void aNewerCountOfCastsTakesTheOldOnesPlace();
  void aNewerReportOfSilentFaultsTakesTheOldOnesPlace();
  void whatAComparisonDoesNotKnowStaysUnknown();
  void aRewindUndoesTheCheckpointsAfterIt();
  void whatRanksDifferInComesBack();
};

void RoundTrip::everythingComesBackInItsOrder() {
  const auto records = history();
  const RunReader reader(write(records));
  QVERIFY(readAll(reader) == records);
}

void RoundTrip::startStepAndEventsCanBeReadAlone() {
  const auto records = history();
  const RunReader reader(write(records));
  QVERIFY(reader.started() == test::sampleStarted());
  QVERIFY(reader.step(17) == test::sampleStep(17, 40));
  QVERIFY(!reader.step(30).has_value());
  QVERIFY(reader.events() == only<wire::Event>(records));
  QVERIFY(reader.trials() == only<wire::Trial>(records));
}

void RoundTrip::environmentComesBack() {
  const std::map<std::string, std::string> facts{{"libtorch", "2.11.0"}, {"threads", "2"}};
  const std::string path = write({}, {.environment = facts});
  QVERIFY(test::environmentOf(path) == facts);
  const RunReader reader(path);
  QVERIFY(!reader.started() && readAll(reader).empty());
}

void RoundTrip::nanAndInfinityComeBack() {
  auto step = test::sampleStep(1);
  step.loss = std::numeric_limits<double>::quiet_NaN();
  step.gradient_norm = -std::numeric_limits<double>::infinity();
  step.scale = std::numeric_limits<double>::infinity();
  const auto back = RunReader(write({step})).step(1);
  QVERIFY(back && std::isnan(back->loss));
  QCOMPARE(back->gradient_norm, step.gradient_norm);
  QCOMPARE(back->scale, step.scale);
  QVERIFY(back->observations == step.observations);
}

void RoundTrip::aTensorDeclaredAgainStaysWithItsStep() {
  const auto first = test::sampleStep(0, 3);
  auto second = test::sampleStep(1, 3);
  second.new_tensors = {first.new_tensors[1]};
  second.new_tensors[0].format = formats::kFloat32;
  const RunReader reader(write({first, second}));
  QVERIFY(readAll(reader) == (std::vector<RunRecord>{first, second}));
}

void RoundTrip::stepsComeWithoutStatisticsWhereAsked() {
  const RunReader reader(write({test::sampleStep(0, 5)}));
  auto expected = test::sampleStep(0, 5);
  expected.observations.clear();
  std::vector<RunRecord> given;
  reader.replay(
      [&](RunRecord&& record) {
        given.push_back(std::move(record));
        return true;
      },
      0, record::Statistics::kNone);
  QVERIFY(given == std::vector<RunRecord>{expected});
}

void RoundTrip::onlyTheNewestStepHasStatisticsWhereAsked() {
  auto last = test::sampleStep(2, 5);
  last.observations.clear();
  const RunReader reader(write({test::sampleStep(0, 5), test::sampleStep(1, 5), last}));
  QCOMPARE(reader.observations(), std::int64_t{10});
  auto first = test::sampleStep(0, 5);
  first.observations.clear();
  std::vector<RunRecord> given;
  reader.replay(
      [&](RunRecord&& record) {
        given.push_back(std::move(record));
        return true;
      },
      0, record::Statistics::kNewest);
  QVERIFY(given == (std::vector<RunRecord>{first, test::sampleStep(1, 5), last}));
}

void RoundTrip::replayStopsWhereTold() {
  const RunReader reader(write({test::sampleStep(0), test::sampleStep(1), test::sampleStep(2)}));
  int given = 0;
  QCOMPARE(reader.replay([&](RunRecord&&) { return ++given < 2; }), std::int64_t{2});
  QCOMPARE(given, 2);
}

void RoundTrip::aGrowingFileIsFollowed() {
  const std::string path = newPath();
  RunWriter writer(path);
  const RunReader early(path);
  QVERIFY(!early.started());
  writer.add(test::sampleStarted());
  for (int step = 0; step < 10; ++step) writer.add(test::sampleStep(step));
  writer.flush();
  const RunReader reader(path);
  std::int64_t reached = 0;
  int steps = 0;
  const auto count = [&](RunRecord&& record) {
    steps += std::holds_alternative<wire::StepRecord>(record);
    return true;
  };
  reached = reader.replay(count);
  QCOMPARE(steps, 10);
  for (int step = 10; step < 400; ++step) writer.add(test::sampleStep(step, 30));
  writer.flush();
  reached = reader.replay(count, reached);
  QCOMPARE(steps, 400);
  QCOMPARE(test::recordsOf<wire::StepRecord>(early).size(), std::size_t{400});
  QVERIFY(early.started() == test::sampleStarted());
  writer.add(wire::Finished{});
  writer.close();  // with two readers on the file
  QVERIFY(test::finishedOf(reader).has_value());
  QCOMPARE(reader.replay(count, reached), reached + 1);
  QVERIFY(RunReader(path).step(399) == test::sampleStep(399, 30));
}

void RoundTrip::aRepeatedStepIsItsNewest() {
  auto again = test::sampleStep(1);
  again.loss = 0.25;
  const std::string path = write({test::sampleStep(0), test::sampleStep(1), again});
  QVERIFY(RunReader(path).step(1) == again);
  QCOMPARE(test::stepCount(path), std::int64_t{3});
}

void RoundTrip::everyProfileComesBackWhole() {
  wire::Profile first = test::sampleProfile(0), second = test::sampleProfile(10);
  second.curve.state = "lost";
  second.sites[1].verdict = {.kind = wire::TensorVerdict::Kind::kUsed};
  second.bins.clear();
  wire::Profile third = test::sampleProfile(20);
  third.curve = second.curve;
  third.sites[1].verdict = {.kind = wire::TensorVerdict::Kind::kUsed};
  third.sites[2].tensor = std::numeric_limits<double>::quiet_NaN();
  const RunReader reader(write({test::sampleStarted(), first, second, third}));
  const auto profiles = test::recordsOf<wire::Profile>(reader);
  QCOMPARE(profiles.size(), std::size_t{3});
  QVERIFY(profiles[0] == first);
  QVERIFY(profiles[1] == second);
  QVERIFY(std::isnan(profiles[2].sites[2].tensor));  // not measured is not 0
  third.sites[2].tensor = 0;
  wire::Profile known = profiles[2];
  known.sites[2].tensor = 0;
  QVERIFY(known == third);
}

// A run counts its casts every second: a file that kept them all would grow with the clock.
void RoundTrip::aNewerCountOfCastsTakesTheOldOnesPlace() {
  const std::string path =
      write({test::sampleStarted(), test::sampleCasts(0, 5), test::sampleCasts(1, 9), test::sampleCasts(1, 19)});
  QVERIFY((test::recordsOf<wire::CastLedger>(RunReader(path)) ==
           std::vector{test::sampleCasts(0, 5), test::sampleCasts(1, 19)}));
  const record::Database file(path, record::Database::Mode::kReadOnly);
  QCOMPARE(file.value("SELECT count(*) FROM cast_ledgers"), std::string("2"));
}

// While somebody watches it comes every second.
void RoundTrip::aNewerReportOfSilentFaultsTakesTheOldOnesPlace() {
  const std::string path =
      write({test::sampleStarted(), sampleReport(0, 5), sampleReport(1, 9), sampleReport(1, 19), sampleReport(1, 29)});
  QVERIFY(
      (test::recordsOf<wire::SilentReport>(RunReader(path)) == std::vector{sampleReport(0, 5), sampleReport(1, 29)}));
  const record::Database file(path, record::Database::Mode::kReadOnly);
  QCOMPARE(file.value("SELECT count(*) FROM silent_reports"), std::string("2"));
}

void RoundTrip::whatAComparisonDoesNotKnowStaysUnknown() {
  wire::Float32Comparison compared = test::sampleComparison(3);
  compared.sites[0].gradient.reset();
  compared.sites[0].cosine.reset();
  compared.sites[0].gradient_added.reset();
  compared.sites[1].forward = std::numeric_limits<double>::infinity();
  const RunReader reader(write({test::sampleStarted(), compared}));
  QVERIFY(test::recordsOf<wire::Float32Comparison>(reader) == std::vector{compared});
}

void RoundTrip::aRewindUndoesTheCheckpointsAfterIt() {
  const std::string file = sampleCheckpoint(0).file;
  const RunReader reader(write({test::sampleStarted(), sampleCheckpoint(10), sampleCheckpoint(20), sampleCheckpoint(30),
                                wire::Rewound{20, file}, sampleCheckpoint(25)}));
  QVERIFY(reader.checkpoints() == (std::vector{sampleCheckpoint(10), sampleCheckpoint(20), sampleCheckpoint(25)}));
}

void RoundTrip::whatRanksDifferInComesBack() {
  wire::RunStarted started = test::sampleStartedOnRanks();
  started.policy.decisions.resize(started.model.sites.size());  // as the checks of a run require
  std::vector<RunRecord> records{started};
  for (int step = 0; step < 7; ++step) records.emplace_back(test::sampleStepOfRanks(step));
  wire::Event of_one = test::sampleEvent(6);
  of_one.rank = 1;
  records.emplace_back(of_one);
  const std::string path = write(records);
  QVERIFY(readAll(RunReader(path)) == records);
  record::Damage damage;  // with the checks of a run
  const std::vector<RunRecord> checked = readAll(RunReader(path, damage));
  QVERIFY2(damage.empty(), damage.empty() ? "" : damage.lines().front().c_str());
  QVERIFY(checked == records);
  QVERIFY(RunReader(path).step(3) == test::sampleStepOfRanks(3));

  const record::Database file(path, record::Database::Mode::kReadOnly);
  QCOMPARE(file.value("SELECT count(*) FROM step_ranks WHERE rank = 1 AND seconds > waited"), std::string("7"));
  QCOMPARE(file.value("SELECT rows FROM step_ranks JOIN steps USING (seq) WHERE step = 3 AND rank = 1"),
           std::string("[17,3]"));
  QCOMPARE(file.value("SELECT rank FROM events"), std::string("1"));
}

BINADE_SUITE(RoundTrip);
#include "tst_round_trip.moc"
