// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/composite.h"

#include "engine/autocast/specialise.h"
#include "engine/policy/decide.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <mutex>
#include <unordered_map>

namespace binade::autocast {

namespace {

constexpr c10::DispatchKey kKey = c10::DispatchKey::AutocastPrivateUse1;

thread_local Casting* active_casting = nullptr;

/// An op's traits never change; made once a thread.
const graph::OpTraits& traits_of(const c10::OperatorHandle& op) {
  thread_local std::unordered_map<c10::OperatorHandle, graph::OpTraits> known;
  const auto found = known.find(op);
  if (found != known.end()) return found->second;
  return known.emplace(op, graph::traits_of(op.schema())).first->second;
}

struct Rule {
  const graph::OpTraits* op;
  Plan plan;
};

/// What a policy makes of an op, worked out once for each policy and thread.
const Rule& rule_of(const c10::OperatorHandle& op, const Casting& casting) {
  thread_local std::shared_ptr<const policy::Resolved> policy;  // held, so that its address means this policy
  thread_local std::unordered_map<c10::OperatorHandle, Rule> rules;
  if (policy != casting.policy()) {
    rules.clear();
    policy = casting.policy();
  }
  if (const auto known = rules.find(op); known != rules.end()) return known->second;
  const graph::OpTraits& traits = traits_of(op);
  policy::Decision decision = policy::decide(*policy, traits.op, traits.overload);
  fit(decision, traits);
  return rules.emplace(op, Rule{&traits, plan_for(*policy, decision, traits, casting.edited())}).first->second;
}

/// Below the key, but with the thread's key left on: what the op calls comes back here.
void run_below(const c10::OperatorHandle& op, c10::DispatchKeySet keys, graph::Stack* stack) {
  op.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kKey), stack);
}

/// What every op of a thread inside a region meets.
void fallback(const c10::OperatorHandle& op, c10::DispatchKeySet keys, graph::Stack* stack) {
  Casting* const casting = active_casting;
  if (casting == nullptr) {
    run_below(op, keys, stack);
    return;
  }
  const Rule& rule = rule_of(op, *casting);
  switch (rule.plan.action) {
    case Plan::Action::kNothing:
    case Plan::Action::kInside:
      run_below(op, keys, stack);
      return;
    case Plan::Action::kWiden: {
      {
        const c10::impl::ExcludeDispatchKeyGuard casts_are_not_cast(kKey);
        casting->before(*rule.op, *stack, rule.plan);
      }
      run_below(op, keys, stack);
      return;
    }
    default:
      break;
  }
  const c10::impl::ExcludeDispatchKeyGuard no_more_rules_inside(kKey);
  const graph::OpTraits& traits = *rule.op;
  const Casting::Rest rest = casting->before(traits, *stack, rule.plan);
  if (rest.instead != nullptr) {
    (*rest.instead)(*stack);
  } else {
    op.callBoxed(stack);
  }
  casting->after(traits, *stack, rest);
}

/// The fallback must stand before its key is switched on.
c10::DispatchKey installed_key() {
  static std::once_flag once;
  std::call_once(once, [] {
    // Lives as long as the process: kernels must not vanish under a running thread.
    static torch::Library library(torch::Library::IMPL, "_", kKey, __FILE__, __LINE__);
    library.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>());
  });
  return kKey;
}

}  // namespace

CompositeRegion::CompositeRegion(Casting* casting)
    : include_(installed_key()),
      was_enabled_(at::autocast::is_autocast_enabled(at::kPrivateUse1)),
      outer_(std::exchange(active_casting, casting)) {
  // Autocast keys are excluded by default; including alone is not enough.
  at::autocast::set_autocast_enabled(at::kPrivateUse1, true);
}

CompositeRegion::~CompositeRegion() {
  active_casting = outer_;
  at::autocast::set_autocast_enabled(at::kPrivateUse1, was_enabled_);
}

Casting* CompositeRegion::active() {
  return active_casting;
}

}  // namespace binade::autocast
