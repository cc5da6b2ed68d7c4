// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <optional>
#include <string>
#include <vector>

namespace binade::search {

/// What one step of a run tells about an op call, before anything is tried.
struct CallEvidence {
  std::string call;           ///< name of the site, `match` of a rule for it alone: `layer1.0/aten::conv2d#0`
  policy::Decision now;       ///< under the policy that the search starts from
  double error = 0;           ///< relative error that the call adds, at its largest on the way to the loss
  double gradient_error = 0;  ///< relative error that its backward adds
  double amplifies = 1;  ///< error of its output ÷ error of its arguments: above 1 by cancellation or steep slopes
  std::optional<double> doublings_left;  ///< before its largest value overflows low_format(); negative: it does
  double lost = 0;                       ///< share of its values, forward and backward, that low_format() sets to zero
  bool overflowed = false;               ///< it gave, or a diagnosis blames it for, a value that is not finite
  double casts = 0;                      ///< copies that its arguments' casts make in a step
  double cast_bytes = 0;                 ///< bytes that they write
  double seconds = 0;                    ///< forward and backward in a step
  double operations = 0;                 ///< multiplications of its matrix product in a step; 0: it is none
  double output_bytes = 0;               ///< memory of its outputs in a step
};

/// What one step tells, in execution order.
struct StepEvidence {
  std::vector<CallEvidence> calls;
  double step_seconds = 0;
  double peak_bytes = 0;
  /// Time of a cast by the bytes that it writes; nullopt: as much as op calls that are no products need.
  std::optional<double> seconds_per_byte{};
};

}  // namespace binade::search
