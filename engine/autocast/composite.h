// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/cast_cache.h"
#include "engine/policy/resolve.h"

#include <c10/core/impl/LocalDispatchKeySet.h>

#include <functional>

namespace binade::autocast {

/// While it lives, ops that run on this thread pass through our own casting rules: the inside of a composite op (lstm,
/// cross_entropy_loss) then follows the same lists, cache and execution as the sites of the graph. A boxed fallback on
/// the dispatch key AutocastPrivateUse1, which no backend uses, sees every op above autograd.
/// `policy` and `cache` are used as long as the region lives.
class CompositeRegion {
 public:
  CompositeRegion(const policy::Resolved& policy, CastCache& cache);
  ~CompositeRegion();
  CompositeRegion(const CompositeRegion&) = delete;
  CompositeRegion& operator=(const CompositeRegion&) = delete;

 private:
  c10::impl::IncludeDispatchKeyGuard include_;
  bool was_enabled_;
  const void* outer_;
  struct State {
    const policy::Resolved* policy;
    CastCache* cache;
  } state_;
  friend struct Fallback;
};

}  // namespace binade::autocast
