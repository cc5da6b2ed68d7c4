// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/difference.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/dot.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::observe {

Difference difference(const at::Tensor& got, double scale, const at::Tensor& wanted) {
  const at::NoGradGuard no_history;
  const at::Tensor a = got.detach().reshape({-1}).to(at::kDouble).div(scale);
  const at::Tensor b = wanted.detach().reshape({-1}).to(at::kDouble);
  const double own = a.norm().item<double>();
  const double norm = b.norm().item<double>();
  const double distance = a.sub(b).norm().item<double>();
  Difference result;
  if (!std::isfinite(norm)) {
    // float32 itself is not finite there: masks are, and equal ones are no difference.
    result.error = a.equal(b) ? 0 : std::numeric_limits<double>::infinity();
    return result;
  }
  if (!std::isfinite(distance)) return {std::numeric_limits<double>::infinity(), 0};
  if (distance > 0) result.error = norm > 0 ? distance / norm : std::numeric_limits<double>::infinity();
  if (norm > 0) result.cosine = own > 0 ? at::dot(a, b).item<double>() / (own * norm) : 0;
  return result;
}

double beyond(double whole, double part) {
  if (std::isinf(whole)) return std::isinf(part) ? 0 : whole;
  return std::sqrt(std::max(0.0, whole * whole - part * part));
}

}  // namespace binade::observe
