// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/damage.h"
#include "engine/record/sqlite.h"
#include "engine/wire/silent_fault.h"

namespace binade::record {

/// Writes reports of silent faults, with what became of each update, as rows: of each policy revision the newest.
class SilentWriter {
 public:
  explicit SilentWriter(const Database& database);
  void write(std::int64_t seq, const wire::SilentReport& report);

 private:
  Statement forget_faults_, forget_updates_, forget_, report_, fault_, update_;
};

/// Reads what SilentWriter wrote.
class SilentReader {
 public:
  /// `damage` as RowReader takes it.
  explicit SilentReader(const Database& database, Damage* damage = nullptr);
  /// Throws Error{kBadFile} where there is none at `seq`, or one that no writer wrote.
  wire::SilentReport read(std::int64_t seq);

 private:
  const Database& database_;
  Damage* damage_;
  Statement report_, fault_, update_;
};

}  // namespace binade::record
