// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/casting.h"
#include "engine/autocast/composite.h"
#include "engine/autocast/product_state.h"
#include "engine/graph/site_hook.h"
#include "engine/policy/resolve.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace binade::autocast {

/// Hook that casts the arguments of every site as the policy's table decides, above autograd, so that backward follows
/// automatically. Emulated matrix and convolution ops receive float32 copies of their half operands, and their results
/// are rounded afterwards; hooks nested inside this one therefore see values before rounding. Reports every call to the
/// hooks that observe casts, with all casting rules off. One forward with its losses at a time, on one thread.
class Autocast : public graph::SiteHook {
 public:
  /// `device` is the device whose tensors are cast; empty: every device.
  explicit Autocast(Eligible device = {}) : casting_(device), products_(std::make_shared<ProductState>()) {}
  ~Autocast() override;
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

  /// Sets the table for the next begin() on. It must be adapted to the sites (resolve_executions) and indexed by
  /// Site::id.
  void set_policy(std::shared_ptr<const policy::Resolved> policy);
  const policy::Resolved& policy() const { return *policy_; }

  /// Largest number of executions of a site in one forward since count_calls(). Only counted under a policy with rules
  /// for single calls; otherwise 0.
  int most_calls(int site) const;
  /// Resets the counts of most_calls().
  void count_calls();

  /// Counts casts by site and argument in `ledger`, which must outlive this object; null counts nothing.
  void set_ledger(CastLedger* ledger) {
    casting_.set_ledger(ledger);
    products_->ledger = ledger;
  }

  /// Sets a callback for every cast inside a composite op; empty: none.
  void set_watch(CastWatch watch) { casting_.set_watch(std::move(watch)); }

  /// State of products with formats of their own, shared with the autograd nodes of this object's forwards.
  ProductState& products() { return *products_; }
  const ProductState& products() const { return *products_; }
  /// Sets a callback for every operand of such a product, in forward and backward; empty (the default): none. It must
  /// stay valid until it is replaced or this object is destroyed.
  void set_product_watch(ProductWatch watch) { products_->watch = std::move(watch); }

  /// Starts a forward. The cast cache is empty, unless another scope of this thread is open, and spans forward and
  /// loss.
  void begin();
  /// Clears the cast cache: call it after the loss and before backward, also after a failed forward.
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
  void treat(graph::Call& call, const Plan& plan);
  const Plan& plan_of(const graph::Call& call);
  /// Treats a call whose operands are quantized. If they cannot be, it runs in its ordinary format, with a finding.
  void take_product(graph::Call& call, const Plan& plan);
  void use_lists_of(const policy::Decision& decision);

  std::shared_ptr<const policy::Resolved> policy_;
  Casting casting_;
  std::vector<bool> cache_enabled_around_;  ///< one per open block of the model's own
  std::vector<std::optional<Plan>> plans_;  ///< by site; made when it first runs
  std::vector<int> most_calls_;             ///< by site; empty if no rule is for a single call
  Plan call_plan_;                          ///< plan of the current call, if it has a rule of its own
  bool open_ = false;
  std::optional<CompositeRegion> region_;  ///< open while the ops inside a call follow the policy
  Casting::Rest rest_;                     ///< of the current call
  std::shared_ptr<ProductState> products_;
  graph::Operation product_;  ///< the op of the current call with quantized operands
};

}  // namespace binade::autocast
