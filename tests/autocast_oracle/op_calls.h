// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"
#include "tests/autocast_oracle/row_call.h"

#include <set>
#include <string>
#include <vector>

namespace binade::test {

/// Calls of every op of LibTorch that computes on floats, one JSON object each, with what Python's autocast gave:
/// gen_op_dtypes.py says what a row holds.
const std::vector<nlohmann::json>& opRows();

/// Runs a call as the one site of a graph under a policy, on the CPU.
Answer runAsSite(const RowCall& call, const policy::Policy& policy);

/// The ops of PyTorch's lists, `bmm` or `prod.dim_int`, that a call's op calls above autograd while it runs.
std::set<std::string> listedInside(const RowCall& call);

/// Every op that does.
std::set<std::string> opsInside(const RowCall& call);

}  // namespace binade::test
