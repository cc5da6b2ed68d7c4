// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/region.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace binade::autocast {

/// `value` with every floating-point tensor of the device, except float64, in `dtype`: in vectors, arrays, maps (keys
/// too), pairs, tuples and optionals at any depth. Everything else comes back as it is.
at::Tensor cast_inputs(const at::Tensor& value, c10::DeviceType device, at::ScalarType dtype);

namespace detail {

template <class T>
struct CastInputs {
  static T cast(T value, c10::DeviceType, at::ScalarType) { return value; }
};

template <class T>
T cast_value(T value, c10::DeviceType device, at::ScalarType dtype) {
  return CastInputs<T>::cast(std::move(value), device, dtype);
}

template <>
struct CastInputs<at::Tensor> {
  static at::Tensor cast(const at::Tensor& value, c10::DeviceType device, at::ScalarType dtype) {
    return cast_inputs(value, device, dtype);
  }
};
template <class T>
struct CastInputs<std::optional<T>> {
  static std::optional<T> cast(std::optional<T> value, c10::DeviceType device, at::ScalarType dtype) {
    if (value) value = cast_value(std::move(*value), device, dtype);
    return value;
  }
};
template <class T>
struct CastInputs<std::vector<T>> {
  static std::vector<T> cast(std::vector<T> values, c10::DeviceType device, at::ScalarType dtype) {
    for (T& value : values) value = cast_value(std::move(value), device, dtype);
    return values;
  }
};
template <class T, std::size_t N>
struct CastInputs<std::array<T, N>> {
  static std::array<T, N> cast(std::array<T, N> values, c10::DeviceType device, at::ScalarType dtype) {
    for (T& value : values) value = cast_value(std::move(value), device, dtype);
    return values;
  }
};
template <class Map>
struct CastMap {
  static Map cast(const Map& values, c10::DeviceType device, at::ScalarType dtype) {
    Map result;
    for (const auto& [key, value] : values) {
      result.emplace(cast_value(key, device, dtype), cast_value(value, device, dtype));
    }
    return result;
  }
};
template <class K, class V, class... Rest>
struct CastInputs<std::map<K, V, Rest...>> : CastMap<std::map<K, V, Rest...>> {};
template <class K, class V, class... Rest>
struct CastInputs<std::unordered_map<K, V, Rest...>> : CastMap<std::unordered_map<K, V, Rest...>> {};
template <class A, class B>
struct CastInputs<std::pair<A, B>> {
  static std::pair<A, B> cast(std::pair<A, B> value, c10::DeviceType device, at::ScalarType dtype) {
    return {cast_value(std::move(value.first), device, dtype), cast_value(std::move(value.second), device, dtype)};
  }
};
template <class... Ts>
struct CastInputs<std::tuple<Ts...>> {
  static std::tuple<Ts...> cast(std::tuple<Ts...> values, c10::DeviceType device, at::ScalarType dtype) {
    return std::apply(
        [&](auto&&... value) { return std::tuple<Ts...>(cast_value(std::move(value), device, dtype)...); },
        std::move(values));
  }
};

/// What a forward leaves to its backward, as an opaque value for AutogradContext::saved_data.
c10::IValue forward_state(const std::string& device_type, bool casts_inputs);
/// The region of a backward, as forward_state() found the forward's.
std::optional<RegionArguments> native_region_of(const c10::IValue& state);
std::optional<PolicyRegionArguments> policy_region_of(const c10::IValue& state);

inline constexpr const char* kStateKey = "binade.autocast.forward";

}  // namespace detail

/// torch.amp.custom_fwd for a torch::autograd::Function: make one first thing in `forward`.
///
///     static at::Tensor forward(AutogradContext* ctx, at::Tensor x, at::Tensor w) {
///       const autocast::CustomForward autocast(ctx, "cuda", at::kFloat);   // without a dtype, nothing is cast
///       x = autocast(x); w = autocast(w);
///
/// It notes in `ctx` how autocast stood. With `cast_inputs`, and autocast on, the object casts what it is called with
/// and autocast is off as long as it lives; outside a region it does nothing.
class CustomForward {
 public:
  template <class Context>
  CustomForward(Context* ctx, const std::string& device_type, std::optional<at::ScalarType> cast_inputs = {})
      : CustomForward(device_type, cast_inputs) {
    ctx->saved_data[detail::kStateKey] = std::move(state_);
  }
  ~CustomForward();
  CustomForward(const CustomForward&) = delete;
  CustomForward& operator=(const CustomForward&) = delete;

  /// `value` with its tensors cast; see cast_inputs().
  template <class T>
  T operator()(T value) const {
    return off_ ? detail::cast_value(std::move(value), device_, *dtype_) : value;
  }

 private:
  CustomForward(const std::string& device_type, std::optional<at::ScalarType> cast_inputs);

  c10::IValue state_;
  c10::DeviceType device_;
  std::optional<at::ScalarType> dtype_;
  std::unique_ptr<Region> off_;
};

/// torch.amp.custom_bwd: make one first thing in `backward`, which then runs as autocast stood in `forward`. Throws
/// Error{kUsage} where forward made no CustomForward.
class CustomBackward {
 public:
  template <class Context>
  explicit CustomBackward(Context* ctx) : CustomBackward(ctx->saved_data[detail::kStateKey]) {}
  ~CustomBackward();
  CustomBackward(const CustomBackward&) = delete;
  CustomBackward& operator=(const CustomBackward&) = delete;

 private:
  explicit CustomBackward(const c10::IValue& state);

  std::unique_ptr<Region> region_;
};

}  // namespace binade::autocast
