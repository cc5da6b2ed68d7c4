// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batches/shard.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace binade::batches {

/// The examples of each batch and a cursor over the batches. Each epoch has an order of its own, or is in ascending
/// order without `shuffle`; an incomplete last batch is dropped. `batch` must not exceed `examples`.
class EpochOrder {
 public:
  EpochOrder() = default;
  EpochOrder(std::int64_t examples, std::int64_t batch, std::uint64_t seed, bool shuffle, Shard shard = {})
      : examples_(examples), batch_(batch), seed_(seed), shuffle_(shuffle), shard_(shard) {}

  /// Number of batches before the current one, over all epochs.
  std::int64_t cursor() const { return cursor_; }
  void seek(std::int64_t cursor) { cursor_ = cursor; }

  /// Indices of the examples of the current batch's part, int64 [batch] without a shard. They are valid until the next
  /// call.
  at::Tensor current();
  /// The part's share of each batch.
  double share() const { return shard_.share(batch_); }
  /// Moves to the next batch.
  void advance() { ++cursor_; }

 private:
  std::int64_t examples_ = 0;
  std::int64_t batch_ = 0;
  std::uint64_t seed_ = 0;
  bool shuffle_ = false;
  Shard shard_;
  std::int64_t cursor_ = 0;
  std::int64_t epoch_ = -1;  ///< the epoch of `order_`
  std::vector<std::int64_t> order_;
};

}  // namespace binade::batches
