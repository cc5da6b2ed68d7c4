// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/casting.h"

#include <c10/core/impl/LocalDispatchKeySet.h>

namespace binade::autocast {

/// While it exists, a Casting treats every op that runs on this thread. The inside of a composite op (lstm,
/// cross_entropy_loss) and eager code then follow the same lists, cache and execution as the sites of a graph. It is a
/// boxed fallback on the dispatch key AutocastPrivateUse1, which no backend uses, and so intercepts every op above
/// autograd.
///
/// `casting` must outlive the region; null runs every op unchanged. Regions nest; each must be left on the thread that
/// entered it, in reverse order. The innermost region treats every op. If the regions are for different devices, it is
/// the innermost one whose device an argument of the op is on.
class CompositeRegion {
 public:
  explicit CompositeRegion(Casting* casting);
  ~CompositeRegion();
  CompositeRegion(const CompositeRegion&) = delete;
  CompositeRegion& operator=(const CompositeRegion&) = delete;

  /// The casting in force for a device's tensors on this thread; null if there is none.
  static const Casting* active(c10::DeviceType device);

 private:
  friend struct OpenRegions;
  struct Link {  ///< a casting and the enclosing ones
    Casting* casting;
    const Link* outer;
  };

  c10::impl::IncludeDispatchKeyGuard include_;
  bool was_enabled_;
  Link link_;
};

}  // namespace binade::autocast
