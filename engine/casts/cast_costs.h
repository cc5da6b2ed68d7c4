// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/ledger.h"
#include "engine/casts/cast_sources.h"
#include "engine/casts/edit_savings.h"
#include "engine/train/training.h"
#include "engine/wire/casts.h"

#include <chrono>
#include <cstdint>
#include <optional>

namespace binade::casts {

/// Keeps a training's cast ledger: what casts cost, why they are made, and which edit would remove each. Accumulates
/// the steps since the last take() or reset(). Registers a ledger with the training's Autocast during its lifetime. Not
/// thread-safe.
class CastCosts {
 public:
  explicit CastCosts(train::Training& training);
  ~CastCosts();
  CastCosts(const CastCosts&) = delete;
  CastCosts& operator=(const CastCosts&) = delete;

  /// Records a step that took `seconds`.
  void stepped(std::int64_t step, double seconds);
  /// Returns whether a new ledger should be reported: after a few steps of a new policy, then once per second.
  bool due() const;
  /// Returns the ledger of the steps so far, the most bytes first, and starts anew. The first call after reset() runs
  /// an extra forward, without changing the training, to find where arguments come from; throws what that forward
  /// throws. Tries one edit per call while that stays below a hundredth of the training time.
  wire::CastLedger take();
  /// Tries the edits of a ledger's first lines, at most `most`, and writes what they save into it.
  void measure_savings(wire::CastLedger& casts, int most);
  /// Discards all counts, because another policy is in force.
  void reset();

  /// Returns sentences about edits whose savings could not be measured since the last call.
  std::vector<std::string> take_failures() { return savings_.take_failures(); }

 private:
  using Clock = std::chrono::steady_clock;
  wire::CastLine line(const autocast::LedgerRow& row) const;

  train::Training& training_;
  autocast::CastLedger ledger_;
  std::optional<CastSources> sources_;
  EditSavings savings_;
  double trained_ = 0;  ///< seconds of steps since reset()
  std::int64_t first_step_ = 0;
  std::int64_t steps_ = 0;
  double seconds_ = 0;
  Clock::time_point reported_{};
};

}  // namespace binade::casts
