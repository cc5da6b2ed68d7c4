// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/map_parts.h"
#include "engine/autocast/region.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace binade::autocast {

/// The tensor cast to `dtype` if it is floating-point, not float64 and on the device; otherwise unchanged.
at::Tensor cast_inputs(const at::Tensor& value, c10::DeviceType device, at::ScalarType dtype);

/// The same for every tensor in C++ containers; see map_parts(). Other values stay.
template <class T>
requires(!std::is_same_v<T, at::Tensor>) T cast_inputs(T value, c10::DeviceType device, at::ScalarType dtype) {
  return map_parts<T>(std::move(value), [device, dtype]<class Part>(Part part) -> Part {
    if constexpr (std::is_same_v<Part, at::Tensor>) return cast_inputs(part, device, dtype);
    return part;
  });
}

namespace detail {

/// State that a forward passes to its backward, as an opaque value for AutogradContext::saved_data.
c10::IValue forward_state(const std::string& device_type, bool casts_inputs);
/// The region for a backward, as recorded by forward_state().
std::optional<RegionArguments> native_region_of(const c10::IValue& state);
std::optional<PolicyRegionArguments> policy_region_of(const c10::IValue& state);

inline constexpr const char* kStateKey = "binade.autocast.forward";

}  // namespace detail

/// Counterpart of torch.amp.custom_fwd for a torch::autograd::Function. Construct it first in `forward`:
///
///     static at::Tensor forward(AutogradContext* ctx, at::Tensor x, at::Tensor w) {
///       const autocast::CustomForward autocast(ctx, "cuda", at::kFloat);   // without a dtype, nothing is cast
///       x = autocast(x); w = autocast(w);
///
/// It records the state of autocast in `ctx`. With `cast_inputs`, and if autocast is on, the object casts the values
/// that it is called with, and autocast is off while it exists. Outside a region it does nothing.
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
    return off_ ? cast_inputs(std::move(value), device_, *dtype_) : value;
  }

 private:
  CustomForward(const std::string& device_type, std::optional<at::ScalarType> cast_inputs);

  c10::IValue state_;
  c10::DeviceType device_;
  std::optional<at::ScalarType> dtype_;
  std::unique_ptr<Region> off_;
};

/// Counterpart of torch.amp.custom_bwd: construct it first in `backward`, which then runs under the state of autocast
/// in `forward`. Throws Error{kUsage} if forward constructed no CustomForward.
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
