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

  /// What a person changed about an op, or null; one overload's change goes before the whole op's.
  static const policy::OpChange* change_of(const c10::OperatorHandle& op) {
    const auto& changes = active->policy->ops;
    if (changes.empty()) return nullptr;
    const c10::OperatorName& name = op.operator_name();
    auto found = changes.find(name.name + "." + (name.overload_name.empty() ? "default" : name.overload_name));
    if (found == changes.end()) found = changes.find(name.name);
    return found == changes.end() ? nullptr : &found->second;
  }

  static void call(const c10::OperatorHandle& op, c10::DispatchKeySet keys, graph::Stack* stack) {
    const policy::OpChange* change = active == nullptr ? nullptr : change_of(op);
    const bool follows = change != nullptr && *change == policy::OpChange(policy::Treatment::kFollow);
    const policy::CastRule rule =
        active == nullptr || follows ? policy::CastRule::kNone : rule_of(op, active->policy->base);
    if (rule == policy::CastRule::kNone && (change == nullptr || follows)) {
      // Below the key, but with the thread's key left on: what the op calls comes here again.
      op.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kKey), stack);
      return;
    }
    const c10::impl::ExcludeDispatchKeyGuard no_more_rules_inside(kKey);
    const Arguments arguments{*stack, op.schema().arguments().size(), {}};
    if (change != nullptr) {
      run_changed(op, arguments, *change);
    } else {
      run_listed(op, arguments, rule);
    }
  }

  static void run_changed(const c10::OperatorHandle& op, const Arguments& arguments, const policy::OpChange& change) {
    if (const auto* format = std::get_if<formats::Format>(&change)) {
      const at::ScalarType dtype = dtype_of(*format);
      run_in(op, arguments, dtype == at::ScalarType::Undefined ? at::kFloat : dtype);
      return;
    }
    switch (std::get<policy::Treatment>(change)) {
      case policy::Treatment::kLow:
        run_listed(op, arguments, policy::CastRule::kLower);
        break;
      case policy::Treatment::kPromote:
        run_listed(op, arguments, policy::CastRule::kPromote);
        break;
      case policy::Treatment::kBanned:
        throw Error(ErrorCode::kBadPolicy, "the policy's \"ops\" ban " + op.operator_name().name,
                    "Take the ban out of the policy.");
      case policy::Treatment::kFollow:
        break;  // call() has let it through
    }
  }

  static void run_listed(const c10::OperatorHandle& op, const Arguments& arguments, policy::CastRule rule) {
    const policy::Resolved& policy = *active->policy;
    const at::ScalarType low = dtype_of(policy.low);
    switch (rule) {
      case policy::CastRule::kFloat32:
        cast_all(arguments, at::kFloat, *active->cache);
        break;
      case policy::CastRule::kPromote: {
        const bool strict = policy.behaviour == policy::Behaviour::kPyTorch211;
        cast_all(arguments, promoted(arguments, low, strict, op.operator_name().name), *active->cache);
        break;
      }
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
        run_in(op, arguments, low);
        return;
    }
    op.callBoxed(arguments.stack);
  }

  static void run_in(const c10::OperatorHandle& op, const Arguments& arguments, at::ScalarType dtype) {
    cast_all(arguments, dtype, *active->cache);
    const bool emulate = dtype != at::kFloat && active->policy->low_execution == policy::Execution::kEmulated &&
                         is_matrix_op(op.operator_name().name);
    if (emulate) to_float32(arguments, dtype);
    op.callBoxed(arguments.stack);
    if (emulate) round_results(arguments.stack, op.schema().returns().size(), dtype);
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
