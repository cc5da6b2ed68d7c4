// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/damage.h"
#include "engine/record/run_record.h"
#include "engine/record/sqlite.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace binade::record {

class Row;
struct StepParts;

/// The columns of a step's own row, as RowReader::step() expects them.
inline constexpr const char* kStepColumns =
    "step, loss, scale, next_scale, found_inf, stepped, learning_rate, gradient_norm, seconds, observe_seconds, "
    "policy_revision";

/// Converts rows to records, the inverse of RowWriter. Keeps its statements prepared. Every read throws Error{kBadFile}
/// if the record's own row is missing or has an invalid value.
class RowReader {
 public:
  /// If rows that belong to a record (its tensors, decisions, findings) cannot be read, they are skipped and reported
  /// to `damage`. If `damage` is null, reading the record throws instead.
  explicit RowReader(const Database& database, Damage* damage = nullptr)
      : database_(database), damage_(damage), statements_(database) {}

  /// Returns the record at position `seq` of kRecordTables[kind].
  template <std::size_t kThis = 0>
  RunRecord record(std::size_t kind, std::int64_t seq) {
    if constexpr (kThis + 1 < std::variant_size_v<RunRecord>) {
      if (kind != kThis) return record<kThis + 1>(kind, seq);
    }
    return read<std::variant_alternative_t<kThis, RunRecord>>(seq);
  }

  /// Returns the step whose row of kStepColumns is the current one of a query in progress. `parts` knows which steps
  /// have more rows. Without `observations` the step has no statistics, which makes reading it much faster.
  wire::StepRecord step(const Row& row, std::int64_t seq, const StepParts& parts, bool observations);

  template <class T>
  T read(std::int64_t seq) {
    T value;
    fill(seq, value);
    return value;
  }

 private:
  void fill(std::int64_t seq, wire::RunStarted& started);
  void fill(std::int64_t seq, wire::PolicyApplied& applied);
  void fill(std::int64_t seq, wire::StepRecord& step);
  void fill(std::int64_t seq, wire::Event& event);
  void fill(std::int64_t seq, wire::Evaluated& evaluated);
  void fill(std::int64_t seq, wire::ScalerChanged& change);
  void fill(std::int64_t seq, wire::CheckpointInfo& saved);
  void fill(std::int64_t seq, wire::Rewound& rewound);
  void fill(std::int64_t seq, wire::LogLine& line);
  void fill(std::int64_t seq, wire::Profile& profile);
  void fill(std::int64_t seq, wire::CastLedger& casts);
  void fill(std::int64_t seq, wire::Float32Comparison& comparison);
  void fill(std::int64_t seq, wire::QuantizedStep& quantized);
  void fill(std::int64_t seq, wire::SilentReport& report);
  void fill(std::int64_t seq, wire::Trial& trial);
  void fill(std::int64_t seq, wire::Note& note);
  void fill(std::int64_t seq, wire::Finished& finished);

  void fill_scales(std::int64_t seq, wire::StepRecord& step);
  void fill_ranks(std::int64_t seq, wire::StepRecord& step);
  void fill_tensors(std::int64_t seq, wire::StepRecord& step);
  void fill_observations(std::int64_t seq, wire::StepRecord& step);
  std::vector<wire::SiteInfo> sites(std::optional<std::size_t> blocks);
  std::vector<wire::RankInfo> ranks();
  int own_block(const Row& row, int column, std::optional<std::size_t> blocks);
  void verdict(std::int64_t seq, wire::SiteProfile& site);

  /// Calls `read` with the row of `table` at `seq`, which must exist.
  template <class Read>
  void one(const char* table, const char* sql, std::int64_t seq, Read read);
  /// Calls `read` with each row of `table` at `seq`. Rows for which it throws are skipped and reported to `damage`.
  template <class Read>
  void each(const char* table, const char* sql, std::int64_t seq, Read read);

  const Database& database_;
  Damage* damage_;
  Statements statements_;
  std::size_t sites_ = 0;  ///< number of sites of the run, after RunStarted was read
};

}  // namespace binade::record
