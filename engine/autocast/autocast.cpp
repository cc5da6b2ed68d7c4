// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/autocast.h"

namespace binade::autocast {

using Action = Plan::Action;

void Autocast::set_policy(std::shared_ptr<const policy::Resolved> policy) {
  plans_.assign(policy->sites.size(), std::nullopt);
  casting_.set_policy(std::move(policy));
}

void Autocast::begin() {
  if (!open_) enter_scope();
  open_ = true;
}

void Autocast::end() {
  region_.reset();
  rest_ = {};
  if (open_) leave_scope();
  open_ = false;
}

Plan Autocast::plan_of(const graph::Call& call) {
  const policy::Resolved& policy = *casting_.policy();
  const auto id = static_cast<std::size_t>(call.site.id);
  if (!policy.calls.empty()) {
    const policy::Decision& decision = policy.decision_for(call.site.id, call.index);
    if (&decision != &policy.sites[id]) return plan_for(policy, decision, call.site, casting_.edited());
  }
  std::optional<Plan>& plan = plans_[id];
  if (!plan) plan = plan_for(policy, policy.sites[id], call.site, casting_.edited());
  return *plan;
}

void Autocast::before(graph::Call& call) {
  const Plan plan = plan_of(call);
  if (plan.action == Action::kNothing) return;
  casting_.set_place(call.site.id, plan.action == Action::kInside);
  if (plan.action == Action::kInside) {
    region_.emplace(&casting_);
    return;
  }
  if (plan.action == Action::kRefuse) refuse(call.site, plan.rule, call.site.key.name() + ": ");
  rest_ = casting_.before(call.site, call.stack, plan);
  if (rest_.instead != nullptr) call.operation = rest_.instead;
}

void Autocast::after(graph::Call& call) {
  region_.reset();
  if (!rest_.rounds) return;
  casting_.after(call.site, call.stack, rest_);
  rest_ = {};
}

void Autocast::failed(graph::Call& /*call*/, const std::exception& /*error*/) {
  region_.reset();
  rest_ = {};
}

}  // namespace binade::autocast
