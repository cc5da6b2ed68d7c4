// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

namespace binade::observe {

struct Difference {
  double error = 0;              ///< norm of the difference, relative to the norm of `wanted`
  double zeroed = 0;             ///< share of the norm of `wanted` where `got` is 0
  std::optional<double> cosine;  ///< cosine between the two; 0 if `got` is 0, nullopt if `wanted` is 0
};

/// Compares `got` / `scale` with `wanted`, which has as many elements, in float64. Positions where `wanted` is NaN are
/// ignored. Where `wanted` is infinite (a mask), the same infinity is no error. Any other value there, and a non-finite
/// value where `wanted` is finite, gives an infinite error.
Difference difference(const at::Tensor& got, double scale, const at::Tensor& wanted);

/// Returns the rest of an error `whole` without an independent `part`: sqrt(whole² - part²).
double beyond(double whole, double part);

}  // namespace binade::observe
