// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/difference.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/dot.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::observe {

Difference difference(const at::Tensor& got, double scale, const at::Tensor& wanted) {
  const at::NoGradGuard no_history;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  at::Tensor a = got.detach().reshape({-1}).to(at::kDouble).div(scale);
  at::Tensor b = wanted.detach().reshape({-1}).to(at::kDouble);
  double norm = b.norm().item<double>();
  Difference result;
  if (!std::isfinite(norm)) {  // `wanted` holds a non-finite value
    const at::Tensor known = b.isfinite();
    if (b.isinf().logical_and(a.ne(b)).any().item<bool>()) return {.error = kInfinity, .zeroed = 0, .cosine = {}};
    a = at::where(known, a, 0.0);
    b = at::where(known, b, 0.0);
    norm = b.norm().item<double>();
  }
  const double own = a.norm().item<double>();
  const double distance = a.sub(b).norm().item<double>();
  if (!std::isfinite(distance)) return {.error = kInfinity, .zeroed = 0, .cosine = {}};
  if (distance > 0) result.error = norm > 0 ? distance / norm : kInfinity;
  if (norm == 0) return result;
  if (distance > 0) result.zeroed = at::where(a.eq(0), b, 0.0).norm().item<double>() / norm;
  result.cosine = own > 0 ? at::dot(a, b).item<double>() / (own * norm) : 0;
  return result;
}

double beyond(double whole, double part) {
  if (std::isinf(whole)) return std::isinf(part) ? 0 : whole;
  return std::sqrt(std::max(0.0, whole * whole - part * part));
}

}  // namespace binade::observe
