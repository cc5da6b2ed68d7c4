// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/apex_scaler.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/isfinite.h>

#include <algorithm>

namespace binade::scaler {

namespace {

constexpr double kFirstScale = 65536;
constexpr double kFactor = 2;
constexpr std::int64_t kWindow = 2000;

/// Returns a sparse gradient's stored values; its other values are zeros and cannot overflow.
at::Tensor values_of(const at::Tensor& tensor) {
  return tensor.is_sparse() ? tensor._values() : tensor;
}

}  // namespace

ApexScaler::ApexScaler(const ApexScalerOptions& options) : options_(options) {
  state_.loss_scale = options_.static_scale.value_or(std::min(kFirstScale, options_.max_scale));
}

void ApexScaler::note(const at::Tensor& values) {
  if (!is_dynamic()) return;  // a static scaler never skips
  const at::Tensor bad = at::isfinite(values_of(values)).all().logical_not();
  for (auto& [device, flag] : found_inf_) {
    if (device != bad.device()) continue;
    flag.logical_or_(bad);
    return;
  }
  found_inf_.emplace_back(bad.device(), bad);
}

void ApexScaler::unscale(std::span<const at::Tensor> from, std::span<const at::Tensor> to) {
  const at::NoGradGuard no_history;
  for (std::size_t i = 0; i < from.size(); ++i) {
    note(from[i]);
    if (state_.loss_scale == 1.0 && from[i].is_same(to[i])) continue;
    to[i].copy_(from[i].to(at::kFloat).mul(1.0 / state_.loss_scale));
  }
}

void ApexScaler::unscale_onto(std::span<const at::Tensor> from, std::span<const at::Tensor> stash,
                              std::span<const at::Tensor> to) {
  const at::NoGradGuard no_history;
  for (std::size_t i = 0; i < from.size(); ++i) {
    note(from[i]);
    to[i].copy_(from[i].to(at::kFloat).mul(1.0 / state_.loss_scale).add(stash[i].to(at::kFloat)));
  }
}

bool ApexScaler::update() {
  bool overflow = false;
  for (const auto& [device, flag] : found_inf_) overflow = flag.item<bool>() || overflow;
  found_inf_.clear();
  if (is_dynamic() && overflow) {
    state_.loss_scale /= kFactor;
    if (options_.min_scale && *options_.min_scale != 0) {
      state_.loss_scale = std::max(*options_.min_scale, state_.loss_scale);
    }
    state_.unskipped = 0;
    return true;
  }
  ++state_.unskipped;
  if (is_dynamic() && state_.unskipped == kWindow) {
    state_.loss_scale = std::min(options_.max_scale, state_.loss_scale * kFactor);
    state_.unskipped = 0;
  }
  return false;
}

}  // namespace binade::scaler
