// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/damage.h"
#include "engine/record/sqlite.h"
#include "engine/wire/comparison.h"

#include <cstdint>

namespace binade::record {

/// Writes steps beside float32 as rows.
class ComparisonWriter {
 public:
  explicit ComparisonWriter(const Database& database);
  void write(std::int64_t seq, const wire::Float32Comparison& comparison);

 private:
  Statement comparison_, site_, note_;
};

/// Reads what ComparisonWriter wrote.
class ComparisonReader {
 public:
  /// `damage` as RowReader takes it.
  explicit ComparisonReader(const Database& database, Damage* damage = nullptr);
  /// Throws Error{kBadFile} where there is none at `seq`.
  wire::Float32Comparison read(std::int64_t seq);

 private:
  const Database& database_;
  Damage* damage_;
  Statement comparison_, site_, note_;
};

}  // namespace binade::record
