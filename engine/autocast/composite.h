// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/casting.h"

#include <c10/core/impl/LocalDispatchKeySet.h>

namespace binade::autocast {

/// While it lives, every op that runs on this thread is treated by a Casting: the inside of a composite op (lstm,
/// cross_entropy_loss) and eager code then follow the same lists, cache and execution as the sites of a graph. A boxed
/// fallback on the dispatch key AutocastPrivateUse1, which no backend uses, sees every op above autograd.
/// `casting` (or null: ops run untouched, also inside another region) is used as long as the region lives. Regions
/// nest; each is left on the thread that entered it, last entered first.
class CompositeRegion {
 public:
  explicit CompositeRegion(Casting* casting);
  ~CompositeRegion();
  CompositeRegion(const CompositeRegion&) = delete;
  CompositeRegion& operator=(const CompositeRegion&) = delete;

  /// What treats this thread's ops now; null for nothing.
  static Casting* active();

 private:
  c10::impl::IncludeDispatchKeyGuard include_;
  bool was_enabled_;
  Casting* outer_;
};

}  // namespace binade::autocast
