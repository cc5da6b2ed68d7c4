// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <string>
#include <vector>

namespace binade::words {

/// What a model's graph says about an op call, beside its name.
struct CallTraits {
  bool view = false;      ///< returns a view of an argument
  bool in_place = false;  ///< writes an argument
  bool inside = false;    ///< see policy::SitePlace
  std::string block;      ///< source of the model's own autocast block around it, `model.py:12`; may be empty
};

/// Why an op call has its format, as sentences: the layer of the policy that decided (a site rule, a change of the op,
/// the model's own block, the base list), what that layer overrules, what follows from the op's nature, and why its
/// format is emulated. `decision`: of `policy` for this op call.
std::vector<std::string> decision_reasons(const policy::Policy& policy, const policy::SiteKey& site,
                                          const policy::Decision& decision, const CallTraits& traits = {});

}  // namespace binade::words
