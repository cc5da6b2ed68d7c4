// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/wire/diagnosis.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What is wrong with a run although nothing in it is infinite. Plain values.

namespace binade::wire {

/// One fault that no NaN and no infinity tells of, as all steps so far show it.
struct SilentFault {
  enum class Kind : std::uint8_t {
    kUnderflow,         ///< values that are not 0 become 0 in their format
    kUpdateLost,        ///< the optimizer's step is too small to change the stored weight
    kDeadSite,          ///< only zeros: nothing passes, forward or backward
    kLossSpike,         ///< a loss far above its usual spread
    kLargeLogits,       ///< what goes into a softmax has grown beyond what its format resolves
    kInexactIntegers,   ///< whole numbers (positions, indices) beyond 2^(M+1) in a low format
    kLowState,          ///< the optimizer keeps sums in a 16-bit format that does not hold them
    kVanishedOverflow,  ///< values overflow, the infinity vanishes in a later call, and that gives something else
    kLostSum,           ///< a chain of additions, whose roundings add up
    kLowScale,          ///< the loss scale has settled where it lifts no gradient
  };
  Kind kind = Kind::kUnderflow;
  Direction direction = Direction::kForward;
  int site = -1;     ///< where it happens; -1: at no op call (a parameter, the loss)
  std::string what;  ///< the tensor: `output`, an argument's name, a parameter's, `fc1.weight.exp_avg_sq`, `loss`
  formats::Format format = formats::kFloat32;  ///< that it is held in
  std::int64_t first_step = 0;                 ///< that showed it
  std::int64_t last_step = 0;
  std::int64_t seen = 0;    ///< steps that showed it
  std::int64_t looked = 0;  ///< steps since the first of them that were looked at for it
  /// What the list is ranked by: the share that is lost, 0..1, or the relative error that is added; the mean over
  /// `looked`. Of a spike, the share of the loss that is above its usual.
  double amount = 0;
  std::optional<double> largest{};  ///< of kVanishedOverflow: the largest magnitude that float32 holds there
  std::string unit;                 ///< of what that is a share: `of the gradient's norm`
  bool bound = false;               ///< `amount` is the most that it can be: what was lost could not be seen
  std::string sentence;             ///< what a person reads first
  /// The step that `sentence` has its figures from, where `amount` is the mean over several.
  std::optional<std::int64_t> worst_step{};
  std::string next;  ///< the next step, in words
  Fix fix;           ///< what the next step edits; of kUnderflow, `fix.scale` is the least loss scale that serves
  friend bool operator==(const SilentFault&, const SilentFault&) = default;
};

/// What the optimizer's step did to one parameter, at the newest step that was looked at.
struct ParameterUpdate {
  std::string parameter;
  formats::Format format = formats::kFloat32;  ///< that stores it
  std::int64_t step = 0;
  std::uint64_t elements = 0;
  std::uint64_t moved = 0;        ///< of them, those whose update u is not 0
  std::uint64_t lost = 0;         ///< of these, those that stay as they are: round(w + u) = w
  double lost_norm = 0;           ///< the share of the update's norm that these had, 0..1
  double update_over_weight = 0;  ///< norms; of a parameter that is 0 altogether, infinite
  friend bool operator==(const ParameterUpdate&, const ParameterUpdate&) = default;
};

/// Every silent fault of a run under one policy, the worst first. A later report replaces an earlier one.
struct SilentReport {
  /// Looks below which nothing can be said of a run that shows no fault: so many in a row make a call dead, and fewer
  /// a fault of most other kinds.
  static constexpr std::int64_t kFewestLooks = 5;
  int policy_revision = 0;
  std::int64_t first_step = 0;  ///< under this policy
  std::int64_t last_step = 0;
  std::int64_t looked = 0;  ///< of these steps, how many were looked at closely
  std::vector<SilentFault> faults;
  std::vector<std::string> hidden;       ///< sentences: what could not be seen, and why
  std::vector<ParameterUpdate> updates;  ///< of every parameter that the optimizer steps, in its order
  friend bool operator==(const SilentReport&, const SilentReport&) = default;

  std::int64_t steps() const { return last_step + 1 - first_step; }
};

enum class SilentVerdict : std::uint8_t {
  kFaults,
  kNone,         ///< looked at often enough
  kNotKnownYet,  ///< too few steps were looked at
};
SilentVerdict verdict_of(const SilentReport& report);
/// `none`, `faults`, `not_known_yet`.
std::string name(SilentVerdict verdict);

/// How to come to enough looks: so many further steps when every `every`-th is looked at, or an interval at which the
/// steps of the report had been enough; 0 where they are too few at any.
struct MoreLooks {
  std::int64_t steps = 0;
  std::int64_t every = 0;
};
MoreLooks more_looks(const SilentReport& report, std::int64_t every);

std::string name(SilentFault::Kind kind);

}  // namespace binade::wire
