// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/own_block.h"

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

#include <vector>

namespace binade::graph {

/// The model's own autocast blocks as eager PyTorch runs them, by LibTorch's own autocast: for the reference, which
/// TorchScript alone would run without its blocks. What is open when it goes is closed: a model may throw inside.
class NativeBlocks {
 public:
  /// `tensors`: the device that blocks for no device of their own are for.
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
