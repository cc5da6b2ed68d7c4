// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/target.h"

#include <cstddef>
#include <string>
#include <vector>

namespace binade::targets {

/// The comparison of a written file, read back, with the policy it was written from.
struct Proof {
  std::size_t op_calls = 0;             ///< number compared
  std::vector<std::string> different;   ///< op calls that the file treats in another way; each is in a finding
  std::vector<std::string> undeclared;  ///< op calls that differ although no finding names them: a fault of the target
  /// Op changes that the file does not repeat although they act inside op calls that run other ops, as an LSTM does.
  std::vector<std::string> lost_inside;
  bool scaler_equal = true;  ///< false if the loss scaler read back differs; true if there is none to compare

  /// Whether the file says all that the policy says.
  bool exact() const { return different.empty() && undeclared.empty() && lost_inside.empty() && scaler_equal; }
};

/// Whether two decisions treat an op call alike: kind, and for a format also the formats and the treatment of overflow.
/// `leave` and `follow` are alike: resolve() leaves op calls only in models without a lower format, where arguments do
/// not differ. Execution is not compared: other programs do not emulate.
bool same_treatment(const policy::Decision& a, const policy::Decision& b);

/// Reads `written` back and compares it op call by op call, by same_treatment(), with the rules for single calls. A
/// call of an op call is named `fc/aten::linear#0, call 2`. An op call is declared if a kInexpressible finding lists
/// it. `target` must have `read`. Throws what `read` throws.
Proof prove(const Target& target, const Written& written, const Assignment& assignment);

}  // namespace binade::targets
