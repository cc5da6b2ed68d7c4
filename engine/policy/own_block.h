// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/policy/policy.h"

#include <optional>
#include <string>

namespace binade::policy {

/// An autocast block in a model's own code: `with torch.autocast("cuda", dtype=torch.float16):`. Its lists rank below
/// op changes and site rules. Ops that composite ops run inside a block have tables of their own.
struct OwnBlock {
  std::optional<Base> list;            ///< kCudaAmp or kCpuAmp, by the block's device; empty: the device of the tensors
  std::optional<formats::Format> low;  ///< empty: the low format around the block, else the device's default
  bool enabled = true;
  std::optional<bool> cache_enabled;  ///< empty: as around the block
  std::string source;                 ///< `model.py:12`; may be empty
  const OwnBlock* outer = nullptr;    ///< the enclosing block; may be null
};

/// The block that decides for an op inside `innermost` (may be null): the innermost one for the device whose list is
/// `device`, or the innermost of all if no device is given. Null if PyTorch would apply none.
const OwnBlock* block_in_force(const OwnBlock* innermost, std::optional<Base> device);

/// List that a block applies and the low format it casts to. kAllFloat32 if it casts nothing: it is disabled, or its
/// device's autocast does not support the format, in which case PyTorch warns and disables it.
struct BlockLists {
  Base list = Base::kAllFloat32;
  formats::Format low = formats::kFloat32;
};
/// Lists of `block`; `base` and `low` are those around the model.
BlockLists lists_of(const OwnBlock& block, Base base, const formats::Format& low, std::optional<Base> device);

/// Device to which a base list belongs, as kCudaAmp or kCpuAmp; empty for the other bases.
std::optional<Base> device_of(Base base);

}  // namespace binade::policy
