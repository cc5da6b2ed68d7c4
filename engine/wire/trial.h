// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"
#include "engine/wire/profile.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::wire {

/// One training of a Try: K steps from its checkpoint.
struct TrialArm {
  std::vector<double> losses;          ///< of each step, unscaled; may be NaN or infinite. Shorter if it was cut short
  std::optional<double> evaluation{};  ///< loss on the test data after the last step; nullopt: the run has none
  std::optional<double> accuracy{};    ///< on the test data, 0..1
  std::int64_t overflows = 0;          ///< steps in which a scaler found a gradient that was not finite
  std::int64_t skipped = 0;            ///< steps that the optimizer did not make
  double scale = 1;  ///< loss scale after the last step, of the first scaler if there are several; NaN: it is off
  double seconds = kNotMeasured;     ///< median wall time of a step
  double casts = kNotMeasured;       ///< copies made by casts in a step
  double cast_bytes = kNotMeasured;  ///< bytes written by them
  double peak_bytes = kNotMeasured;  ///< the most memory of tensors in a step beyond that held before it
  bool finite_weights = true;        ///< false: a parameter was NaN or infinite after the last step
  std::string failure{};             ///< why it could not go on, for people; empty: it did
  friend bool operator==(const TrialArm&, const TrialArm&) = default;
};

/// Whether the optimizer made no step: the scaler skipped all of them, so nothing was trained.
inline bool skips_every_step(const TrialArm& arm) {
  const auto made = static_cast<std::int64_t>(arm.losses.size());
  return made > 0 && arm.skipped >= made;
}

/// The trainings of a Try on the same batches, from the same state and random state.
struct TrialSeed {
  std::int64_t seed = 0;  ///< 0: the batches that follow the checkpoint. n: those n times K steps further on
  TrialArm before;        ///< the policy to compare with
  TrialArm after;         ///< the policy that is tried
  TrialArm noise;         ///< `before`, with every parameter moved by one unit in the last place
  friend bool operator==(const TrialSeed&, const TrialSeed&) = default;
};

/// Mean difference `after` - `before` of a quantity over steps and seeds.
struct TrialDifference {
  double before = 0;  ///< mean of the quantity
  double after = 0;
  double mean = 0;  ///< of the paired differences
  double low = 0;   ///< 95 % confidence interval of `mean`; equal to `mean` where one value cannot give any
  double high = 0;
  double noise = 0;  ///< how far rounding alone moves it, either way, as measured; NaN: not known
  /// Differences up to this size count as equal, however small the noise; nullopt: none do, or an older engine judged,
  /// whose `noise` is at least as large.
  std::optional<double> floor{};
  friend bool operator==(const TrialDifference&, const TrialDifference&) = default;
};

/// Half the width of the band around 0 outside of which a difference counts: the noise, or the floor if that is larger.
/// NaN if the noise is not known.
inline double band_of(const TrialDifference& difference) {
  return std::max(difference.noise, difference.floor.value_or(0));  // a NaN that comes first stays
}

/// Whether a difference that counts as equal does so only because of the floor: it is larger than the noise.
inline bool floor_decides(const TrialDifference& difference) {
  const double size = std::abs(difference.mean);
  return size > difference.noise && size <= difference.floor.value_or(0);
}

/// The answer of a Try.
enum class TrialVerdict : std::uint8_t {
  kInsideNoise,  ///< the loss cannot be told from that of the policy before
  kBetter,       ///< the loss is lower
  kWorse,        ///< the loss is higher, from step `worse_from` on
  kDiverged,     ///< the loss or a weight is no longer finite, or the loss runs away, from step `worse_from` on
  kDoesNotRun,   ///< a step of the policy fails; TrialArm::failure has the reason
  kUnknown,      ///< too few steps were made to tell, or the policy before diverges or fails, alone or as well
};

/// What the matrix products and casts of a step would take on a GPU with tensor cores. Not a measurement.
struct TrialEstimate {
  std::string gpu;    ///< `H100 SXM5`: whose quoted peak figures were used
  double before = 0;  ///< seconds of the products and casts of a step, by the roofline model: a lower bound
  double after = 0;
  friend bool operator==(const TrialEstimate&, const TrialEstimate&) = default;
};

/// Two policies trained from one checkpoint, beside a third training that shows what rounding alone does.
struct Trial {
  std::string name;  ///< of the change: `fc1 in float32`
  policy::Policy before;
  policy::Policy after;
  std::string checkpoint;  ///< path as it was given, with folders; empty: the start of the run
  std::int64_t first_step = 0;
  std::int64_t steps = 0;  ///< K, as requested
  std::vector<TrialSeed> seeds;
  bool complete = true;  ///< false: it was cancelled, or its engine ended
  TrialVerdict verdict = TrialVerdict::kUnknown;
  std::optional<std::int64_t> worse_from{};  ///< a step of the run
  TrialDifference loss{};
  /// The loss over the last half of the steps; nullopt: the verdict does not rest on that half alone.
  std::optional<TrialDifference> late_loss{};
  std::optional<TrialDifference> evaluation{};
  std::optional<TrialDifference> seconds{};  ///< of a step; nullopt: an arm was cut short
  bool emulated_before = false;              ///< its times are those of emulation and say nothing about the formats
  bool emulated_after = false;
  std::vector<TrialEstimate> estimates{};  ///< for GPUs with tensor cores; empty: no product is known
  std::vector<std::string> notes{};        ///< what makes the comparison inexact, for people; mostly empty
  std::int64_t made = 0;                   ///< seconds since 1970
  friend bool operator==(const Trial&, const Trial&) = default;
};

}  // namespace binade::wire
