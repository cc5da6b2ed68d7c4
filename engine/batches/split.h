// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace binade::batches {

/// Rows to train on and rows held out, each ascending.
struct Split {
  std::vector<std::int64_t> train;
  std::vector<std::int64_t> test;
};

/// Holds out the nearest whole number of rows to `share` of them, at least one where share is above 0; which ones
/// depends on `seed` and the number of rows only.
Split split_rows(std::int64_t rows, double share, std::uint64_t seed);

}  // namespace binade::batches
