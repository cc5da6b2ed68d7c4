// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/damage.h"
#include "engine/record/run_record.h"
#include "engine/record/sqlite.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace binade::record {

class Row;

/// Turns rows back into records: the other half of RowWriter. Keeps its statements prepared. Every read throws
/// Error{kBadFile} where the record's own row is missing or has a value that its column cannot have.
class RowReader {
 public:
  /// Rows that belong to a record (its tensors, decisions, findings) and cannot be read are left out of it and reported
  /// to `damage`; without one the record is refused.
  explicit RowReader(const Database& database, Damage* damage = nullptr)
      : database_(database), damage_(damage), statements_(database) {}

  /// What kRecordTables[kind] holds at position `seq`. A step comes without its statistics where `observations` is
  /// false: they are nearly all of the work.
  RunRecord record(std::size_t kind, std::int64_t seq, bool observations);

  template <class T>
  T read(std::int64_t seq) {
    T value;
    fill(seq, value);
    return value;
  }

 private:
  template <std::size_t kThis = 0>
  RunRecord any(std::size_t kind, std::int64_t seq);

  void fill(std::int64_t seq, wire::RunStarted& started);
  void fill(std::int64_t seq, wire::PolicyApplied& applied);
  void fill(std::int64_t seq, wire::StepRecord& step, bool observations = true);
  void fill(std::int64_t seq, wire::Event& event);
  void fill(std::int64_t seq, wire::Evaluated& evaluated);
  void fill(std::int64_t seq, wire::ScalerChanged& change);
  void fill(std::int64_t seq, wire::CheckpointInfo& saved);
  void fill(std::int64_t seq, wire::Rewound& rewound);
  void fill(std::int64_t seq, wire::LogLine& line);
  void fill(std::int64_t seq, wire::Profile& profile);
  void fill(std::int64_t seq, wire::CastLedger& casts);
  void fill(std::int64_t seq, wire::Float32Comparison& comparison);
  void fill(std::int64_t seq, wire::SilentReport& report);
  void fill(std::int64_t seq, wire::Finished& finished);

  std::vector<wire::SiteInfo> sites(std::optional<std::size_t> blocks);
  int own_block(const Row& row, int column, std::optional<std::size_t> blocks);
  void verdict(std::int64_t seq, wire::SiteProfile& site);

  /// Calls `read` with the row of `table` at `seq`, which must be there.
  template <class Read>
  void one(const char* table, const char* sql, std::int64_t seq, Read read);
  /// Calls `read` with each row of `table` at `seq`. Those that it refuses are left out, as `damage` says.
  template <class Read>
  void each(const char* table, const char* sql, std::int64_t seq, Read read);

  const Database& database_;
  Damage* damage_;
  Statements statements_;
  std::size_t sites_ = 0;  ///< of the run, once it was read
};

}  // namespace binade::record
