// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/gradients.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>
#include <torch/optim/optimizer.h>

#include <limits>
#include <string>

namespace binade::scaler {

namespace {

std::size_t bucket_for(std::vector<Bucket>& buckets, const at::Tensor& values) {
  std::size_t i = 0;
  while (i < buckets.size() && (buckets[i].device != values.device() || buckets[i].dtype != values.scalar_type())) ++i;
  if (i == buckets.size()) buckets.push_back({values.device(), values.scalar_type(), {}});
  return i;
}

std::string half_text(Behaviour behaviour, std::size_t group, std::size_t parameter) {
  std::string text = "Attempting to unscale FP16 gradients.";
  if (behaviour == Behaviour::kPytorch211) return text;
  return text + " Parameter " + std::to_string(parameter) + " of group " + std::to_string(group) +
         " is float16. Keep parameters in float32: autocast casts what the forward needs. Or step float32 copies of "
         "them (MasterWeights).";
}

/// Calls the fused kernel. CUDA has none for bfloat16, so bfloat16 gradients go through float32 copies.
void unscale(const std::vector<at::Tensor>& gradients, at::Tensor& found_inf, const at::Tensor& inverse) {
  if (gradients.front().is_cuda() && gradients.front().scalar_type() == at::kBFloat16) {
    std::vector<at::Tensor> wide;
    wide.reserve(gradients.size());
    for (const at::Tensor& gradient : gradients) wide.push_back(gradient.to(at::kFloat));
    at::_amp_foreach_non_finite_check_and_unscale_(wide, found_inf, inverse);
    for (std::size_t i = 0; i < wide.size(); ++i) gradients[i].copy_(wide[i]);
    return;
  }
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, found_inf, inverse);
}

}  // namespace

std::vector<Bucket> gradients_of(torch::optim::Optimizer& optimizer, bool allow_half, Behaviour behaviour) {
  const at::NoGradGuard no_grad;
  std::vector<Bucket> buckets;
  auto& groups = optimizer.param_groups();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& parameters = groups[g].params();
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (!parameters[p].grad().defined()) continue;
      at::Tensor& gradient = parameters[p].mutable_grad();
      const bool half = gradient.scalar_type() == at::kHalf;
      TORCH_CHECK_VALUE(allow_half || !half, half_text(behaviour, g, p));
      if (gradient.is_sparse() && half) gradient = gradient.coalesce();
      const at::Tensor values = gradient.is_sparse() ? gradient._values() : gradient;
      buckets[bucket_for(buckets, values)].gradients.push_back(values);
    }
  }
  return buckets;
}

std::vector<std::pair<c10::Device, at::Tensor>> unscale_and_check(const std::vector<Bucket>& buckets,
                                                                  const at::Tensor& inverse, bool look_again) {
  const at::NoGradGuard no_grad;
  struct OnDevice {
    c10::Device device;
    at::Tensor found_inf, inverse, one;
  };
  std::vector<OnDevice> devices;
  for (const Bucket& bucket : buckets) {
    std::size_t d = 0;
    while (d < devices.size() && devices[d].device != bucket.device) ++d;
    if (d == devices.size()) {
      const auto options = at::TensorOptions().device(bucket.device).dtype(at::kFloat);
      devices.push_back({bucket.device, at::zeros({}, options),
                         inverse.to(bucket.device, at::kFloat, /*non_blocking=*/true),
                         look_again ? at::ones({}, options) : at::Tensor()});
    }
    unscale(bucket.gradients, devices[d].found_inf, devices[d].inverse);
    if (look_again) unscale(bucket.gradients, devices[d].found_inf, devices[d].one);
  }
  std::vector<std::pair<c10::Device, at::Tensor>> found;
  found.reserve(devices.size());
  for (OnDevice& each : devices) found.emplace_back(each.device, std::move(each.found_inf));
  return found;
}

std::vector<OverflowedGroup> overflowed_groups(torch::optim::Optimizer& optimizer) {
  const at::NoGradGuard no_grad;
  struct Place {
    std::size_t group, parameter;
  };
  std::vector<Bucket> buckets;
  std::vector<std::vector<Place>> places;
  auto& groups = optimizer.param_groups();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& parameters = groups[g].params();
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const at::Tensor& gradient = parameters[p].grad();
      if (!gradient.defined() || gradient.numel() == 0) continue;
      const at::Tensor values = gradient.is_sparse() ? gradient._values() : gradient;
      if (values.numel() == 0) continue;
      const std::size_t bucket = bucket_for(buckets, values);
      places.resize(buckets.size());
      buckets[bucket].gradients.push_back(values);
      places[bucket].push_back({g, p});
    }
  }
  std::vector<std::vector<bool>> bad(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) bad[g].resize(groups[g].params().size());
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    // The largest magnitude is finite exactly if every value is.
    const auto largest = at::_foreach_norm(buckets[b].gradients, std::numeric_limits<double>::infinity());
    const at::Tensor finite = at::isfinite(at::stack(largest)).to(c10::kCPU);
    for (std::size_t i = 0; i < places[b].size(); ++i) {
      if (!finite.const_data_ptr<bool>()[i]) bad[places[b][i].group][places[b][i].parameter] = true;
    }
  }
  std::vector<OverflowedGroup> found;
  for (std::size_t g = 0; g < bad.size(); ++g) {
    OverflowedGroup group{g, {}};
    for (std::size_t p = 0; p < bad[g].size(); ++p) {
      if (bad[g][p]) group.parameters.push_back(p);
    }
    if (!group.parameters.empty()) found.push_back(std::move(group));
  }
  return found;
}

}  // namespace binade::scaler
