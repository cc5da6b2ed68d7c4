// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <ATen/core/stack.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace binade::graph {

using Stack = torch::jit::Stack;
/// An op as the stock interpreter calls it: takes its arguments off the stack, leaves its results there.
using Operation = std::function<void(Stack&)>;

/// What an op does with an argument; decides whether a cast may touch it.
enum class Role : std::uint8_t {
  kData,        ///< floating-point input: may be cast
  kWeight,      ///< a parameter of the op (weight, bias): may be cast, its cast is worth caching
  kStatistics,  ///< running mean and variance, and the affine parameters of a batch norm: never cast
  kIndex,       ///< indices, masks, targets: never cast
  kWritten,     ///< the op writes it: never cast, the others follow its dtype
  kOther,       ///< not a tensor
};

/// One place in the flattened graph where an op is called. Owned by its FlatGraph, immutable once that is built.
struct Site {
  int id = 0;  ///< position in every per-site table of a run
  policy::SiteKey key;
  std::string source;                       ///< `model.py:42` where debug information tells it
  std::vector<std::string> argument_names;  ///< as the schema calls them
  std::vector<Role> roles;                  ///< one an argument
  std::size_t inputs = 0;                   ///< arguments on the stack
  std::size_t outputs = 0;                  ///< results on the stack
  bool view = false;                        ///< a result aliases an argument without writing it
  bool in_place = false;                    ///< an argument is written
  bool mixed = false;                       ///< takes arguments of different precision by design (batch_norm)
  bool composite = false;  ///< calls other ops above autograd (lstm, cross_entropy_loss): rules apply inside
  Operation operation;     ///< the op itself, as the stock interpreter would call it
};

}  // namespace binade::graph
