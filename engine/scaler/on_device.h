// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/scaler_options.h"

#include <ATen/core/Tensor.h>

#include <optional>
#include <utility>
#include <vector>

namespace binade::scaler {

/// Copies a tensor to each requested device, once per device and without synchronising.
class OnDevice {
 public:
  /// `tensor` may be undefined; at() then returns nullopt.
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

/// Returns the found_inf to pass to fused kernels, which skip only at exactly 1. With Behaviour::kFixed every non-zero
/// value becomes 1.
inline at::Tensor skips_of(const at::Tensor& found_inf, Behaviour behaviour) {
  if (!found_inf.defined() || behaviour == Behaviour::kPytorch211) return found_inf;
  return found_inf.ne(0).to(at::kFloat);
}

}  // namespace binade::scaler
