// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/own_block.h"

namespace binade::policy {

std::optional<Base> device_of(Base base) {
  if (base == Base::kCudaAmp || base == Base::kCpuAmp) return base;
  return std::nullopt;
}

const OwnBlock* block_in_force(const OwnBlock* innermost, std::optional<Base> device) {
  for (const OwnBlock* block = innermost; block != nullptr; block = block->outer) {
    if (!device || !block->list || *block->list == *device) return block;
  }
  return nullptr;
}

BlockLists lists_of(const OwnBlock& block, Base base, const formats::Format& low_around, std::optional<Base> device) {
  // Without a device on either side, PyTorch's default is CUDA.
  const Base list = block.list ? *block.list : device.value_or(Base::kCudaAmp);
  if (!block.enabled) return {};
  formats::Format low = list == Base::kCpuAmp ? formats::kBFloat16 : formats::kFloat16;
  const OwnBlock* from = &block;
  while (from != nullptr && !from->low) from = block_in_force(from->outer, list);
  if (from != nullptr) {
    low = *from->low;
  } else if (base == list) {
    low = low_around;
  }
  if (list == Base::kCpuAmp && low != formats::kBFloat16 && low != formats::kFloat16) return {};
  return {list, low};
}

}  // namespace binade::policy
