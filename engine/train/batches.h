// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace binade::train {

/// What one step or one part of an evaluation takes. On the CPU.
struct Batch {
  std::vector<c10::IValue> inputs;  ///< one for each argument of forward
  at::Tensor target;                ///< int64 labels, one an example
};

/// Where a training's batches come from. The n-th batch depends on seed and n only, so that a cursor is all a replay
/// or a resumed run needs; nothing here touches LibTorch's own random state. One thread.
class BatchSource {
 public:
  virtual ~BatchSource() = default;

  /// The training batch at the cursor, which then moves on by one.
  virtual Batch next() = 0;
  /// How many training batches were taken so far.
  virtual std::int64_t cursor() const = 0;
  virtual void seek(std::int64_t cursor) = 0;

  /// The test half, always the same, in the same order.
  virtual std::int64_t test_batches() const = 0;
  virtual Batch test_batch(std::int64_t index) const = 0;

  /// Labels are below this.
  virtual std::int64_t classes() const = 0;
};

}  // namespace binade::train
