// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/run_record.h"
#include "engine/record/sqlite.h"
#include "engine/words/event_text.h"

#include <cstdint>
#include <map>
#include <string>

namespace binade::record {

/// Converts records to rows. Keeps its statements prepared. The first record has position 1, or the one after
/// continue_after().
class RowWriter {
 public:
  explicit RowWriter(const Database& database) : database_(database) {}

  void write(const RunRecord& record);

  /// Makes `seq` the position of the record before the next one. Call it where another process may have written.
  void continue_after(std::int64_t seq) { seq_ = seq; }
  /// The position of the newest record that this object wrote, or that of continue_after().
  std::int64_t seq() const { return seq_; }

 private:
  void rows(const wire::RunStarted& started);
  void rows(const wire::StepRecord& step);
  void rows(const wire::Event& event);
  void rows(const wire::Evaluated& evaluated);
  void rows(const wire::PolicyApplied& applied);
  void rows(const wire::ScalerChanged& change);
  void rows(const wire::CheckpointInfo& saved);
  void rows(const wire::Rewound& rewound);
  void rows(const wire::LogLine& line);
  void rows(const wire::Profile& profile);
  void rows(const wire::CastLedger& casts);
  void rows(const wire::Float32Comparison& comparison);
  void rows(const wire::QuantizedStep& quantized);
  void rows(const wire::SilentReport& report);
  void rows(const wire::Trial& trial);
  void rows(const wire::Note& note);
  void rows(const wire::Finished& finished);

  /// Adds a row with these values, in the order of the table's columns. `table` is a literal.
  template <class... Values>
  void insert(const char* table, const Values&... values);
  /// Adds a row and deletes older ones of its policy revision, for records of which the file keeps only the newest.
  template <class T>
  void replace(const T& record);

  const Database& database_;
  std::int64_t seq_ = 0;
  words::NameBook names_;                        ///< for the sentences of events
  std::map<int, wire::TensorVerdict> verdicts_;  ///< the newest verdict of each op call; only changes are written
  std::map<const char*, Statement> inserts_;     ///< by the address of the table's name
};

}  // namespace binade::record
