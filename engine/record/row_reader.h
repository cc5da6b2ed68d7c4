// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/cast_rows.h"
#include "engine/record/comparison_rows.h"
#include "engine/record/damage.h"
#include "engine/record/item.h"
#include "engine/record/profile_rows.h"
#include "engine/record/silent_rows.h"
#include "engine/record/sqlite.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::record {

/// Turns rows back into items: the other half of RowWriter. Keeps its statements prepared. Every read throws
/// Error{kBadFile} where the item's own row is missing or holds what no writer wrote.
class RowReader {
 public:
  /// Rows that belong to an item (its tensors, lines, findings) and cannot be read are left out of it and told to
  /// `damage`; without one the item is refused.
  explicit RowReader(const Database& database, Damage* damage = nullptr);

  /// What `table` holds at position `seq`. A step comes without its statistics where `observations` is false: they
  /// are nearly all of the work.
  Item item(const std::string& table, std::int64_t seq, bool observations);

  wire::RunStarted started(std::int64_t seq);
  wire::PolicyApplied policy(std::int64_t seq);
  wire::StepRecord step(std::int64_t seq, bool observations);
  wire::Event event(std::int64_t seq);
  wire::Evaluated evaluation(std::int64_t seq);
  wire::ScalerChanged scaler_change(std::int64_t seq);
  wire::CheckpointInfo checkpoint(std::int64_t seq);
  wire::Rewound rewind(std::int64_t seq);
  wire::LogLine log_line(std::int64_t seq);
  wire::Profile profile(std::int64_t seq);
  wire::CastLedger casts(std::int64_t seq);
  wire::Float32Comparison comparison(std::int64_t seq);
  wire::SilentReport silent(std::int64_t seq);
  wire::Finished finished(std::int64_t seq);

 private:
  const Database& database_;
  Damage* damage_;
  std::size_t sites_ = 0;  ///< of the run, once it was read
  Statement step_, step_scale_, tensor_, stats_, event_, event_tensor_, event_diagnosis_, policy_, decision_, finding_,
      evaluation_, log_;
  std::optional<ProfileReader> profiles_;  ///< made at first use, as the next
  std::optional<CastReader> casts_;
  std::optional<ComparisonReader> comparisons_;
  std::optional<SilentReader> silent_;
};

/// The newest declaration of every tensor, by id.
std::vector<wire::WatchedTensor> read_tensors(const Database& database);

}  // namespace binade::record
