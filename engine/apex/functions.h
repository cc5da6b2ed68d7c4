// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/cast_values.h"

#include <ATen/core/Tensor.h>

#include <type_traits>
#include <utility>
#include <vector>

namespace binade::apex {

/// Whether O1's casts hold on this thread: inside Amp::casts(), and not inside disable_casts().
bool casts_hold();

namespace detail {

/// In float16 or float32; a weight's float16 copy is kept with those that the listed functions made.
at::Tensor cast_argument(const at::Tensor& tensor, at::ScalarType dtype);

template <class T>
auto cast_argument(const T& value, at::ScalarType dtype) {
  return autocast::cast_value(value, dtype);
}

/// Which floating-point dtypes are among the arguments of a promoted function.
class Dtypes {
 public:
  void see(const at::Tensor& tensor);
  void see(const std::vector<at::Tensor>& tensors);
  template <class T>
  void see(const T& /*no tensor*/) {}
  /// Whether to cast to float32. Throws Error{kUsage} for a mix that is not float16 and float32.
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

/// A function of one's own that runs in float16 at O1: every floating-point argument is cast, however deep it lies.
/// Where no casts hold it is called as it is. Apex's half_function and register_half_function.
template <class Function>
auto half_function(Function function) {
  return detail::in_dtype(std::move(function), at::kHalf);
}

/// The same for float32.
template <class Function>
auto float_function(Function function) {
  return detail::in_dtype(std::move(function), at::kFloat);
}

/// Where float16 and float32 tensors meet among the arguments (in a vector, too), all become float32.
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
