// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>

#include <string>

namespace binade::graph {

/// The arguments of one call, by the names of the op's schema, while they lie on the stack.
class NamedArguments {
 public:
  NamedArguments(const c10::FunctionSchema& schema, const torch::jit::Stack& stack) : schema_(schema), stack_(stack) {}

  const std::string& op() const { return schema_.name(); }
  /// Null where the overload has no such argument.
  const c10::IValue* find(const std::string& name) const;

 private:
  const c10::FunctionSchema& schema_;
  const torch::jit::Stack& stack_;
};

/// What is wrong with the arguments of a call, as a sentence without its full stop; empty where nothing is.
using ArgumentCheck = std::string (*)(const NamedArguments&);

/// What of an op's arguments LibTorch believes, so that another value ends the process, reads memory that is not the
/// tensor's, or never comes to an end. A check throws an out of memory error where the op would make more tensors than
/// fit. Null where it checks them itself. The ops were found by calling each with empty
/// tensors, other sizes and dtypes, zero and huge numbers in the place of each argument of a valid call.
ArgumentCheck argument_check_of(const c10::FunctionSchema& schema);

}  // namespace binade::graph
