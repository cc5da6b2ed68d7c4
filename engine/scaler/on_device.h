// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/scaler_options.h"

#include <ATen/core/Tensor.h>

#include <optional>
#include <utility>
#include <vector>

namespace binade::scaler {

/// A tensor on each device that asks for it, copied once and without waiting.
class OnDevice {
 public:
  /// `tensor` may be undefined: then every device has none.
  explicit OnDevice(at::Tensor tensor) : tensor_(std::move(tensor)) {}

  std::optional<at::Tensor> at(c10::Device device) {
    if (!tensor_.defined()) return std::nullopt;
    for (const auto& [where, copy] : copies_) {
      if (where == device) return copy;
    }
    copies_.emplace_back(device, tensor_.to(device, tensor_.scalar_type(), /*non_blocking=*/true));
    return copies_.back().second;
  }

 private:
  at::Tensor tensor_;
  std::vector<std::pair<c10::Device, at::Tensor>> copies_;
};

/// What fused kernels get as found_inf: they skip where it is exactly 1.
inline at::Tensor skips_of(const at::Tensor& found_inf, Behaviour behaviour) {
  if (!found_inf.defined() || behaviour == Behaviour::kPytorch211) return found_inf;
  return found_inf.ne(0).to(at::kFloat);
}

}  // namespace binade::scaler
