// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/damage.h"
#include "engine/record/run_record.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace binade::record {

/// Reads a run file: a whole one, one whose engine was killed, or one that is being written at this moment. Never
/// changes it. Each call sees one consistent state, the newest. Every call may throw Error{kBadFile} for a damaged
/// file. Use from one thread at a time.
class RunReader {
 public:
  /// Throws Error{kBadFile} for anything that is not a run file this program can read: missing, empty, another kind of
  /// file, truncated, of another version.
  explicit RunReader(const std::string& path);
  /// Skips rows with invalid values and rows that do not fit their run, and reports them to `damage`, which must
  /// outlive the reader. Throws only if nothing can be read.
  RunReader(const std::string& path, Damage& damage);
  ~RunReader();
  RunReader(RunReader&&) noexcept;
  RunReader& operator=(RunReader&&) noexcept;

  /// Nothing where the engine was ended before the training began.
  std::optional<wire::RunStarted> started() const;
  /// The newest record of this step number; nothing where it is not there.
  std::optional<wire::StepRecord> step(std::int64_t step) const;
  std::vector<wire::Event> events() const;

  /// Gives what was recorded behind position `after`, in the order in which it happened, until `take` returns false.
  /// Returns the position of the last record given (`after` where there was none), for a later call on a file that
  /// grows. Positions begin at 1. Without `observations` steps come without their statistics, some 50 times faster.
  std::int64_t replay(const std::function<bool(RunRecord&&)>& take, std::int64_t after = 0,
                      bool observations = true) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace binade::record
