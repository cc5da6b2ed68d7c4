// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/own_block.h"

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

#include <vector>

namespace binade::graph {

/// Runs the model's own autocast blocks with LibTorch's autocast, as eager PyTorch does; TorchScript alone would ignore
/// them. The destructor leaves blocks that are still open, since a model may throw inside one.
class NativeBlocks {
 public:
  /// `tensors` is the device of blocks that name none.
  explicit NativeBlocks(c10::DeviceType tensors) : tensors_(tensors) {}
  ~NativeBlocks();
  NativeBlocks(const NativeBlocks&) = delete;
  NativeBlocks& operator=(const NativeBlocks&) = delete;

  void enter(const policy::OwnBlock& block);
  void leave();

 private:
  struct Before {
    c10::DeviceType device;
    bool enabled;
    c10::ScalarType dtype;
    bool cache_enabled;
  };
  const c10::DeviceType tensors_;
  std::vector<Before> open_;
};

}  // namespace binade::graph
