// SPDX-License-Identifier: Apache-2.0
#include "engine/record/run_reader.h"
#include "engine/record/run_writer.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/plain_readers.h"
#include "tests/support/row_changes.h"
#include "tests/wire/samples.h"

#include <sqlite3.h>

#include <filesystem>

namespace binade::fuzz {

namespace {

const std::string kEnding = ".binade";

/// All that a reader returns. Numbers of rows stand for their content: a run file has no checksums.
std::string contents_of(const record::RunReader& reader) {
  std::int64_t records = 0;
  const auto count = [&](record::RunRecord&&) {
    ++records;
    return true;
  };
  reader.replay(count);
  reader.replay(count, /*after=*/2);
  const auto started = reader.started();
  const std::size_t values = reader.events().size() + reader.trials().size() + reader.checkpoints().size() +
                             reader.environment().size() + reader.observed_steps().size();
  static_cast<void>(reader.created());
  static_cast<void>(reader.step(0));
  return std::to_string(records) + ' ' + std::to_string(values) + (started ? " begun" : "");
}

/// As the explorer reads it, which skips damaged rows, and as commands do, which refuse the first one.
std::string read_run_file(const std::string& bytes) {
  const std::string path = write_input(kEnding, bytes);
  record::Damage damage;
  contents_of(record::RunReader(path, damage));
  for (const std::string& line : damage.lines()) {
    const bool placed = line.find("table ") != std::string::npos || line.find("input" + kEnding) != std::string::npos;
    if (!placed) throw Fault("damage without its table or file: " + line);
  }
  return contents_of(record::RunReader(path));
}

void execute(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  sqlite3_open(path.c_str(), &database);
  sqlite3_exec(database, sql, nullptr, nullptr, nullptr);
  sqlite3_close(database);
}

/// A short run with every kind of record.
std::vector<std::string> valid_run_files() {
  const std::string path = write_input(kEnding, "");
  std::filesystem::remove(path);
  {
    record::RunWriter writer(path, {.environment = {{"device", "CPU"}}});
    writer.add(test::sampleStarted());
    for (int step = 0; step < 4; ++step) writer.add(test::sampleStep(step));
    writer.add(test::samplePolicyApplied(2, 4));
    writer.add(test::sampleEvent(3));
    writer.add(test::sampleProfile(3));
    writer.add(test::sampleCasts(0, 3));
    writer.add(test::sampleComparison(3));
    writer.add(test::sampleSilentReport(3));
    writer.add(test::sampleTrial(3));
    writer.add(wire::ScalerChanged{3, {.id = "a", .growth_interval = 50}, 1024});
    writer.add(wire::CheckpointInfo{"step-3.safetensors", 3, "step", 2, "sample:cnn", 12345, 1'790'000'000, 0.125});
    writer.add(wire::Note{3, "loss jumps", 1'700'000'000});
    writer.add(wire::LogLine{"warning", "BatchNorm in train mode"});
    writer.add(wire::Evaluated{3, 0.5, 0.25});
    writer.add(wire::Rewound{3, "step-3.safetensors"});
    writer.add(wire::Finished{wire::Outcome::kCompleted, 3, "", ""});
    writer.close();
  }
  // Small pages: most bytes of the file then mean something.
  execute(path, "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM; PRAGMA journal_mode = WAL");
  return {read_file(path)};
}

/// Changes rows, or bytes of the database.
Mutation damaged_run_file(const std::string& bytes, std::uint32_t seed) {
  if (seed % 2 == 0) return damaged_bytes(bytes, seed);
  const std::string path = write_input(kEnding, bytes);
  test::RowChanges(seed).change(path);
  return {read_file(path)};
}

}  // namespace

const Reader& run_file_reader() {
  static const Reader reader{"run_file", kEnding, "input" + kEnding, valid_run_files, read_run_file, damaged_run_file};
  return reader;
}

int one_run_file(const std::uint8_t* data, std::size_t size) {
  return one(run_file_reader(), data, size);
}

}  // namespace binade::fuzz
