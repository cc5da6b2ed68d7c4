// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

namespace binade::observe {

struct Difference {
  double error = 0;              ///< norm of the difference, as a share of the norm of what was wanted
  double zeroed = 0;             ///< share of that norm that is 0 in what there is
  std::optional<double> cosine;  ///< between the two, 0 where there is nothing; absent where nothing was wanted
};

/// Of `got` divided by `scale` from `wanted`, of as many numbers, in double. Where `wanted` is NaN nothing is known,
/// and nothing counted; where it is infinite (a mask, or what came of one) the same infinity is no error. Any other
/// value there, and one that is not finite where `wanted` is, is an infinite error.
Difference difference(const at::Tensor& got, double scale, const at::Tensor& wanted);

/// What of an error remains beside a part of it that is independent of the rest.
double beyond(double whole, double part);

}  // namespace binade::observe
