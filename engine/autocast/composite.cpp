// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/composite.h"

#include "engine/autocast/emulation.h"
#include "engine/formats/error.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <mutex>
#include <unordered_map>

namespace binade::autocast {

namespace {

constexpr c10::DispatchKey kKey = c10::DispatchKey::AutocastPrivateUse1;

}  // namespace

/// What every op inside a region meets.
struct Fallback {
  static thread_local const CompositeRegion::State* active;

  /// What the base list says of an op; looked up once an op and base.
  static policy::CastRule rule_of(const c10::OperatorHandle& op, policy::Base base) {
    thread_local std::unordered_map<c10::OperatorName, policy::CastRule> rules;
    thread_local policy::Base rules_base = base;
    if (rules_base != base) {
      rules.clear();
      rules_base = base;
    }
    const c10::OperatorName& name = op.operator_name();
    if (const auto known = rules.find(name); known != rules.end()) return known->second;
    return rules.emplace(name, policy::rule_for(base, name.name, name.overload_name)).first->second;
  }

  static void call(const c10::OperatorHandle& op, c10::DispatchKeySet keys, graph::Stack* stack) {
    const policy::CastRule rule = active == nullptr ? policy::CastRule::kNone : rule_of(op, active->policy->base);
    if (rule == policy::CastRule::kNone) {
      // Below the key, but with the thread's key left on: what the op calls comes here again.
      op.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kKey), stack);
      return;
    }
    const c10::impl::ExcludeDispatchKeyGuard no_more_rules_inside(kKey);
    const Arguments arguments{*stack, op.schema().arguments().size(), {}};
    const policy::Resolved& policy = *active->policy;
    const at::ScalarType low = dtype_of(policy.low);
    switch (rule) {
      case policy::CastRule::kFloat32:
        cast_all(arguments, at::kFloat, *active->cache);
        break;
      case policy::CastRule::kPromote:
        cast_all(arguments,
                 promoted(arguments, low, policy.behaviour == policy::Behaviour::kPyTorch211, op.operator_name().name),
                 *active->cache);
        break;
      case policy::CastRule::kSetDtype:
      case policy::CastRule::kAppendDtype: {
        std::vector<std::string> names;
        for (const c10::Argument& argument : op.schema().arguments()) names.push_back(argument.name());
        set_dtype(arguments, names);
        break;
      }
      case policy::CastRule::kBanned:
        throw Error(ErrorCode::kBadModel, op.operator_name().name + " is unsafe to run in a low format",
                    "Use its with_logits form, which is safe, or give the call a format of its own.");
      default:
        run_low(op, arguments, low);
        return;
    }
    op.callBoxed(stack);
  }

  static void run_low(const c10::OperatorHandle& op, const Arguments& arguments, at::ScalarType low) {
    cast_all(arguments, low, *active->cache);
    const bool emulate = low != at::kFloat && active->policy->low_execution == policy::Execution::kEmulated &&
                         is_matrix_op(op.operator_name().name);
    if (emulate) to_float32(arguments, low);
    op.callBoxed(&arguments.stack);
    if (emulate) round_results(arguments.stack, op.schema().returns().size(), low);
  }

  static void boxed(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    call(op, keys, stack);
  }

  static void install() {
    static std::once_flag once;
    std::call_once(once, [] {
      // Lives as long as the process: kernels must not vanish under a running thread.
      static torch::Library library(torch::Library::IMPL, "_", kKey, __FILE__, __LINE__);
      library.fallback(torch::CppFunction::makeFromBoxedFunction<&Fallback::boxed>());
    });
  }
};

thread_local const CompositeRegion::State* Fallback::active = nullptr;

namespace {
/// The fallback must stand before its key is switched on.
c10::DispatchKey installed_key() {
  Fallback::install();
  return kKey;
}
}  // namespace

CompositeRegion::CompositeRegion(const policy::Resolved& policy, CastCache& cache)
    : include_(installed_key()),
      was_enabled_(at::autocast::is_autocast_enabled(at::kPrivateUse1)),
      outer_(Fallback::active),
      state_{&policy, &cache} {
  // Autocast keys are excluded by default; including alone is not enough.
  at::autocast::set_autocast_enabled(at::kPrivateUse1, true);
  Fallback::active = &state_;
}

CompositeRegion::~CompositeRegion() {
  Fallback::active = static_cast<const State*>(outer_);
  at::autocast::set_autocast_enabled(at::kPrivateUse1, was_enabled_);
}

}  // namespace binade::autocast
