// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/target.h"

#include <map>
#include <string>
#include <vector>

namespace binade::targets {

/// What an eager Python model has to be told to run with a policy: the tables at the top of the `pytorch` target's
/// file. The other op calls are left to torch.autocast. A treatment is a word: a dtype, `promote`, `follow`,
/// `set-dtype`, `append-dtype`, `banned`; in `calls` also `leave` and `inside`.
struct PythonTables {
  using Words = std::map<std::string, std::string>;

  std::string low;  ///< dtype of the torch.autocast region around the model; empty: it is disabled
  Words regions;    ///< module path -> dtype of the region for it and its submodules
  Words ops;        ///< `aten::op` -> treatment of every call in the model, by the policy's `ops`
  Words cpu, cuda;  ///< `aten::op` -> treatment where autocast's list for the tensors' device has another
  Words sites;      ///< `path/aten::op` (all its calls) or an op call's name -> dtype
  struct Call {
    std::string text;  ///< `_conv_forward/aten::conv2d#0`, without the path
    std::string treatment;
    std::string source;  ///< `model.py:42`; may be empty
  };
  std::vector<std::pair<std::string, std::vector<Call>>> calls;  ///< by module path, in the order of the model
  std::vector<Finding> findings;

  /// Whether some op call needs more than a region.
  bool needs_mode() const { return !ops.empty() || !sites.empty(); }
};

/// Makes the tables for a policy. What Python cannot do is in the findings, and the tables have the nearest treatment.
PythonTables python_tables(const Assignment& assignment);

}  // namespace binade::targets
