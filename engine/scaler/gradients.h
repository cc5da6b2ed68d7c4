// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/scaler_options.h"

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <vector>

namespace torch::optim {
class Optimizer;
}

namespace binade::scaler {

/// Gradients of one device and one dtype: what the fused kernels take in one call.
struct Bucket {
  c10::Device device;
  at::ScalarType dtype;
  std::vector<at::Tensor> gradients;  ///< of a sparse gradient its values
};

/// The gradients of `optimizer`, devices and dtypes in the order in which they are met. No gradient is changed, but a
/// sparse float16 one is coalesced, which makes a new tensor: the sum of its duplicates may overflow. Throws
/// c10::ValueError for a float16 gradient unless `allow_half`.
std::vector<Bucket> gradients_of(torch::optim::Optimizer& optimizer, bool allow_half, Behaviour behaviour);

/// Multiplies the gradients by `inverse`, a 0-dim float32 on any device, and sets found_inf to 1 where one was not
/// finite before. Returns one found_inf for each device, in the order of `buckets`. `look_again`: also where one is not
/// finite afterwards, which can only be below a scale of 1.
std::vector<std::pair<c10::Device, at::Tensor>> unscale_and_check(const std::vector<Bucket>& buckets,
                                                                  const at::Tensor& inverse, bool look_again);

/// A parameter group with gradients that are not finite.
struct OverflowedGroup {
  std::size_t group = 0;                ///< its place in param_groups()
  std::vector<std::size_t> parameters;  ///< places of its parameters with such a gradient, in order
  friend bool operator==(const OverflowedGroup&, const OverflowedGroup&) = default;
};

/// The groups of `optimizer` that overflowed. Copies one flag a parameter to the host, together for each device and
/// dtype.
std::vector<OverflowedGroup> overflowed_groups(torch::optim::Optimizer& optimizer);

}  // namespace binade::scaler
