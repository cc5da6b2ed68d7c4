// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/split.h"

#include "engine/batches/shuffle.h"

#include <algorithm>
#include <cmath>

namespace binade::batches {

namespace {

constexpr std::uint64_t kStream = 3;  // of mix(): training and test batches have 0 to 2

}  // namespace

Split split_rows(std::int64_t rows, double share, std::uint64_t seed) {
  Split split;
  if (share <= 0 || rows == 0) {
    split.train = in_order(rows);
    return split;
  }
  const std::vector<std::int64_t> order = shuffled(rows, mix(seed, kStream, 0));
  const auto held_out = std::clamp<std::int64_t>(std::llround(static_cast<double>(rows) * share), 1, rows);
  split.test.assign(order.begin(), order.begin() + held_out);
  split.train.assign(order.begin() + held_out, order.end());
  std::sort(split.test.begin(), split.test.end());
  std::sort(split.train.begin(), split.train.end());
  return split;
}

}  // namespace binade::batches
