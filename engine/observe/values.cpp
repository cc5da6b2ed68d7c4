// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/values.h"

#include "engine/observe/measure.h"
#include "engine/observe/measure_device.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/isneginf.h>
#include <ATen/ops/isposinf.h>
#include <ATen/ops/view_as_real.h>

namespace binade::observe {

namespace {

/// Returns a tensor's floating-point numbers as a dense real tensor; undefined if it has none.
at::Tensor numbers_of(const at::Tensor& tensor) {
  if (!tensor.defined() || tensor.is_quantized() || tensor.is_meta()) return {};
  at::Tensor values = tensor.detach();
  if (values.is_sparse()) values = values._values();
  if (values.is_mkldnn()) values = values.to_dense();
  if (values.layout() != at::kStrided) return {};
  if (values.is_complex()) values = at::view_as_real(values.resolve_conj());
  return values.is_floating_point() ? values : at::Tensor();
}

/// Widens float8, which few ops can compare.
at::Tensor computable(const at::Tensor& numbers) {
  return numbers.defined() && c10::isFloat8Type(numbers.scalar_type()) ? numbers.to(at::kFloat) : numbers;
}

Values from_stats(const formats::TensorStats& stats, at::ScalarType dtype) {
  Values seen;
  seen.dtype = dtype;
  seen.count = static_cast<std::int64_t>(stats.count);
  seen.zeros = static_cast<std::int64_t>(stats.zero);
  seen.nan = static_cast<std::int64_t>(stats.nan);
  seen.positive_infinity = static_cast<std::int64_t>(stats.positive_infinity);
  seen.negative_infinity = static_cast<std::int64_t>(stats.negative_infinity);
  seen.smallest = stats.smallest;
  seen.largest = stats.largest;
  seen.sum_of_squares = stats.sum_of_squares;
  return seen;
}

/// For float64, integers and small formats; rare, so ATen ops suffice.
Values look_widely(const at::Tensor& numbers) {
  Values seen;
  const at::Tensor wide = numbers.to(at::kDouble);
  const at::Tensor finite = at::isfinite(wide);
  seen.count = wide.numel();
  seen.zeros = wide.eq(0).sum().item<std::int64_t>();
  seen.nan = wide.isnan().sum().item<std::int64_t>();
  seen.positive_infinity = wide.isposinf().sum().item<std::int64_t>();
  seen.negative_infinity = wide.isneginf().sum().item<std::int64_t>();
  const at::Tensor magnitudes = wide.abs().masked_select(finite.logical_and(wide.ne(0)));
  if (magnitudes.numel() > 0) {
    seen.smallest = magnitudes.min().item<double>();
    seen.largest = magnitudes.max().item<double>();
    seen.sum_of_squares = magnitudes.square().sum().item<double>();
  }
  return seen;
}

/// Called only for tensors that are not finite.
std::shared_ptr<const BadSlices> slices_of(const at::Tensor& tensor) {
  constexpr std::int64_t kMostSlices = 1 << 16;
  if (tensor.layout() != at::kStrided || tensor.dim() == 0 || tensor.size(0) < 2 || tensor.size(0) > kMostSlices)
    return {};
  const at::Tensor numbers = computable(numbers_of(tensor));
  if (!numbers.defined()) return {};
  const auto along = [&numbers](const at::Tensor& bad) { return numbers.dim() == 1 ? bad : bad.flatten(1).any(1); };
  at::Tensor bad = along(at::isnan(numbers).logical_or(at::isposinf(numbers)));
  if (!bad.any().item<bool>()) bad = along(at::isneginf(numbers));
  const at::Tensor places = bad.nonzero().flatten().to(at::kCPU, at::kLong).contiguous();
  auto slices = std::make_shared<BadSlices>();
  slices->of = tensor.size(0);
  slices->bad.assign(places.const_data_ptr<std::int64_t>(), places.const_data_ptr<std::int64_t>() + places.numel());
  return slices;
}

}  // namespace

Values look_at(const at::Tensor& tensor) {
  const at::NoGradGuard no_history;
  const at::Tensor numbers = numbers_of(tensor);
  Values seen;
  if (tensor.defined()) seen.dtype = tensor.scalar_type();
  if (!numbers.defined()) {
    const bool strided = tensor.defined() && tensor.layout() == at::kStrided;
    if (strided && !tensor.is_meta() && c10::isIntegralType(tensor.scalar_type(), /*includeBool=*/false)) {
      seen = look_widely(tensor.detach());
      seen.dtype = tensor.scalar_type();
    }
    seen.count = strided ? tensor.numel() : 0;
    return seen;
  }
  if (!measurable(numbers)) {
    seen = look_widely(numbers);
    seen.dtype = tensor.scalar_type();
    if (!seen.finite()) seen.slices = slices_of(tensor);
    return seen;
  }
  formats::TensorStats stats;
  if (numbers.is_cpu()) {
    measure(numbers, formats::kFloat32, stats);
  } else {
    add_row(device_row(numbers, formats::kFloat32).cpu(), formats::kFloat32, numbers.scalar_type(), stats);
  }
  seen = from_stats(stats, tensor.scalar_type());
  if (!seen.finite()) seen.slices = slices_of(tensor);
  return seen;
}

bool all_finite(const at::Tensor& tensor) {
  const at::NoGradGuard no_history;
  const at::Tensor numbers = computable(numbers_of(tensor));
  if (!numbers.defined() || numbers.numel() == 0) return true;
  if (!numbers.is_cpu() || !measurable(numbers)) return at::isfinite(numbers).all().item<bool>();
  formats::TensorStats stats;
  scan(numbers, formats::kFloat32, stats);
  return stats.non_finite() == 0;
}

void each_tensor(const c10::IValue& value, const std::function<void(const at::Tensor&)>& take) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) take(value.toTensor());
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) take(tensor);
  } else if (value.isList()) {
    for (const c10::IValue& member : value.toListRef()) each_tensor(member, take);
  } else if (value.isTuple()) {
    for (const c10::IValue& member : value.toTupleRef().elements()) each_tensor(member, take);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) each_tensor(entry.value(), take);
  }
}

}  // namespace binade::observe
