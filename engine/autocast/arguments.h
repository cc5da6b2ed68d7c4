// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/cast_cache.h"
#include "engine/formats/format.h"
#include "engine/graph/site.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

#include <span>
#include <string>
#include <vector>

namespace binade::autocast {

/// The arguments of one op call, where they lie on the stack. An empty `roles` means: every tensor is data.
struct Arguments {
  graph::Stack& stack;
  std::size_t count;
  std::span<const graph::Role> roles;

  c10::IValue& operator[](std::size_t i) const { return stack[stack.size() - count + i]; }
  /// Whether a rule may touch the argument: data and weights; nothing written, no statistics, no index or target.
  bool castable(std::size_t i) const;
};

/// Whether a rule applies to a tensor: defined, floating point, and not float64 (amp.md 2.2).
bool eligible(const at::Tensor& tensor);

/// The dtype that stores a format; Undefined where LibTorch has none.
at::ScalarType dtype_of(const formats::Format& format);

/// Casts every eligible, castable tensor to `dtype`, in lists and optionals too.
void cast_all(const Arguments& arguments, at::ScalarType dtype, CastCache& cache);

/// The dtype that `promote` casts to: `low` unless a tensor is wider (amp.md 2.4). Where PyTorch refuses a second low
/// dtype, `strict` refuses too (with the op's name), else the answer is float32.
at::ScalarType promoted(const Arguments& arguments, at::ScalarType low, bool strict, const std::string& op);

/// The widest dtype among data of one dimension or more, or Undefined where they agree (or are float64).
at::ScalarType widest_if_mixed(const Arguments& arguments);

/// Gives an absent dtype argument the value float32 if the first argument is eligible; `names` are the schema's.
void set_dtype(const Arguments& arguments, std::span<const std::string> names);

}  // namespace binade::autocast
