// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace binade::observe {

/// Where along its first dimension a tensor is not finite.
struct BadSlices {
  std::int64_t of = 0;            ///< size of that dimension
  std::vector<std::int64_t> bad;  ///< with NaN or +inf; where there is none of these, with -inf. Ascending
};

/// What a tensor held when it was looked at. Of truths only the count.
struct Values {
  at::ScalarType dtype = at::kFloat;
  std::int64_t count = 0;
  std::int64_t zeros = 0;
  std::int64_t nan = 0;
  std::int64_t positive_infinity = 0;
  std::int64_t negative_infinity = 0;
  double smallest = 0;  ///< smallest finite non-zero magnitude; 0 where there is none
  double largest = 0;   ///< largest finite magnitude
  double sum_of_squares = 0;
  std::shared_ptr<const BadSlices> slices;  ///< of a dense tensor that is not finite; null: not looked for

  std::int64_t infinite() const { return positive_infinity + negative_infinity; }
  bool finite() const { return nan == 0 && infinite() == 0; }
};

/// Looks at any tensor: all dtypes and layouts, any device (waits for it). What has no values gives none.
Values look_at(const at::Tensor& tensor);

/// Whether every value is finite; cheaper than look_at. Waits for the device.
bool all_finite(const at::Tensor& tensor);

/// Calls `take` for every defined tensor in `value`, through lists, tuples and dictionaries.
void each_tensor(const c10::IValue& value, const std::function<void(const at::Tensor&)>& take);

}  // namespace binade::observe
