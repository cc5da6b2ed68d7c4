// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"
#include "engine/policy/resolve.h"
#include "engine/wire/records.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace binade::app {

/// A change of a scaler by the user.
struct ScalerEdit {
  std::int64_t step = 0;
  std::optional<wire::ScalerConfig> before;  ///< nullopt if the run has no such scaler
  wire::ScalerConfig after;
  double scale = 1;  ///< from that step on
};

/// A policy that came into force. The first one of a run is its initial policy.
struct PolicyEdit {
  int revision = 0;
  std::int64_t step = 0;
  policy::Policy policy;
  std::vector<policy::Finding> findings;
  std::string checkpoint;  ///< file with the state of the training at that step; empty: none was saved
};

/// The training went back to an earlier state. What it restored, such as scalers, is no edit.
struct RewindMade {
  std::int64_t step = 0;  ///< the next one afterwards
  std::int64_t from = 0;  ///< the one that would have been next
  std::string file;
  std::optional<PolicyEdit> policy;  ///< in force afterwards; nullopt: not reported yet
};

/// Two policies were compared by training.
struct TryMade {
  std::size_t trial = 0;  ///< index in RunModel::trials()
};

/// What was done to a run, in the order in which it was done. A rewind removes nothing: this is the history of the
/// work, not of the training.
class RunPast {
 public:
  using Deed = std::variant<PolicyEdit, ScalerEdit, RewindMade, TryMade>;

  const std::vector<Deed>& deeds() const { return deeds_; }

  /// `resumed`: the checkpoint that the run began from; empty: none.
  void begin(const wire::PolicyApplied& first, const std::string& resumed);
  void add(const wire::PolicyApplied& applied);
  void add(const ScalerEdit& edit);
  void add(const wire::CheckpointInfo& saved);
  void add(const wire::Rewound& rewound, std::int64_t from);
  void add(TryMade made) { deeds_.emplace_back(made); }

 private:
  /// The rewind whose restored settings are still being reported; null: none.
  RewindMade* openRewind();

  std::vector<Deed> deeds_;
  std::optional<wire::CheckpointInfo> before_edit_;  ///< saved for the edit that is reported next
};

}  // namespace binade::app
