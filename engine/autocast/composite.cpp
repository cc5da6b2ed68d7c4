// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/composite.h"

#include "engine/autocast/resolve_executions.h"
#include "engine/policy/decide.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/SmallVector.h>
#include <torch/library.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace binade::autocast {

/// Regions open on this thread.
struct OpenRegions {
  using Link = CompositeRegion::Link;
  static thread_local const Link* innermost;

  /// The casting for a call: the innermost one, unless regions for different devices are open.
  static Casting* casting_for(const c10::OperatorHandle& op, const graph::Stack& stack) {
    if (innermost == nullptr) return nullptr;
    if (innermost->outer == nullptr || decides_alone(*innermost)) return innermost->casting;
    const std::size_t inputs = op.schema().arguments().size();
    for (const Link* link = innermost; link != nullptr; link = link->outer) {
      if (decides_alone(*link)) return link->casting;
      const Eligible device = link->casting->device();
      for (std::size_t i = stack.size() - inputs; i < stack.size(); ++i) {
        if (is_of(device, stack[i])) return link->casting;
      }
    }
    return nullptr;
  }

  /// Whether any open region casts tensors of some device.
  static bool any_casts() {
    c10::SmallVector<c10::DeviceType, 2> off;  // devices that an inner region has switched off
    for (const Link* link = innermost; link != nullptr; link = link->outer) {
      if (decides_alone(*link)) return link->casting != nullptr && !link->casting->is_off();
      const c10::DeviceType device = *link->casting->device();
      if (std::find(off.begin(), off.end(), device) != off.end()) continue;
      if (!link->casting->is_off()) return true;
      off.push_back(device);
    }
    return false;
  }

  /// Whether the region decides for all arguments, so that outer regions have no effect.
  static bool decides_alone(const Link& link) { return link.casting == nullptr || !link.casting->device(); }

 private:
  static bool is_of(Eligible device, const c10::IValue& value) {
    if (value.isTensor()) return value.toTensor().defined() && belongs_to(device, value.toTensor());
    if (!value.isTensorList()) return false;
    const std::vector<at::Tensor> tensors = value.toTensorVector();
    return std::any_of(tensors.begin(), tensors.end(),
                       [device](const at::Tensor& tensor) { return tensor.defined() && belongs_to(device, tensor); });
  }
};

thread_local const OpenRegions::Link* OpenRegions::innermost = nullptr;

namespace {

constexpr c10::DispatchKey kKey = c10::DispatchKey::AutocastPrivateUse1;

/// An op's traits never change, so they are made once per thread.
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

/// Plan of an op under a policy, computed once per policy and thread.
const Rule& rule_of(const c10::OperatorHandle& op, const Casting& casting) {
  thread_local std::shared_ptr<const policy::Resolved> policy;  // owned, so that its address identifies it
  thread_local std::unordered_map<c10::OperatorHandle, Rule> rules;
  if (policy != casting.policy()) {
    rules.clear();
    policy = casting.policy();
  }
  if (const auto known = rules.find(op); known != rules.end()) return known->second;
  const graph::OpTraits& traits = traits_of(op);
  policy::Decision decision = policy::decide(*policy, traits.op, traits.overload);
  fit(*policy, decision, traits);
  return rules.emplace(op, Rule{&traits, plan_for(*policy, decision, traits, casting.edited())}).first->second;
}

/// Runs the op below the key. The thread's key stays on, so that the ops it calls reach the fallback too.
void run_below(const c10::OperatorHandle& op, c10::DispatchKeySet keys, graph::Stack* stack) {
  op.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kKey), stack);
}

/// Fallback for every op of a thread inside a region.
void fallback(const c10::OperatorHandle& op, c10::DispatchKeySet keys, graph::Stack* stack) {
  Casting* const casting = OpenRegions::casting_for(op, *stack);
  if (casting == nullptr || casting->is_off()) {
    run_below(op, keys, stack);
    return;
  }
  const Rule& rule = rule_of(op, *casting);  // valid until an op runs: inside it another policy may replace the table
  const graph::OpTraits& traits = *rule.op;  // valid forever
  switch (rule.plan.action) {
    case Plan::Action::kNothing:
    case Plan::Action::kInside:
    case Plan::Action::kWiden: {
      Casting::Rest rest;
      if (rule.plan.action == Plan::Action::kWiden || !casting->logical().empty()) {
        const c10::impl::ExcludeDispatchKeyGuard casts_are_not_cast(kKey);
        rest = casting->before(traits, *stack, rule.plan);
      }
      run_below(op, keys, stack);
      if (!rest.empty()) {
        const c10::impl::ExcludeDispatchKeyGuard rounding_is_not_cast(kKey);
        casting->after(traits, *stack, rest);
      }
      return;
    }
    default:
      break;
  }
  const c10::impl::ExcludeDispatchKeyGuard no_more_rules_inside(kKey);
  Casting::Rest rest = casting->before(traits, *stack, rule.plan);
  if (rest.instead != nullptr) {
    (*rest.instead)(*stack);
  } else {
    op.callBoxed(stack);
  }
  casting->after(traits, *stack, rest);
}

/// Installs the fallback, which must exist before its key is switched on.
c10::DispatchKey installed_key() {
  static std::once_flag once;
  std::call_once(once, [] {
    // Lives as long as the process, because kernels must not be removed while a thread runs.
    static torch::Library library(torch::Library::IMPL, "_", kKey, __FILE__, __LINE__);
    library.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>());
  });
  return kKey;
}

}  // namespace

CompositeRegion::CompositeRegion(Casting* casting)
    : include_(installed_key()),
      was_enabled_(at::autocast::is_autocast_enabled(at::kPrivateUse1)),
      link_{casting, OpenRegions::innermost} {
  OpenRegions::innermost = &link_;
  // Autocast keys are excluded by default, so including the key is not enough. If nothing is cast, the key stays off.
  at::autocast::set_autocast_enabled(at::kPrivateUse1, OpenRegions::any_casts());
}

CompositeRegion::~CompositeRegion() {
  OpenRegions::innermost = link_.outer;
  at::autocast::set_autocast_enabled(at::kPrivateUse1, was_enabled_);
}

const Casting* CompositeRegion::active(c10::DeviceType device) {
  if (!at::autocast::is_autocast_enabled(at::kPrivateUse1)) return nullptr;
  for (const Link* link = OpenRegions::innermost; link != nullptr; link = link->outer) {
    if (!OpenRegions::decides_alone(*link) && *link->casting->device() != device) continue;
    return link->casting == nullptr || link->casting->is_off() ? nullptr : link->casting;
  }
  return nullptr;
}

}  // namespace binade::autocast
