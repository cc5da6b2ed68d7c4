// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/book.h"
#include "engine/silent/evidence.h"
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

/// Says of a run, step after step, what is wrong with it although nothing is infinite. It sees only what steps show;
/// where that leaves a suspicion (a tensor seen after rounding), or zeros that a format may have made, it asks for a
/// comparison with float32.
class Judge {
 public:
  /// Comparisons under one policy: each costs three steps or so.
  static constexpr int kMostComparisons = 3;

  /// `sites` by id; must outlive it.
  explicit Judge(std::span<const wire::SiteInfo> sites) : sites_(sites) {}

  /// A policy comes into force before step `first_step`, or the run goes back there.
  void begin(int policy_revision, std::int64_t first_step);

  /// A step is done. Gives an event for what has become a fault; of several of a kind one, for the worst.
  std::vector<wire::Event> step(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                const Evidence& evidence);

  /// Something may be lost that rounding hides, or dead for no other reason: a step beside float32 would tell.
  bool wants_comparison() const;
  /// Its answer; null: it could not be made, and suspicions stand as bounds. `band`: the safe scales of that step,
  /// where they are known. `why` it could not be made.
  std::vector<wire::Event> compared(const wire::Float32Comparison* compared,
                                    std::span<const wire::WatchedTensor> watched,
                                    const std::optional<wire::ScaleBand>& band = {}, const std::string& why = {});

  /// Everything found so far under this policy.
  wire::SilentReport report() const;

 private:
  std::vector<wire::Event> events();
  bool may_compare() const;
  void take_updates(const Evidence& evidence, std::int64_t step);
  void note_unmeasured(const Evidence& evidence);
  std::string no_comparison_text() const;
  void add_suspected(std::vector<std::string>& sentences) const;
  void add_unmeasured(std::vector<std::string>& sentences) const;

  std::span<const wire::SiteInfo> sites_;
  Book book_;
  LossSpikes spikes_;
  LowScale low_scale_;
  Logits logits_;
  int revision_ = 0;
  std::int64_t first_step_ = 0;
  std::int64_t last_step_ = -1;  ///< that was judged; -1: none
  double scale_ = 1;
  std::int64_t suspected_ = 0;  ///< looks that showed a suspicion
  std::int64_t due_ = Book::kLeastSeen;
  int comparisons_ = 0;
  bool bounds_stand_ = false;
  std::string no_comparison_;   ///< why there was none
  std::set<int> unknown_;       ///< tensors of which even a bound says nothing, while bounds stand
  bool low_ = false;            ///< something is held in a format of few digits
  bool sees_op_calls_ = false;  ///< their outputs or gradients are watched
  std::vector<wire::ParameterUpdate> updates_;
  struct Failed {
    Unmeasured what;
    std::int64_t looks = 0;  ///< in which it could not be measured
  };
  std::vector<Failed> unmeasured_;  ///< each once
  std::map<int, std::size_t> cut_;  ///< sums with more sites than were kept, by their last site
};

}  // namespace binade::silent
