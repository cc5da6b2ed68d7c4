// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace binade::batches {

/// The part of every training batch that one of several sources gives, such as a rank's. All sources have the same
/// batches and cursor; together their parts are the batch. The whole by default.
struct Shard {
  int index = 0;
  int count = 1;

  /// First row of the part of a batch of `examples` rows, and the row behind its last. Parts differ by one row at most.
  std::int64_t begin(std::int64_t examples) const { return examples * index / count; }
  std::int64_t end(std::int64_t examples) const { return examples * (index + 1) / count; }
  std::int64_t size(std::int64_t examples) const { return end(examples) - begin(examples); }
  /// The part's share of the batch, 0 to 1.
  double share(std::int64_t examples) const {
    return static_cast<double>(size(examples)) / static_cast<double>(examples);
  }
};

}  // namespace binade::batches
