// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace binade::graph {

/// What an op does with an argument; decides whether a cast may touch it.
enum class Role : std::uint8_t {
  kData,        ///< floating-point input: may be cast
  kWeight,      ///< a parameter of the op (weight, bias): may be cast, its cast is worth caching
  kStatistics,  ///< running mean and variance, and the affine parameters of a batch norm: never cast
  kIndex,       ///< indices, masks, targets: never cast
  kWritten,     ///< the op writes it: never cast, the others follow its dtype
  kOther,       ///< not a tensor
};

/// What casting must know of an op, wherever it is called: at a site of a graph, inside a composite, in eager code.
struct OpTraits {
  std::string op;                           ///< `aten::conv2d`
  std::string overload;                     ///< empty for the default one
  std::vector<std::string> argument_names;  ///< as the schema calls them
  std::vector<Role> roles;                  ///< one an argument
  std::vector<bool> takes_dtype;            ///< one an argument: an optional dtype, which set-dtype rules fill in
  std::vector<bool> optional_tensor;        ///< one an argument: a Tensor?, which has no vote in PyTorch's promotion
  std::size_t inputs = 0;                   ///< arguments on the stack
  std::size_t outputs = 0;                  ///< results on the stack
  bool view = false;                        ///< a result aliases an argument without writing it
  bool in_place = false;                    ///< an argument is written
  bool mixed = false;                       ///< takes arguments of different precision by design (batch_norm)
  bool composite = false;  ///< calls other ops above autograd (lstm, cross_entropy_loss): rules apply inside
};

/// The traits of an op by its schema; of a vararg op, those of its named arguments and returns.
OpTraits traits_of(const c10::FunctionSchema& schema);

}  // namespace binade::graph
