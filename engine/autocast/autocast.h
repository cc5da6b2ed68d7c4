// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/cast_cache.h"
#include "engine/autocast/composite.h"
#include "engine/graph/site_hook.h"
#include "engine/policy/resolve.h"

#include <memory>
#include <optional>

namespace binade::autocast {

/// Casts the arguments of every site as the policy's table says, above autograd, so that backward follows by
/// construction. Emulated matrix and convolution ops get float32 copies of their half operands and their result is
/// rounded; hooks nested inside this one therefore see values before rounding.
/// One forward-and-loss at a time, on one thread.
class Autocast : public graph::SiteHook {
 public:
  /// The table to use from the next begin() on, specialised to the sites; indexed by Site::id.
  void set_policy(std::shared_ptr<const policy::Resolved> policy);
  const policy::Resolved& policy() const { return *policy_; }

  /// Opens a forward: the cast cache is empty. The cache spans forward and loss.
  void begin();
  /// Drops the cast cache: call after the loss and before backward, also after a failed forward.
  void end();

  void before(graph::Call& call) override;
  void after(graph::Call& call) override;
  void failed(graph::Call& call, const std::exception& error) override;

 private:
  void cast_to(graph::Call& call, const policy::Decision& decision);
  void follow(graph::Call& call, const policy::Decision& decision);
  void append_dtype(graph::Call& call);

  std::shared_ptr<const policy::Resolved> policy_;
  CastCache cache_;
  std::optional<CompositeRegion> region_;                ///< open while a composite op runs
  at::ScalarType round_to_ = at::ScalarType::Undefined;  ///< of the present call's results
};

}  // namespace binade::autocast
