// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace binade::graph {

/// Use of an argument by an op; decides whether it may be cast.
enum class Role : std::uint8_t {
  kData,        ///< floating-point input: may be cast
  kWeight,      ///< parameter of the op (weight, bias): may be cast, and the cast is worth caching
  kStatistics,  ///< running mean and variance, and the affine parameters of a batch norm: never cast
  kIndex,       ///< indices, masks, targets: never cast
  kWritten,     ///< written by the op: never cast; other arguments follow its dtype
  kOther,       ///< not a tensor
};

/// Properties of an op that casting depends on, at a site of a graph, inside a composite op or in eager code.
struct OpTraits {
  std::string op;                           ///< `aten::conv2d`
  std::string overload;                     ///< empty for the default one
  std::vector<std::string> argument_names;  ///< as in the schema
  std::vector<Role> roles;                  ///< one per argument
  std::vector<bool> takes_dtype;            ///< one per argument: an optional dtype, which set-dtype rules fill in
  std::vector<bool> optional_tensor;        ///< one per argument: a Tensor?, which PyTorch's promotion ignores
  std::size_t inputs = 0;                   ///< number of arguments on the stack
  std::size_t outputs = 0;                  ///< number of results on the stack
  bool view = false;                        ///< a result aliases an argument that is not written
  bool in_place = false;                    ///< an argument is written
  bool mixed = false;                       ///< accepts arguments of different precision by design (batch_norm)
  bool composite = false;  ///< calls other ops above autograd (lstm, cross_entropy_loss), to which rules apply
};

/// Traits of an op from its schema; for a vararg op, of its named arguments and returns.
OpTraits traits_of(const c10::FunctionSchema& schema);

/// Whether an op draws random numbers, dropout included, so that a second call gives other results. Empty if the
/// dispatcher does not know the op, as ops of TorchScript itself (`prim::`).
std::optional<bool> draws_numbers(const OpTraits& op);

/// Whether `op` is one of `ops`, named as in OpTraits::op.
bool is_one_of(std::string_view op, std::initializer_list<std::string_view> ops);

}  // namespace binade::graph
