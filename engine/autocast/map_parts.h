// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace binade::autocast {

namespace detail {

/// A type that is not a container is a part.
template <class T>
struct MapParts {
  template <class Leaf>
  static T map(T value, const Leaf& leaf) {
    return leaf(std::move(value));
  }
};

}  // namespace detail

/// Replaces every part of `value` that is not a container by `leaf(part)`: in C++ vectors, arrays, optionals, pairs,
/// tuples and maps (including keys) at any depth. `leaf` takes and returns each type of part by value.
template <class T, class Leaf>
T map_parts(T value, const Leaf& leaf) {
  return detail::MapParts<T>::map(std::move(value), leaf);
}

namespace detail {

template <class T, class Allocator>
struct MapParts<std::vector<T, Allocator>> {
  template <class Leaf>
  static std::vector<T, Allocator> map(std::vector<T, Allocator> values, const Leaf& leaf) {
    for (auto&& value : values) value = map_parts<T>(std::move(value), leaf);
    return values;
  }
};

template <class T, std::size_t N>
struct MapParts<std::array<T, N>> {
  template <class Leaf>
  static std::array<T, N> map(std::array<T, N> values, const Leaf& leaf) {
    for (T& value : values) value = map_parts<T>(std::move(value), leaf);
    return values;
  }
};

template <class T>
struct MapParts<std::optional<T>> {
  template <class Leaf>
  static std::optional<T> map(std::optional<T> value, const Leaf& leaf) {
    if (value) value = map_parts<T>(std::move(*value), leaf);
    return value;
  }
};

template <class A, class B>
struct MapParts<std::pair<A, B>> {
  template <class Leaf>
  static std::pair<A, B> map(std::pair<A, B> value, const Leaf& leaf) {
    return {map_parts<A>(std::move(value.first), leaf), map_parts<B>(std::move(value.second), leaf)};
  }
};

template <class... T>
struct MapParts<std::tuple<T...>> {
  template <class Leaf>
  static std::tuple<T...> map(std::tuple<T...> values, const Leaf& leaf) {
    return std::apply([&leaf](T&... value) { return std::tuple<T...>{map_parts<T>(std::move(value), leaf)...}; },
                      values);
  }
};

template <class Map>
struct MapEntries {
  template <class Leaf>
  static Map map(Map entries, const Leaf& leaf) {
    Map result;
    for (auto& [key, value] : entries) {
      result.emplace(map_parts<typename Map::key_type>(key, leaf),
                     map_parts<typename Map::mapped_type>(std::move(value), leaf));
    }
    return result;
  }
};
template <class K, class V, class... Rest>
struct MapParts<std::map<K, V, Rest...>> : MapEntries<std::map<K, V, Rest...>> {};
template <class K, class V, class... Rest>
struct MapParts<std::unordered_map<K, V, Rest...>> : MapEntries<std::unordered_map<K, V, Rest...>> {};

}  // namespace detail

}  // namespace binade::autocast
