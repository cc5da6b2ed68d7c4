// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/trial_basis.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace binade::words {

/// The trainings of a seed with one policy: `before`, `after` or `noise`.
using Arm = wire::TrialTraining;

/// Figures of the three trainings of a Try, for its table in the report, on the command line and in the window. They
/// rest on the steps and seeds that the verdict rests on: a training of which the others have no counterpart, because
/// the Try was ended early, does not count.
class TrialMeans {
 public:
  static constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
  static constexpr std::int64_t kLast = 20;  ///< their mean loss shows where the trainings arrive

  /// `trial` must outlive this.
  explicit TrialMeans(const wire::Trial& trial) : trial_(trial), basis_(wire::basis_of(trial)) {}

  const wire::TrialBasis& basis() const { return basis_; }
  std::int64_t seeds() const { return std::ssize(basis_.seeds); }

  /// Mean over the seeds of the mean loss of the last `steps` steps compared; nullopt: the training does not have all
  /// of them. May be NaN, which is a loss here.
  std::optional<double> loss(Arm arm, std::int64_t steps = kAll) const;

  /// Whether the mean loss of the last kLast steps compared is another than that of all: each seed has more steps.
  bool has_last() const;

  /// Mean of a figure over the seeds in which all three trainings know it; if none does, over those in which both
  /// policies know it, or else over those in which this training does. NaN without any.
  double mean(Arm arm, double wire::TrialArm::*figure) const;
  double mean(Arm arm, std::optional<double> wire::TrialArm::*figure) const;
  /// The smallest and the largest value of a figure over the same seeds, for a figure whose mean no training had, such
  /// as a loss scale.
  std::pair<double, double> range(Arm arm, double wire::TrialArm::*figure) const;

  /// Sum over the seeds.
  std::int64_t sum(Arm arm, std::int64_t wire::TrialArm::*count) const;
  /// Number of steps that a training made in these seeds, also beyond those compared.
  std::int64_t steps_made(Arm arm) const;
  /// Number of those whose loss is not finite.
  std::int64_t steps_not_finite(Arm arm) const;
  /// Whether trainings that made a step made different numbers of them, so that their sums are not comparable.
  bool made_differ() const;

 private:
  template <class Known>
  std::vector<double> known(Arm arm, const Known& of) const;

  const wire::Trial& trial_;
  wire::TrialBasis basis_;
};

}  // namespace binade::words
