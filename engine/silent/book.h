// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/silent/sign.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace binade::silent {

/// Keeps the signs of many steps and says which are faults: those that keep showing. One policy at a time.
class Book {
 public:
  /// Steps that must show a sign before it is a fault: one batch with little to learn from is none. A spike and whole
  /// numbers that are wrong need no second look.
  static constexpr std::int64_t kLeastSeen = 3;
  /// And of the steps looked at since, this share: what shows once in a while is a matter of single batches.
  static constexpr double kLeastShare = 0.25;
  /// Dead is what gave only zeros so often in a row: a layer that begins at zero leaves it after a step or two. And
  /// what gave something else so often in a row lives again.
  static constexpr std::int64_t kDeadInARow = 5;
  /// Of overflows that vanish a single one is a fault while it lasts; later, one that this share of looks showed.
  static constexpr double kLeastVanished = 0.02;
  /// A loss above it leaves nothing to pass on: that zeros follow is no fault of their own.
  static constexpr double kNearlyAll = 0.9;

  /// Another policy, or another place in the run: what was seen before is dropped.
  void begin();

  /// One step; `looked` at closely or not, its outputs at least `scanned` or not: signs of a spike and of a low scale
  /// come from every step, of overflows that vanish where outputs were scanned, all others where it was looked closely.
  /// For what is `unmeasured` the step counts as no look.
  void step(std::int64_t step, bool looked, const std::vector<Sign>& signs, bool scanned = false,
            std::span<const Unmeasured> unmeasured = {});
  /// Signs that were measured at one step on purpose: faults at once, replacing what was seen of the same before.
  void confirm(std::int64_t step, const std::vector<Sign>& signs);

  /// Dead op calls that nobody has said anything of beside float32.
  std::vector<Sign> unexplained() const;
  /// What came of one of them: takes its place, and counts as it did.
  void explain(const Sign& dead);

  /// Whether an op call has a fault of this kind.
  bool has(Sign::Kind kind, wire::Direction direction, int site) const;
  /// All faults, the worst first; of equal ones the one that comes first in the step. Dead calls stand behind losses
  /// that a loss scale mends.
  std::vector<wire::SilentFault> faults() const;
  /// Signs that may become faults and are none yet because too few steps have been looked at, the worst first.
  std::vector<wire::SilentFault> suspected() const;
  /// Those that have become faults since the last call, in the same order; `hold`: the unexplained ones later.
  std::vector<wire::SilentFault> news(bool hold = false);

  std::int64_t looked() const { return looked_; }
  /// The looks in which every kind of fault was measured somewhere: those of looked() without the ones in which a whole
  /// kind was not.
  std::int64_t looked_for_all() const;
  std::int64_t scanned() const { return scanned_; }

 private:
  using Key = std::tuple<Sign::Kind, wire::Direction, int, std::string>;
  struct Entry {
    Sign worst;
    std::int64_t worst_step = 0;
    std::int64_t first_step = 0;
    std::int64_t last_step = 0;
    std::int64_t seen = 0;
    std::int64_t in_a_row = 0;
    std::int64_t missed = 0;         ///< looks in a row that did not show it
    std::int64_t looked_before = 0;  ///< looks before the first sign
    double sum = 0;                  ///< of amounts
    bool confirmed = false;
    bool dead = false;  ///< has been zeros for long enough
    bool explained = false;
    bool told = false;
  };
  std::int64_t looks_of(Sign::Kind kind, int site) const;
  static bool is_unmeasured(const Entry& entry, std::span<const Unmeasured> unmeasured);
  std::int64_t looked_since(const Entry& entry) const;
  bool is_fault(const Entry& entry) const;
  static bool is_unexplained(const Entry& entry);
  double amount_of(const Entry& entry) const;
  wire::SilentFault fault_of(const Entry& entry) const;
  std::vector<const Entry*> ranked() const;

  std::map<Key, Entry> entries_;
  std::map<std::pair<Sign::Kind, int>, std::int64_t> unmeasured_;  ///< looks that were none, by kind and site or -1
  std::int64_t looked_ = 0;
  std::int64_t scanned_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace binade::silent
