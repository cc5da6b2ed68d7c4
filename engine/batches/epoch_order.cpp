// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/epoch_order.h"

#include "engine/batches/shuffle.h"

#include <ATen/ops/from_blob.h>

namespace binade::batches {

at::Tensor EpochOrder::current() {
  const std::int64_t per_epoch = examples_ / batch_;
  if (const std::int64_t epoch = cursor_ / per_epoch; epoch != epoch_) {
    epoch_ = epoch;
    order_ = {};  // frees the old order first, since it may be large
    order_ = shuffle_ ? shuffled(examples_, mix(seed_, 0, static_cast<std::uint64_t>(epoch))) : in_order(examples_);
  }
  std::int64_t* const batch = order_.data() + cursor_ % per_epoch * batch_;
  return at::from_blob(batch + shard_.begin(batch_), {shard_.size(batch_)}, at::kLong);
}

}  // namespace binade::batches
