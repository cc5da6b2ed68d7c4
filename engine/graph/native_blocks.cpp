// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/native_blocks.h"

#include "engine/graph/dtype_format.h"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>

namespace binade::graph {

NativeBlocks::~NativeBlocks() {
  while (!open_.empty()) leave();
}

void NativeBlocks::enter(const policy::OwnBlock& block) {
  c10::DeviceType device = tensors_;
  if (block.list) device = *block.list == policy::Base::kCpuAmp ? c10::kCPU : c10::kCUDA;
  const c10::ScalarType dtype = block.low ? dtype_of(*block.low) : at::autocast::get_autocast_dtype(device);
  bool enabled = block.enabled;
  if (device == c10::kCPU && dtype != c10::kBFloat16 && dtype != c10::kHalf) enabled = false;
  if (device == c10::kCUDA && !at::hasCUDA()) enabled = false;
  open_.push_back({device, at::autocast::is_autocast_enabled(device), at::autocast::get_autocast_dtype(device),
                   at::autocast::is_autocast_cache_enabled()});
  at::autocast::set_autocast_enabled(device, enabled);
  at::autocast::set_autocast_dtype(device, dtype);
  at::autocast::increment_nesting();
  at::autocast::set_autocast_cache_enabled(block.cache_enabled.value_or(open_.back().cache_enabled));
}

void NativeBlocks::leave() {
  const Before before = open_.back();
  open_.pop_back();
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(before.device, before.enabled);
  at::autocast::set_autocast_dtype(before.device, before.dtype);
  at::autocast::set_autocast_cache_enabled(before.cache_enabled);
}

}  // namespace binade::graph
