// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/op_traits.h"

#include <ATen/core/function_schema.h>

#include <string_view>
#include <vector>

namespace binade::graph {

/// The role of every argument of an op: what the schema says is written, what a table says is written without the
/// schema saying so (running statistics), what is a weight, what is an index or a target.
std::vector<Role> roles_of(const c10::FunctionSchema& schema);

/// Ops that take arguments of different precision by design: half activations beside float32 affine parameters.
bool takes_mixed_precision(std::string_view op);

}  // namespace binade::graph
