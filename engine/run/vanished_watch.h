// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/replay.h"
#include "engine/silent/evidence.h"
#include "engine/wire/diagnosis.h"
#include "engine/wire/records.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace binade::run {

/// Explains infinities in the forward of steps that are nevertheless finite, and remembers the results under one
/// policy. A model that uses infinities shows them in every step, so an op call's steps are replayed ever more rarely.
/// Use on the training thread.
class VanishedWatch {
 public:
  /// `replay` must outlive this.
  explicit VanishedWatch(diagnose::Replay& replay) : replay_(replay) {}

  /// Starts a step.
  void begin();

  struct Result {
    bool replayed = false;
    /// Given if an op call's overflow is new, or harmful for the first time.
    std::optional<wire::Diagnosis> diagnosis;
  };
  /// Examines the observations of `record`, a finite step that the replay holds. `watched`: the tensors that they name,
  /// by id. Does not throw if the step cannot be replayed.
  Result examine(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched);

  /// Moves what the current step showed into its evidence.
  void add_to(silent::Evidence& evidence);

 private:
  /// An op call that showed infinities.
  struct Shown {
    std::int64_t seen = 0;  ///< number of its steps
    std::int64_t due = 1;   ///< the number at which the next one is replayed
    std::optional<silent::VanishedSeen> found;
    std::string failed;  ///< why the result is unknown; empty: nothing has failed
  };
  /// Replays the step if one of these op calls is due for it.
  Result explain(std::int64_t step, const std::map<int, double>& shown);

  diagnose::Replay& replay_;
  int revision_ = -1;  ///< of the policy
  std::map<int, Shown> sites_;
  std::set<int> named_;                         ///< sites reported as harmful
  std::set<int> noticed_;                       ///< sites reported as harmless
  std::vector<silent::VanishedSeen> now_;       ///< in the current step
  std::vector<silent::Unmeasured> unmeasured_;  ///< in the current step
};

}  // namespace binade::run
