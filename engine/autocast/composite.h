// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/casting.h"

#include <c10/core/impl/LocalDispatchKeySet.h>

namespace binade::autocast {

/// While it lives, every op that runs on this thread is treated by a Casting: the inside of a composite op (lstm,
/// cross_entropy_loss) and eager code then follow the same lists, cache and execution as the sites of a graph. A boxed
/// fallback on the dispatch key AutocastPrivateUse1, which no backend uses, sees every op above autograd.
/// `casting` (or null: every op runs untouched) is used as long as the region lives. Regions nest; each is left on the
/// thread that entered it, last entered first. The innermost treats every op, except where it and those around it are
/// for different devices: then the innermost one whose device an op's arguments are on.
class CompositeRegion {
 public:
  explicit CompositeRegion(Casting* casting);
  ~CompositeRegion();
  CompositeRegion(const CompositeRegion&) = delete;
  CompositeRegion& operator=(const CompositeRegion&) = delete;

  /// What treats a device's tensors on this thread now; null for nothing.
  static const Casting* active(c10::DeviceType device);

 private:
  friend struct OpenRegions;
  struct Link {  ///< a casting and those around it
    Casting* casting;
    const Link* outer;
  };

  c10::impl::IncludeDispatchKeyGuard include_;
  bool was_enabled_;
  Link link_;
};

}  // namespace binade::autocast
