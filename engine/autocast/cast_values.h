// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <array>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace binade::autocast {

/// Casts what a model takes or gives: every floating-point tensor, however deep it lies in containers; all else stays.
/// Casts are autograd's, so gradients come back in the dtype of the tensor they belong to.
at::Tensor cast_value(const at::Tensor& tensor, at::ScalarType dtype);

/// Lists, tuples (named ones stay named), dicts with their keys, and TorchScript objects with a method `to(dtype)`.
/// Strings, numbers and other objects stay.
c10::IValue cast_value(const c10::IValue& value, at::ScalarType dtype);

/// A batch class of one's own: it has `to(dtype)` and gets back what that gives.
template <class T>
concept KnowsTo = !std::is_convertible_v<T, at::Tensor> && !std::is_convertible_v<T, c10::IValue> &&
                  requires(const T& value, at::ScalarType dtype) {
  { value.to(dtype) } -> std::convertible_to<T>;
};

namespace detail {
template <class T>
struct CastContainer {
  static T cast(const T& value, at::ScalarType /*dtype*/) { return value; }
};
}  // namespace detail

/// C++ containers: vector, array, optional, pair, tuple, map, unordered_map of what can be cast. Other types are
/// given back as they are.
template <class T>
requires(!std::same_as<T, at::Tensor> && !std::same_as<T, c10::IValue>) T
    cast_value(const T& value, at::ScalarType dtype) {
  if constexpr (std::is_base_of_v<at::Tensor, T>) {
    return T(cast_value(static_cast<const at::Tensor&>(value), dtype));
  } else if constexpr (KnowsTo<T>) {
    return value.to(dtype);
  } else {
    return detail::CastContainer<T>::cast(value, dtype);
  }
}

namespace detail {

template <class T, class Allocator>
struct CastContainer<std::vector<T, Allocator>> {
  static std::vector<T, Allocator> cast(const std::vector<T, Allocator>& values, at::ScalarType dtype) {
    std::vector<T, Allocator> result;
    result.reserve(values.size());
    for (const T& value : values) result.push_back(autocast::cast_value(value, dtype));
    return result;
  }
};

template <class T, std::size_t N>
struct CastContainer<std::array<T, N>> {
  static std::array<T, N> cast(const std::array<T, N>& values, at::ScalarType dtype) {
    return std::apply([dtype](const auto&... each) { return std::array<T, N>{autocast::cast_value(each, dtype)...}; },
                      values);
  }
};

template <class T>
struct CastContainer<std::optional<T>> {
  static std::optional<T> cast(const std::optional<T>& value, at::ScalarType dtype) {
    return value ? std::optional<T>(autocast::cast_value(*value, dtype)) : std::nullopt;
  }
};

template <class A, class B>
struct CastContainer<std::pair<A, B>> {
  static std::pair<A, B> cast(const std::pair<A, B>& value, at::ScalarType dtype) {
    return {autocast::cast_value(value.first, dtype), autocast::cast_value(value.second, dtype)};
  }
};

template <class... T>
struct CastContainer<std::tuple<T...>> {
  static std::tuple<T...> cast(const std::tuple<T...>& value, at::ScalarType dtype) {
    return std::apply([dtype](const T&... each) { return std::tuple<T...>(autocast::cast_value(each, dtype)...); },
                      value);
  }
};

template <class Map>
Map cast_map(const Map& map, at::ScalarType dtype) {
  Map result;
  for (const auto& [key, value] : map)
    result.emplace(autocast::cast_value(key, dtype), autocast::cast_value(value, dtype));
  return result;
}

template <class K, class V, class... Rest>
struct CastContainer<std::map<K, V, Rest...>> {
  static auto cast(const std::map<K, V, Rest...>& map, at::ScalarType dtype) { return cast_map(map, dtype); }
};

template <class K, class V, class... Rest>
struct CastContainer<std::unordered_map<K, V, Rest...>> {
  static auto cast(const std::unordered_map<K, V, Rest...>& map, at::ScalarType dtype) { return cast_map(map, dtype); }
};

}  // namespace detail

}  // namespace binade::autocast
