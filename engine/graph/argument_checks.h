// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/named_arguments.h"

#include <ATen/core/function_schema.h>

#include <string>

namespace binade::graph {

/// What is wrong with the arguments of a call, as a sentence without its full stop; empty where nothing is.
using ArgumentCheck = std::string (*)(const NamedArguments&);

/// What of an op's arguments LibTorch believes, so that another value ends the process, reads memory that is not the
/// tensor's, or never comes to an end. A check throws an out of memory error where the op would make more tensors than
/// fit. Null where it checks them itself. The ops were found by calling each with empty
/// tensors, other sizes and dtypes, zero and huge numbers in the place of each argument of a valid call.
ArgumentCheck argument_check_of(const c10::FunctionSchema& schema);

}  // namespace binade::graph
