// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/silent/fault_tracker.h"
#include "engine/silent/logits.h"
#include "engine/silent/loss_spike.h"
#include "engine/silent/low_scale.h"
#include "engine/wire/comparison.h"
#include "engine/wire/records.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace binade::silent {

/// Finds silent faults of a run, step by step. It uses measurements of the steps only. If they leave a suspicion (a
/// tensor measured after rounding) or zeros that a format may have caused, it requests a comparison with float32. Not
/// thread-safe.
class SilentFaultDetector {
 public:
  /// Limit of comparisons under one policy; each costs about three steps.
  static constexpr int kMostComparisons = 3;

  /// `sites` are indexed by id and must outlive the detector.
  explicit SilentFaultDetector(std::span<const wire::SiteInfo> sites) : sites_(sites) {}

  /// A policy comes into force before step `first_step`, or the run is rewound to it.
  void begin(int policy_revision, std::int64_t first_step);

  /// Adds a step. Returns an event for each kind of new fault, about the worst of the kind.
  std::vector<wire::Event> step(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                const Evidence& evidence);

  /// Whether a comparison with float32 is needed: rounding may hide a loss, or a dead call has no explanation.
  bool wants_comparison() const;
  /// Adds the result of a comparison; null if it failed, for the reason `why`: suspicions then stay, as bounds. `band`:
  /// safe scales of the compared step, if known. Returns events as step() does.
  std::vector<wire::Event> compared(const wire::Float32Comparison* compared,
                                    std::span<const wire::WatchedTensor> watched,
                                    const std::optional<wire::ScaleBand>& band = {}, const std::string& why = {});

  /// All findings under this policy.
  wire::SilentReport report() const;

 private:
  std::vector<wire::Event> events();
  bool may_compare() const;
  void take_updates(const Evidence& evidence, std::int64_t step);
  void note_unmeasured(const Evidence& evidence);
  void add_suspected(std::vector<wire::SilentGap>& gaps) const;
  void add_unmeasured(std::vector<wire::SilentGap>& gaps) const;

  std::span<const wire::SiteInfo> sites_;
  FaultTracker tracker_;
  LossSpikes spikes_;
  LowScale low_scale_;
  Logits logits_;
  int revision_ = 0;
  std::int64_t first_step_ = 0;
  std::int64_t last_step_ = -1;  ///< last step added; -1: none
  double scale_ = 1;
  std::int64_t suspected_ = 0;  ///< examined steps with a suspicion
  std::int64_t due_ = FaultTracker::kLeastSeen;
  int comparisons_ = 0;
  bool bounds_stand_ = false;
  std::string no_comparison_;   ///< reason why no comparison was possible
  std::set<int> unknown_;       ///< tensors with a useless bound, if only bounds are available
  bool low_ = false;            ///< some tensor's format has fewer digits than float32
  bool sees_op_calls_ = false;  ///< outputs or gradients of op calls are watched
  std::vector<wire::ParameterUpdate> updates_;
  struct Failed {
    Unmeasured what;
    std::int64_t steps = 0;  ///< in which the measurement failed
  };
  std::vector<Failed> unmeasured_;  ///< each once
  std::map<int, std::size_t> cut_;  ///< number of sites kept of longer chains, by the last one
};

}  // namespace binade::silent
