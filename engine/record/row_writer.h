// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/cast_rows.h"
#include "engine/record/comparison_rows.h"
#include "engine/record/item.h"
#include "engine/record/profile_rows.h"
#include "engine/record/silent_rows.h"
#include "engine/record/sqlite.h"

#include <cstdint>

namespace binade::record {

/// Turns items into rows; keeps its statements prepared. Begins at position 1.
class RowWriter {
 public:
  explicit RowWriter(Database& database);

  void write(const Item& item);

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
  void rows(const wire::Profile& profile) { profiles_.write(seq_, profile); }
  void rows(const wire::CastLedger& casts) { casts_.write(seq_, casts); }
  void rows(const wire::Float32Comparison& comparison) { comparisons_.write(seq_, comparison); }
  void rows(const wire::SilentReport& report) { silent_.write(seq_, report); }
  void rows(const wire::Finished& finished);

  Database& database_;
  std::int64_t seq_ = 0;
  Statement step_, step_scale_, stats_, tensor_, event_, event_tensor_, event_diagnosis_, policy_, decision_, finding_,
      evaluation_, log_;
  ProfileWriter profiles_;
  CastWriter casts_;
  ComparisonWriter comparisons_;
  SilentWriter silent_;
};

}  // namespace binade::record
