// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/target.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace binade::targets {

/// What a text states about one op call of a model.
struct Stated {
  std::size_t site = 0;     ///< index in Assignment::keys
  std::optional<int> call;  ///< only this execution in a forward
  policy::Decision decision;
  std::string place;  ///< in the text, for messages: `line 12`
};

/// Adds to `start` a site rule for every op call that it treats otherwise than `stated`, for readers of texts that list
/// op calls. The statement on an op call must precede those on its single calls. Throws Error{kBadPolicy}, naming
/// `source` and the place, where no site rule can state a treatment, because site rules only name formats.
policy::Policy rules_for(policy::Policy start, const std::vector<Stated>& stated, const Assignment& model,
                         const std::string& source);

}  // namespace binade::targets
