// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/map_parts.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <concepts>
#include <type_traits>

namespace binade::autocast {

/// Casts inputs or outputs of a model: every floating-point tensor, at any depth of containers; everything else stays.
/// Autograd records the casts, so gradients have the dtype of the tensor they belong to.
at::Tensor cast_value(const at::Tensor& tensor, at::ScalarType dtype);

/// Casts in lists, tuples (named ones stay named), dicts including keys, and TorchScript objects with a method
/// `to(dtype)`. Strings, numbers and other objects stay.
c10::IValue cast_value(const c10::IValue& value, at::ScalarType dtype);

/// A user-defined batch class with a method `to(dtype)`, which is called.
template <class T>
concept KnowsTo = !std::is_convertible_v<T, at::Tensor> && !std::is_convertible_v<T, c10::IValue> &&
                  requires(const T& value, at::ScalarType dtype) {
  { value.to(dtype) } -> std::convertible_to<T>;
};

/// Casts in C++ containers too: vector, array, optional, pair, tuple, map, unordered_map of types that can be cast.
/// Other types are returned unchanged.
template <class T>
requires(!std::same_as<T, at::Tensor> && !std::same_as<T, c10::IValue>) T
    cast_value(const T& value, at::ScalarType dtype) {
  return map_parts<T>(value, [dtype]<class Part>(Part part) -> Part {
    if constexpr (std::same_as<Part, c10::IValue> || std::same_as<Part, at::Tensor>) {
      return cast_value(part, dtype);
    } else if constexpr (std::is_base_of_v<at::Tensor, Part>) {
      return Part(cast_value(static_cast<const at::Tensor&>(part), dtype));
    } else if constexpr (KnowsTo<Part>) {
      return part.to(dtype);
    } else {
      return part;
    }
  });
}

}  // namespace binade::autocast
