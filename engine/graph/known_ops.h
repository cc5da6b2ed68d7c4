// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <string>

namespace binade::graph {

/// Throws Error{kBadPolicy} if the policy's `ops` name an operator of `aten::` that this LibTorch lacks, with the
/// nearest operator as hint. Other namespaces are not checked, because they may be registered later. `source` (a file,
/// a request) begins the message.
void check_ops(const policy::Policy& policy, const std::string& source);

}  // namespace binade::graph
