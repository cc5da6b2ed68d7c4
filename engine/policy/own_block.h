// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/policy/policy.h"

#include <optional>
#include <string>

namespace binade::policy {

/// An autocast block that a model carries in its own code, `with torch.autocast("cuda", dtype=torch.float16):`.
struct OwnBlock {
  std::optional<Base> list;  ///< kCudaAmp or kCpuAmp, by the block's device; unset: whatever the tensors are on
  std::optional<formats::Format> low;  ///< unset: the low format around the block, else the device's default
  bool enabled = true;
  std::optional<bool> cache_enabled;  ///< unset: as around the block
  std::string source;                 ///< `model.py:12`; may be empty
  const OwnBlock* outer = nullptr;    ///< the block around this one
};

/// The block that decides what an op inside `innermost` (may be null) does: the nearest one for the device whose list
/// is `device`, or, where no device is said, the nearest at all. Null where PyTorch would see none.
const OwnBlock* block_in_force(const OwnBlock* innermost, std::optional<Base> device);

/// The list that such a block follows, and the format that it lowers to; kAllFloat32 where it casts nothing: it is
/// disabled, or its device's autocast does not know the format, which PyTorch warns of and disables. `base` and `low`
/// are what surrounds the model.
struct BlockLists {
  Base list = Base::kAllFloat32;
  formats::Format low = formats::kFloat32;
};
BlockLists lists_of(const OwnBlock& block, Base base, const formats::Format& low, std::optional<Base> device);

/// The device whose list a base is: kCudaAmp, kCpuAmp or nothing.
std::optional<Base> device_of(Base base);

}  // namespace binade::policy
