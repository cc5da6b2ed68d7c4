// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/cast_values.h"

#include <ATen/core/Tensor.h>

#include <type_traits>
#include <utility>
#include <vector>

namespace binade::apex {

/// Returns whether O1's casts are active on this thread: inside Amp::casts() and not inside disable_casts().
bool casts_hold();

namespace detail {

/// Casts to `dtype`; the float16 copy of a weight is shared with the listed ops through the cast cache.
at::Tensor cast_argument(const at::Tensor& tensor, at::ScalarType dtype);

template <class T>
auto cast_argument(const T& value, at::ScalarType dtype) {
  return autocast::cast_value(value, dtype);
}

/// Collects the floating-point dtypes among the arguments of a promoted function.
class Dtypes {
 public:
  void see(const at::Tensor& tensor);
  void see(const std::vector<at::Tensor>& tensors);
  template <class T>
  void see(const T& /* not a tensor */) {}
  /// Returns whether float16 and float32 are mixed, so that all must become float32. Throws Error{kUsage} for a mix
  /// with any other dtype.
  bool mixed() const;

 private:
  std::vector<at::ScalarType> seen_;
};

template <class Function>
auto in_dtype(Function function, at::ScalarType dtype) {
  return [function = std::move(function), dtype](const auto&... values) -> decltype(auto) {
    if (!casts_hold()) return function(std::decay_t<decltype(values)>(values)...);
    return function(std::decay_t<decltype(values)>(cast_argument(values, dtype))...);
  };
}

}  // namespace detail

/// Wraps `function` to run in float16 at O1: every floating-point argument is cast, at any nesting depth. Where no
/// casts are active it is called unchanged. Corresponds to Apex's half_function and register_half_function.
template <class Function>
auto half_function(Function function) {
  return detail::in_dtype(std::move(function), at::kHalf);
}

/// Wraps `function` to run in float32.
template <class Function>
auto float_function(Function function) {
  return detail::in_dtype(std::move(function), at::kFloat);
}

/// Wraps `function` so that its arguments become float32 if float16 and float32 tensors are mixed among them, also in
/// vectors.
template <class Function>
auto promote_function(Function function) {
  return [function = std::move(function)](const auto&... values) -> decltype(auto) {
    detail::Dtypes dtypes;
    if (casts_hold()) (dtypes.see(values), ...);
    if (!dtypes.mixed()) return function(std::decay_t<decltype(values)>(values)...);
    return function(std::decay_t<decltype(values)>(detail::cast_argument(values, at::kFloat))...);
  };
}

}  // namespace binade::apex
