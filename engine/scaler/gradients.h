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

/// Gradients of one device and dtype, the unit that one fused kernel call takes.
struct Bucket {
  c10::Device device;
  at::ScalarType dtype;
  std::vector<at::Tensor> gradients;  ///< for a sparse gradient, its values
};

/// Returns the gradients of `optimizer`, with devices and dtypes in order of first occurrence. Gradients keep their
/// values, except that sparse float16 ones are coalesced into a new tensor, because the sum of duplicates may overflow.
/// Throws c10::ValueError for a float16 gradient unless `allow_half`.
std::vector<Bucket> gradients_of(torch::optim::Optimizer& optimizer, bool allow_half, Behaviour behaviour);

/// Multiplies the gradients by `inverse`, a 0-dim float32 on any device. Returns one 0-dim found_inf per device, in the
/// order of `buckets`: 1 if a gradient was not finite before the multiplication, else 0. With `look_again` gradients
/// are checked after the multiplication as well, where only a scale below 1 can make them overflow.
std::vector<std::pair<c10::Device, at::Tensor>> unscale_and_check(const std::vector<Bucket>& buckets,
                                                                  const at::Tensor& inverse, bool look_again);

/// A parameter group with non-finite gradients.
struct OverflowedGroup {
  std::size_t group = 0;                ///< index in param_groups()
  std::vector<std::size_t> parameters;  ///< indices of the affected parameters in the group, ascending
  friend bool operator==(const OverflowedGroup&, const OverflowedGroup&) = default;
};

/// Returns the groups of `optimizer` that have a non-finite gradient. Copies one flag per parameter to the host, in one
/// transfer per device and dtype.
std::vector<OverflowedGroup> overflowed_groups(torch::optim::Optimizer& optimizer);

}  // namespace binade::scaler
