// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <string>
#include <vector>

namespace binade::graph {

/// More than any count or size that an op can make use of.
inline constexpr std::int64_t kMany = std::int64_t{1} << 31;

using Integers = std::vector<std::int64_t>;

/// Whether the tensor has values that can be read here: not so on a GPU, where the kernels check or compute something,
/// nor while shapes are tried out without any values.
bool readable(const at::Tensor& tensor);

/// The integers of a list, of a number, or of a readable tensor of integers; none of anything else.
Integers integers(const c10::IValue& value);

/// "[2, 3]".
std::string sizes_text(const at::Tensor& tensor);

/// The arguments of one call, by the names of the op's schema, while they lie on the stack.
class NamedArguments {
 public:
  NamedArguments(const c10::FunctionSchema& schema, const torch::jit::Stack& stack) : schema_(schema), stack_(stack) {}

  const std::string& op() const { return schema_.name(); }
  /// Null where the overload has no such argument.
  const c10::IValue* find(const std::string& name) const;
  /// An undefined tensor where there is no such tensor, or where it is not readable().
  at::Tensor tensor(const std::string& name) const;
  /// The tensors of a list, or one; readable() or not.
  std::vector<at::Tensor> tensors(const std::string& name) const;
  std::int64_t integer(const std::string& name, std::int64_t otherwise) const;
  /// False where the overload has no such argument.
  bool flag(const std::string& name) const;
  /// What integers() says of the argument; none where the overload has no such argument.
  Integers integers(const std::string& name) const;

  /// A sentence about one argument: "num_layers of aten::lstm " and `what`.
  std::string fault(const std::string& name, const std::string& what) const;

 private:
  const c10::FunctionSchema& schema_;
  const torch::jit::Stack& stack_;
};

}  // namespace binade::graph
