// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/named_arguments.h"

#include <ATen/core/function_schema.h>

#include <string>

namespace binade::graph {

/// Fault of a call's arguments, as a sentence without its full stop; empty if there is none.
using ArgumentCheck = std::string (*)(const NamedArguments&);

/// Returns the check for an op whose arguments LibTorch uses unchecked, so that a bad value would end the process, read
/// out of bounds or never return; null if LibTorch checks all of them. A check throws an out-of-memory error if the op
/// would make more tensors than memory holds. The ops were found by calling each with valid arguments, replacing one at
/// a time by empty tensors, other sizes and dtypes, zero and huge numbers.
ArgumentCheck argument_check_of(const c10::FunctionSchema& schema);

}  // namespace binade::graph
