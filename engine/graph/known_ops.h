// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <string>

namespace binade::graph {

/// That this LibTorch has every operator of `aten::` that the policy's `ops` name; other namespaces may be registered
/// later. `source` (a file, a request) begins the message. Throws Error{kBadPolicy} naming the key, with the nearest
/// operator as hint.
void check_ops(const policy::Policy& policy, const std::string& source);

}  // namespace binade::graph
