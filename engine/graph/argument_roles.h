// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/op_traits.h"

#include <ATen/core/function_schema.h>

#include <string_view>
#include <vector>

namespace binade::graph {

/// Role of every argument of an op, from its schema and from tables: arguments that are written (with running
/// statistics, which schemas do not mark), weights, indices and targets. Roles protect arguments from casts: a cast of
/// `running_mean` would make batch norm update a temporary, and training would lose its statistics without an error.
std::vector<Role> roles_of(const c10::FunctionSchema& schema);

/// Whether an op accepts arguments of different precision by design: half activations with float32 affine parameters.
bool takes_mixed_precision(std::string_view op);

}  // namespace binade::graph
