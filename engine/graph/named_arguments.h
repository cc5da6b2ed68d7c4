// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <string>
#include <vector>

namespace binade::graph {

/// More than any count or size that an op can use.
inline constexpr std::int64_t kMany = std::int64_t{1} << 31;

using Integers = std::vector<std::int64_t>;

/// Whether the tensor's values can be read here. False on a GPU, where kernels check or compute something themselves,
/// and while shapes are tried without values.
bool readable(const at::Tensor& tensor);

/// The integers in a list, a number or a readable integer tensor; empty for anything else.
Integers integers(const c10::IValue& value);

/// Sizes of a tensor as text: "[2, 3]".
std::string sizes_text(const at::Tensor& tensor);

/// Arguments of one call by the names in the op's schema. Refers to the schema and the stack, which must outlive it.
class NamedArguments {
 public:
  NamedArguments(const c10::FunctionSchema& schema, const torch::jit::Stack& stack) : schema_(schema), stack_(stack) {}

  const std::string& op() const { return schema_.name(); }
  /// The argument; null if the overload has none of that name.
  const c10::IValue* find(const std::string& name) const;
  /// The tensor; undefined if there is none or it is not readable().
  at::Tensor tensor(const std::string& name) const;
  /// The tensors of a list, or a single one, readable() or not.
  std::vector<at::Tensor> tensors(const std::string& name) const;
  std::int64_t integer(const std::string& name, std::int64_t otherwise) const;
  /// The flag; false if the overload has no such argument.
  bool flag(const std::string& name) const;
  /// integers() of the argument; empty if the overload has no such argument.
  Integers integers(const std::string& name) const;

  /// A sentence about one argument: "num_layers of aten::lstm " followed by `what`.
  std::string fault(const std::string& name, const std::string& what) const;

 private:
  const c10::FunctionSchema& schema_;
  const torch::jit::Stack& stack_;
};

}  // namespace binade::graph
