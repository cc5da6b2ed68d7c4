// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/autocast.h"

#include "engine/autocast/product_op.h"

#include <ATen/autocast_mode.h>

#include <algorithm>
#include <utility>

namespace binade::autocast {

using Action = Plan::Action;

namespace {

/// The pending rounding, for hooks inside this one.
std::optional<graph::Rounding> rounding_of(const Casting::Rest& rest) {
  if (rest.rounds) return graph::Rounding{rest.precision.format, rest.precision.backward};
  if (rest.logical == nullptr || rest.logical->what == LogicalResults::What::kUnmarked) return std::nullopt;
  const Precision& precision = rest.logical->precision;
  return graph::Rounding{precision.format, precision.backward, rest.logical->rounds_gradients};
}

}  // namespace

Autocast::~Autocast() {
  // Nodes of a graph that lives on must not call an observer that does not.
  products_->watch = {};
  products_->ledger = nullptr;
}

void Autocast::set_policy(std::shared_ptr<const policy::Resolved> policy) {
  plans_.assign(policy->sites.size(), std::nullopt);
  policy_ = policy;
  casting_.set_policy(std::move(policy));
  products_->clear_findings();
  count_calls();
}

void Autocast::count_calls() {
  most_calls_.assign(policy_->calls.empty() ? 0 : policy_->sites.size(), 0);
}

int Autocast::most_calls(int site) const {
  return most_calls_.empty() ? 0 : most_calls_[static_cast<std::size_t>(site)];
}

void Autocast::begin() {
  end_tf32();  // a failed backward may have left it on
  if (!open_) enter_scope();
  open_ = true;
  casting_.logical().clear();
  products_->begin_forward();
}

void Autocast::end() {
  region_.reset();
  rest_ = {};
  if (!cache_enabled_around_.empty()) at::autocast::set_autocast_cache_enabled(cache_enabled_around_.front());
  cache_enabled_around_.clear();
  casting_.logical().clear();
  if (open_) leave_scope();
  open_ = false;
}

void Autocast::use_lists_of(const policy::Decision& decision) {
  if (policy_->blocks.empty()) return;
  const policy::Resolved* lists = &policy_->lists_of(decision);
  if (casting_.policy().get() != lists) casting_.set_lists({policy_, lists});
}

const Plan& Autocast::plan_of(const graph::Call& call) {
  const policy::Resolved& policy = *policy_;
  const auto id = static_cast<std::size_t>(call.site.id);
  if (!policy.calls.empty()) {
    most_calls_[id] = std::max(most_calls_[id], call.index + 1);
    const policy::Decision& decision = policy.decision_for(call.site.id, call.index);
    if (&decision != &policy.sites[id]) {
      use_lists_of(decision);
      call_plan_ = plan_for(policy.lists_of(decision), decision, call.site, casting_.edited());
      return call_plan_;
    }
  }
  use_lists_of(policy.sites[id]);
  std::optional<Plan>& plan = plans_[id];
  if (!plan) plan = plan_for(policy.lists_of(policy.sites[id]), policy.sites[id], call.site, casting_.edited());
  return *plan;
}

void Autocast::before(graph::Call& call) {
  const Plan& plan = plan_of(call);
  if (call.cast_observers.empty()) {
    treat(call, plan);
  } else {
    const std::vector<c10::IValue> came(call.stack.end() - static_cast<std::ptrdiff_t>(call.site.inputs),
                                        call.stack.end());
    treat(call, plan);
    for (graph::SiteHook* observer : call.cast_observers) observer->cast(call, came);
  }
  if (plan.inside) region_.emplace(&casting_);
}

void Autocast::treat(graph::Call& call, const Plan& plan) {
  if (plan.inside) {
    // Arguments of a composite op are left to the ops inside; those of a kernel that calls listed ops are treated as
    // usual.
    const bool treats =
        plan.action == Action::kInside ? !casting_.logical().empty() : !casting_.leaves(call.site, call.stack, plan);
    casting_.set_place(call.site.id, plan.action == Action::kInside);
    if (treats) rest_ = casting_.before(call.site, call.stack, plan);
    casting_.set_place(call.site.id, /*inside=*/true);
    call.rounding = rounding_of(rest_);
    return;
  }
  if (plan.action == Action::kProducts) return take_product(call, plan);
  if (casting_.leaves(call.site, call.stack, plan)) return;
  casting_.set_place(call.site.id, /*inside=*/false);
  const std::string place = plan.action == Action::kRefuse ? call.site.key.name() + ": " : std::string();
  rest_ = casting_.before(call.site, call.stack, plan, place);
  call.rounding = rounding_of(rest_);
  if (rest_.instead != nullptr) call.operation = rest_.instead;
}

void Autocast::take_product(graph::Call& call, const Plan& plan) {
  casting_.set_place(call.site.id, /*inside=*/false);
  const std::string why_not = why_not_quantized(call.site, call.stack, *plan.operands);
  if (!why_not.empty()) {
    products_->note(call.site.key.name() + ": its products run without the formats of the policy, because " + why_not +
                    ".");
    Plan ordinary = plan;
    ordinary.action = Action::kCast;
    rest_ = casting_.before(call.site, call.stack, ordinary);
    call.rounding = rounding_of(rest_);
    return;
  }
  rest_ = casting_.before(call.site, call.stack, plan);
  call.rounding = rounding_of(rest_);
  const auto product = c10::make_intrusive<ProductCall>(
      products_, plan.products, plan.precision, ProductCall::Place{call.site.id, call.index, call.site.key.name()});
  product_ = [&site = call.site, original = call.operation, product](graph::Stack& stack) {
    run_product(site, stack, *original, product);
  };
  call.operation = &product_;
}

void Autocast::after(graph::Call& call) {
  region_.reset();
  for (auto observer = call.cast_observers.rbegin(); observer != call.cast_observers.rend(); ++observer) {
    (*observer)->ran(call);
  }
  if (rest_.empty()) return;
  auto rest = std::exchange(rest_, {});
  casting_.after(call.site, call.stack, rest);
}

void Autocast::failed(graph::Call& /*call*/, const std::exception& /*error*/) {
  region_.reset();
  rest_ = {};
}

void Autocast::entered(const policy::OwnBlock& block) {
  cache_enabled_around_.push_back(at::autocast::is_autocast_cache_enabled());
  if (block.cache_enabled) at::autocast::set_autocast_cache_enabled(*block.cache_enabled);
}

void Autocast::left(const policy::OwnBlock& block) {
  at::autocast::set_autocast_cache_enabled(cache_enabled_around_.back());
  cache_enabled_around_.pop_back();
  // PyTorch clears the cache with the outermost region; under a base that casts nothing there is no other.
  if (block.outer == nullptr && !policy::device_of(policy_->base)) clear_kept_casts();
}

void Autocast::entered_opaque() {
  use_lists_of({});
  // Ops of an opaque call have no decisions of their own and follow lists and op changes, as inside a composite op.
  if (!policy_->ops.empty() || !policy::rows(policy_->base).empty()) region_.emplace(&casting_);
}

void Autocast::left_opaque() {
  region_.reset();
}

std::optional<bool> Autocast::autocast_enabled(policy::Base device, const policy::OwnBlock* innermost) {
  return policy_->answers_enabled(device, innermost);
}

}  // namespace binade::autocast
