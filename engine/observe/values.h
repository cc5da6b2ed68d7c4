// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace binade::observe {

/// The slices along a tensor's first dimension that are not finite.
struct BadSlices {
  std::int64_t of = 0;            ///< size of that dimension
  std::vector<std::int64_t> bad;  ///< slices with NaN or +inf; if there are none, slices with -inf. Ascending
};

/// Statistics of a tensor at one time. For bools only the count.
struct Values {
  at::ScalarType dtype = at::kFloat;
  std::int64_t count = 0;
  std::int64_t zeros = 0;
  std::int64_t nan = 0;
  std::int64_t positive_infinity = 0;
  std::int64_t negative_infinity = 0;
  double smallest = 0;  ///< smallest finite non-zero magnitude; 0: none
  double largest = 0;   ///< largest finite magnitude
  double sum_of_squares = 0;
  std::shared_ptr<const BadSlices> slices;  ///< for a dense tensor that is not finite; null: not computed

  std::int64_t infinite() const { return positive_infinity + negative_infinity; }
  bool finite() const { return nan == 0 && infinite() == 0; }
};

/// Computes the statistics of a tensor of any dtype, layout and device. Synchronises with the device.
Values look_at(const at::Tensor& tensor);

/// Returns whether every value is finite; cheaper than look_at(). Synchronises with the device.
bool all_finite(const at::Tensor& tensor);

/// Calls `take` for every defined tensor in `value`, through lists, tuples and dictionaries.
void each_tensor(const c10::IValue& value, const std::function<void(const at::Tensor&)>& take);

}  // namespace binade::observe
