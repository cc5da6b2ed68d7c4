// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/ledger.h"
#include "engine/train/cast_prices.h"
#include "engine/train/cast_sources.h"
#include "engine/train/training.h"
#include "engine/wire/casts.h"

#include <chrono>
#include <cstdint>
#include <optional>

namespace binade::train {

/// Keeps the cast ledger of a training: what casts cost, why they are made, and which edit would remove each. Steps
/// since the last take() or reset() count together. The training's own Autocast counts for it while it lives. One
/// thread.
class CastBook {
 public:
  explicit CastBook(Training& training);
  ~CastBook();
  CastBook(const CastBook&) = delete;
  CastBook& operator=(const CastBook&) = delete;

  /// A step is over, which took this long.
  void stepped(std::int64_t step, double seconds);
  /// Whether there is news to tell: after a few steps of a new policy, then once in a while.
  bool due() const;
  /// The ledger of the steps so far, dearest argument first (by bytes), and begins anew. The first after a reset runs
  /// one forward aside, to see where arguments come from; it changes nothing. Throws what that forward throws.
  /// Edits are tried one by one, as long as that stays below a hundredth of the time that steps take.
  wire::CastLedger take();
  /// Tries the edits of a ledger's first lines at once, and writes what they cost into it.
  void price(wire::CastLedger& casts, int most);
  /// Another policy is in force: what was counted is dropped.
  void reset();

  /// Sentences about edits whose price could not be measured since the last call.
  std::vector<std::string> take_failures() { return prices_.take_failures(); }

 private:
  using Clock = std::chrono::steady_clock;
  wire::CastLine line(const autocast::LedgerRow& row) const;

  Training& training_;
  autocast::CastLedger ledger_;
  std::optional<CastSources> sources_;
  CastPrices prices_;
  double trained_ = 0;  ///< seconds of steps since the last reset()
  std::int64_t first_step_ = 0;
  std::int64_t steps_ = 0;
  double seconds_ = 0;
  Clock::time_point told_{};
};

}  // namespace binade::train
