// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/damage.h"
#include "engine/record/run_record.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace binade::record {

/// Which steps a reader gives their statistics of tensors, which are most of a file's bytes.
enum class Statistics {
  kAll,
  kNewest,  ///< only the newest step that has some
  kNone     ///< about 50 times faster
};

/// Reads a run file, which may be complete, cut off by a crash, or still being written. Never changes it. Each call
/// reads the newest consistent state. Every call may throw Error{kBadFile} for a damaged file. Use from one thread at a
/// time.
class RunReader {
 public:
  /// Throws Error{kBadFile} if the file is missing, empty, truncated, not a run file, or of another version.
  explicit RunReader(const std::string& path);
  /// Skips rows with invalid values and rows that do not fit their run, and reports them to `damage`, which must
  /// outlive the reader. Throws only if nothing can be read.
  RunReader(const std::string& path, Damage& damage);
  ~RunReader();
  RunReader(RunReader&&) noexcept;
  RunReader& operator=(RunReader&&) noexcept;

  /// When the file was created, in seconds since 1970, UTC. nullopt if the file does not say.
  std::optional<std::int64_t> created() const;
  /// nullopt if the engine ended before the training started.
  std::optional<wire::RunStarted> started() const;
  /// Returns the newest record with this step number; nullopt if there is none.
  std::optional<wire::StepRecord> step(std::int64_t step) const;
  std::vector<wire::Event> events() const;
  std::vector<wire::Trial> trials() const;
  /// Saved checkpoints, oldest first, without those of steps that a later rewind undid. Their files may be gone.
  std::vector<wire::CheckpointInfo> checkpoints() const;
  /// The tables `meta` and `environment` as one: properties of the file, the program and the machine.
  std::map<std::string, std::string> environment() const;
  /// Numbers of the steps with statistics of tensors, ascending and without repetition.
  std::vector<std::int64_t> observed_steps() const;
  /// Number of tensors' statistics in the file, counted over all steps.
  std::int64_t observations() const;

  /// Passes all records after position `after` to `take`, in chronological order, until it returns false. Returns the
  /// position of the last record passed, or `after` if there was none, for a later call on a growing file. The first
  /// position is 1.
  std::int64_t replay(const std::function<bool(RunRecord&&)>& take, std::int64_t after = 0,
                      Statistics statistics = Statistics::kAll) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace binade::record
