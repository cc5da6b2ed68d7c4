// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <string>
#include <vector>

namespace binade::policy {

/// One place where two policies say different things.
struct Difference {
  std::string place;   ///< as in a policy file: `base`, `ops["aten::gelu"]`, `sites: fc1, call 2`
  std::string first;   ///< what the first policy says there; empty where it says nothing
  std::string second;  ///< and the second

  friend bool operator==(const Difference&, const Difference&) = default;
};

/// All of them, in the order of a policy file. Site rules count in their order, since a later one wins: their texts
/// start with the place in the file, `[3] float16`, and a rule that stands elsewhere among the others is `moved`.
std::vector<Difference> differences(const Policy& first, const Policy& second);

}  // namespace binade::policy
