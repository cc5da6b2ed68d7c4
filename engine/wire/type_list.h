// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <variant>

namespace binade::wire {

/// A list of types, for computations at compile time.
template <class... T>
struct TypeList {};

/// The types of both lists, in order.
template <class... A, class... B>
consteval TypeList<A..., B...> operator+(TypeList<A...> /*first*/, TypeList<B...> /*second*/) {
  return {};
}

template <class T, class List>
inline constexpr bool kIsIn = false;
template <class T, class... Of>
inline constexpr bool kIsIn<T, TypeList<Of...>> = (std::same_as<T, Of> || ...);

template <class T, class List>
concept OneOf = kIsIn<T, List>;

template <class List>
struct VariantTypes;
template <class... T>
struct VariantTypes<TypeList<T...>> {
  using Values = std::variant<T...>;
  using Pointers = std::variant<T*...>;
  using ConstPointers = std::variant<const T*...>;
};

/// A variant of the values of a list.
template <class List>
using VariantOf = typename VariantTypes<List>::Values;

}  // namespace binade::wire
