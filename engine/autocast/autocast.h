// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/casting.h"
#include "engine/autocast/composite.h"
#include "engine/graph/site_hook.h"
#include "engine/policy/resolve.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace binade::autocast {

/// Casts the arguments of every site as the policy's table says, above autograd, so that backward follows by
/// construction. Emulated matrix and convolution ops get float32 copies of their half operands and their result is
/// rounded; hooks nested inside this one therefore see values before rounding.
/// One forward-and-loss at a time, on one thread.
class Autocast : public graph::SiteHook {
 public:
  /// `device`: whose tensors are cast; without one, every device's.
  explicit Autocast(Eligible device = {}) : casting_(device) {}

  /// The table to use from the next begin() on, specialised to the sites; indexed by Site::id.
  void set_policy(std::shared_ptr<const policy::Resolved> policy);
  const policy::Resolved& policy() const { return *policy_; }

  /// How often a site that has a rule for a single call ran in the forward that ran it most, since count_calls(); 0 for
  /// other sites.
  int most_calls(int site) const;
  /// Counts anew.
  void count_calls();

  /// Counts casts by site and argument into `ledger`, which must outlive this; null counts nothing.
  void set_ledger(CastLedger* ledger) { casting_.set_ledger(ledger); }

  /// Hears of every cast inside a composite op; empty: nobody.
  void set_watch(CastWatch watch) { casting_.set_watch(std::move(watch)); }

  /// Opens a forward: the cast cache is empty, unless another scope of this thread is open. It spans forward and loss.
  void begin();
  /// Drops the cast cache: call after the loss and before backward, also after a failed forward.
  void end();

  void before(graph::Call& call) override;
  void after(graph::Call& call) override;
  void failed(graph::Call& call, const std::exception& error) override;
  void entered(const policy::OwnBlock& block) override;
  void left(const policy::OwnBlock& block) override;
  void entered_opaque() override;
  void left_opaque() override;
  std::optional<bool> autocast_enabled(policy::Base device, const policy::OwnBlock* innermost) override;

 private:
  const Plan& plan_of(const graph::Call& call);
  void use_lists_of(const policy::Decision& decision);

  std::shared_ptr<const policy::Resolved> policy_;
  Casting casting_;
  std::vector<bool> cache_enabled_around_;  ///< each open block of the model's own
  std::vector<std::optional<Plan>> plans_;  ///< by site, made when it first runs
  std::vector<int> most_calls_;             ///< by site; empty where no rule is for a single call
  Plan call_plan_;                          ///< of a single call that has a rule of its own
  bool open_ = false;
  std::optional<CompositeRegion> region_;  ///< open while a composite op runs
  Casting::Rest rest_;                     ///< of the present call
};

}  // namespace binade::autocast
