// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/search.h"

#include <cstddef>
#include <vector>

namespace binade::search {

/// Estimates what a change of format saves, from the op calls before and after in execution order: which one produces
/// an argument is not known here. Only orders tries; the cost that counts is measured.
class SavingEstimate {
 public:
  /// `evidence` and `present`, the formats that its op calls compute in, must outlive the object.
  SavingEstimate(Goal goal, const StepEvidence& evidence, const std::vector<formats::Format>& present);

  /// Saving of `format` for an op call, in the unit of the goal: of the call alone or, if that is more, its part of the
  /// saving of all neighbours that compute in the same format now. Below 0: it would cost more.
  double of(std::size_t call, const formats::Format& format) const;

 private:
  /// Saving if the calls in [first, last) change.
  double of_range(std::size_t first, std::size_t last, const formats::Format& format) const;
  double compute(const CallEvidence& call, const formats::Format& from, const formats::Format& to) const;
  double casts(double count, double bytes) const;

  Goal goal_;
  const StepEvidence& evidence_;
  const std::vector<formats::Format>& present_;
  double seconds_per_byte_ = 0;  ///< of a cast
};

/// What a step of the base costs by the evidence, in the unit of the goal. kRepair: infinite, since the base fails.
double base_cost(Goal goal, const StepEvidence& evidence);

}  // namespace binade::search
