// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/explain.h"
#include "engine/run/step.h"
#include "engine/train/training.h"
#include "engine/wire/records.h"

#include <cstdint>
#include <string>
#include <utility>

namespace binade::run {

/// Summarises the steps of a run: what they did, and why losses were not finite, for the result and the hint that the
/// run ends with. Use on the training thread.
class RunSummary {
 public:
  /// `training` must outlive this.
  explicit RunSummary(const train::Training& training) : training_(training) {}

  /// Call it for each step, before the others.
  void add(const wire::StepRecord& record);
  /// Keeps the cause of a non-finite step if its diagnosis proves one.
  void add_proved_cause(const StepOutcome& outcome);
  /// Keeps the cause of a non-finite loss if it names something to change. `fix`: of the run.
  void add_loss_cause(const StepOutcome& outcome, const diagnose::RunFix& fix);

  /// Returns the number of steps that changed parameters.
  std::int64_t taken() const { return taken_; }
  /// Returns the cause of the newest non-finite step, as a sentence, with a fix if known; empty: none is proved.
  const std::string& proved_cause() const { return proved_cause_; }

  /// Returns the result of a run that ended with `outcome` before step `step`. A completed run in which every step was
  /// skipped gets a message and a hint, and counts as failed if its scale cannot recover.
  wire::Finished result(wire::Outcome outcome, std::int64_t step) const;
  /// Returns a hint on what to do after the run ended itself because of `why`. `has_checkpoints`: it keeps them.
  std::string hint_after(const wire::Event& why, bool has_checkpoints) const;

 private:
  const train::Training& training_;
  std::int64_t taken_ = 0;
  std::int64_t skipped_ = 0;
  bool was_finite_ = false;  ///< at least one loss was finite
  std::string proved_cause_;
  std::pair<int, int> proved_at_{-1, -1};  ///< its site and policy revision
  std::string loss_cause_;                 ///< of the last non-finite loss, with its fix; empty: unknown
};

}  // namespace binade::run
