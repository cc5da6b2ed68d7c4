// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace binade::observe {

struct Difference {
  double error = 0;   ///< norm of the difference, as a share of the norm of what was wanted
  double cosine = 1;  ///< between the two
};

/// Of `got` divided by `scale` from `wanted`, of as many numbers, in double. Where `wanted` is not finite itself (a
/// mask) the error is 0 for equal ones, else infinite.
Difference difference(const at::Tensor& got, double scale, const at::Tensor& wanted);

/// What of an error remains beside a part of it that is independent of the rest.
double beyond(double whole, double part);

}  // namespace binade::observe
