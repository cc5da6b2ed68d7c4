// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/faults/fault_case.h"

#include <string>
#include <vector>

namespace binade::test {

/// How right a run's answer to one case is.
struct Judged {
  std::string name;
  bool site = false;                       ///< the right op call (or parameter, or buffer) is named
  bool reason = false;                     ///< and the right reason
  bool fix = false;                        ///< and the fix holds for 200 steps, or says in words what mends it
  std::vector<std::string> false_reasons;  ///< told, and not true
  std::string told;                        ///< what was told first, for a person
  std::string missing;                     ///< what is not right, for a person; empty: nothing
  bool right() const { return site && reason && fix && false_reasons.empty(); }
};

/// Runs the case, compares what is told with what is true, and trains 200 steps with the fix.
Judged judged(const FaultCase& fault);

}  // namespace binade::test
