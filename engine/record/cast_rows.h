// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/damage.h"
#include "engine/record/sqlite.h"
#include "engine/wire/casts.h"

#include <cstdint>

namespace binade::record {

/// Writes what casts cost as rows. A run counts them every second: the newest count of a policy revision takes the
/// older one's place.
class CastWriter {
 public:
  explicit CastWriter(const Database& database);
  void write(std::int64_t seq, const wire::CastLedger& casts);

 private:
  Statement forget_lines_, forget_, ledger_, line_;
};

/// Reads what CastWriter wrote.
class CastReader {
 public:
  /// `damage` as RowReader takes it.
  explicit CastReader(const Database& database, Damage* damage = nullptr);
  /// Throws Error{kBadFile} where there is none at `seq`, or a format is not known.
  wire::CastLedger read(std::int64_t seq);

 private:
  const Database& database_;
  Damage* damage_;
  Statement ledger_, line_;
};

}  // namespace binade::record
