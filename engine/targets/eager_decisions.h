// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/target.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace binade::targets {

/// What ops of eager PyTorch can carry out: a dtype for forward and backward, and no saturation.
struct EagerDecisions {
  std::vector<policy::Decision> sites;                    ///< parallel to Assignment::keys
  std::map<std::pair<int, int>, policy::Decision> calls;  ///< (site, call), as in policy::Resolved
};

/// The decisions nearest to an assignment. Every deviation from it is a kInexpressible finding. Executions are counted
/// by module and op in Python, so a rule for a single one needs a module that calls the op in one place.
EagerDecisions eager_decisions(const Assignment& assignment, Findings& findings);

/// The nearest dtype for a format: its own, else float32.
formats::Format nearest_dtype(const formats::Format& format);

/// A treatment as a word: the format's name, `promote`, `follow`, `set-dtype`, `append-dtype`, `banned`, `leave`.
std::string treatment_word(const policy::Decision& decision);

}  // namespace binade::targets
