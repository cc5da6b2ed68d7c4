// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/damage.h"
#include "engine/record/run_reader.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace binade::interchange {

/// Receives the share of a run that was read, from 0 to 1. Returns whether to go on.
using Progress = std::function<bool(double share)>;

/// The records of one run file, for an export. Rows that cannot be read are left out and reported to `damage`.
class RunSource {
 public:
  /// Throws Error{kBadFile} if nothing can be read. `damage` must outlive the source; `progress` may be empty.
  RunSource(const std::string& file, record::Damage& damage, Progress progress);

  const std::string& file() const { return file_; }
  const record::RunReader& reader() const { return reader_; }

  /// Passes all records to `take`, in chronological order; with or without the statistics of steps. Throws what `take`
  /// throws, Error{kCancelled} once `progress` returns false, and Error{kBadFile} if the file holds no run. A file that
  /// cannot be read to its end counts as damaged from there on.
  void each(const std::function<void(record::RunRecord&&)>& take, bool observations);

 private:
  void count(const record::RunRecord& record);

  std::string file_;
  record::Damage& damage_;
  Progress progress_;
  record::RunReader reader_;
  bool begun_ = false;
  std::int64_t steps_ = 0;
  std::int64_t planned_ = 0;
};

}  // namespace binade::interchange
