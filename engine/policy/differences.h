// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <string>
#include <vector>

namespace binade::policy {

/// A place where two policies differ.
struct Difference {
  std::string place;   ///< as in a policy file: `base`, `ops["aten::gelu"]`, `sites: fc1, call 2`
  std::string first;   ///< the first policy's text there; empty if it has none
  std::string second;  ///< the second policy's text there; empty if it has none

  friend bool operator==(const Difference&, const Difference&) = default;
};

/// All differences, in the order of a policy file. The order of site rules matters, because a later one wins: their
/// texts start with their index, `[3] float16`, and the text of a rule at another position relative to the others ends
/// in "moved".
std::vector<Difference> differences(const Policy& first, const Policy& second);

}  // namespace binade::policy
