// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/cast_cache.h"
#include "engine/graph/site_hook.h"
#include "engine/policy/resolve.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace binade::autocast {

/// Casts the arguments of every site as the policy's table says, above autograd, so that backward follows by
/// construction. Emulated matrix and convolution ops get float32 copies of their half operands and their result is
/// rounded; hooks nested inside this one therefore see values before rounding.
/// One forward-and-loss at a time, on one thread.
class Autocast : public graph::SiteHook {
 public:
  /// The table to use from the next begin() on; indexed by Site::id.
  void set_policy(std::shared_ptr<const policy::Resolved> policy);
  const policy::Resolved& policy() const { return *policy_; }

  /// Opens a forward: LibTorch's own autocast stays off, the cast cache is empty.
  void begin();
  /// Drops the cast cache: call after the loss and before backward.
  void end();

  void before(graph::Call& call) override;
  void after(graph::Call& call) override;
  void failed(graph::Call& call, const std::exception& error) override;

 private:
  std::shared_ptr<const policy::Resolved> policy_;
  CastCache cache_;
};

}  // namespace binade::autocast
