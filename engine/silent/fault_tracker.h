// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/silent/symptom.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace binade::silent {

/// Collects the symptoms of many steps and decides which are faults, by how often they occur. One policy at a time.
class FaultTracker {
 public:
  /// Steps that must show a symptom before it is a fault: a single batch may have little to learn from. Loss spikes and
  /// inexact integers are faults at once.
  static constexpr std::int64_t kLeastSeen = 3;
  /// Share of the steps examined since the first symptom that must show it; rarer symptoms depend on single batches.
  static constexpr double kLeastShare = 0.25;
  /// Consecutive steps with only zeros that make a call dead: a layer initialised to zero leaves it after a step or
  /// two. As many consecutive steps with other values end it.
  static constexpr std::int64_t kDeadInARow = 5;
  /// An overflow that vanishes is a fault at once and as long as it recurs; later, if it shows in this share of the
  /// steps.
  static constexpr double kLeastVanished = 0.02;
  /// A loss of this share leaves nothing to pass on: zeros after it are a consequence, not a separate fault.
  static constexpr double kNearlyAll = 0.9;

  /// Starts anew for another policy or another place in the run; drops all symptoms.
  void begin();

  /// Adds one step. Symptoms of spikes and low scales come from every step, those of vanished overflows from steps
  /// whose outputs were `scanned`, all others from steps that were examined (`observed`). For kinds and sites in
  /// `unmeasured` the step does not count.
  void step(std::int64_t step, bool observed, const std::vector<Symptom>& symptoms, bool scanned = false,
            std::span<const Unmeasured> unmeasured = {});
  /// Adds symptoms that a comparison measured at one step. They are faults at once and replace earlier symptoms of the
  /// same.
  void confirm(std::int64_t step, const std::vector<Symptom>& symptoms);

  /// Dead op calls that no comparison with float32 has explained yet.
  std::vector<Symptom> unexplained() const;
  /// Replaces the symptom of a dead call by its explanation.
  void explain(const Symptom& dead);

  /// Whether an op call has a fault of this kind and direction.
  bool has(Symptom::Kind kind, wire::Direction direction, int site) const;
  /// All faults, the worst first; equal ones in the order of execution. Dead calls rank behind losses that a loss scale
  /// fixes.
  std::vector<wire::SilentFault> faults() const;
  /// Symptoms that are not faults only because too few steps have been examined, the worst first.
  std::vector<wire::SilentFault> suspected() const;
  /// Faults new since the last call, in the order of faults(). `hold` defers dead calls without an explanation.
  std::vector<wire::SilentFault> news(bool hold = false);

  std::int64_t observed() const { return observed_; }
  /// Number of observed steps in which every kind of fault was measured at some site.
  std::int64_t fully_observed() const;
  std::int64_t scanned() const { return scanned_; }

 private:
  using Key = std::tuple<Symptom::Kind, wire::Direction, int, std::string>;
  struct Entry {
    Symptom worst;
    std::int64_t worst_step = 0;
    std::int64_t first_step = 0;
    std::int64_t last_step = 0;
    std::int64_t seen = 0;
    std::int64_t in_a_row = 0;
    std::int64_t missed = 0;           ///< consecutive examined steps that did not show it
    std::int64_t observed_before = 0;  ///< examined steps before the first symptom
    double sum = 0;                    ///< sum of the amounts
    bool confirmed = false;
    bool dead = false;  ///< only zeros for kDeadInARow steps
    bool explained = false;
    bool reported = false;
  };
  std::int64_t observed_for(Symptom::Kind kind, int site) const;
  static bool is_unmeasured(const Entry& entry, std::span<const Unmeasured> unmeasured);
  std::int64_t observed_since(const Entry& entry) const;
  bool is_fault(const Entry& entry) const;
  static bool is_unexplained(const Entry& entry);
  double amount_of(const Entry& entry) const;
  wire::SilentFault fault_of(const Entry& entry) const;
  std::vector<const Entry*> ranked() const;

  std::map<Key, Entry> entries_;
  std::map<std::pair<Symptom::Kind, int>, std::int64_t> unmeasured_;  ///< examined steps that do not count, by kind and
                                                                      ///< site or -1
  std::int64_t observed_ = 0;
  std::int64_t scanned_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace binade::silent
