// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/region.h"

#include "engine/autocast/composite.h"
#include "engine/autocast/region_checks.h"
#include "engine/formats/error.h"
#include "engine/graph/known_ops.h"

#include <ATen/autocast_mode.h>

namespace binade::autocast {

/// Previous state, which the destructor restores.
struct Region::State {
  c10::DeviceType device;
  bool enabled_before;
  at::ScalarType dtype_before;
  bool cache_before;
  std::optional<Casting> casting;
  std::optional<CompositeRegion> ops;

  State(c10::DeviceType type, bool enabled, at::ScalarType dtype, std::optional<bool> cache)
      : device(type),
        enabled_before(at::autocast::is_autocast_enabled(type)),
        dtype_before(at::autocast::get_autocast_dtype(type)),
        cache_before(at::autocast::is_autocast_cache_enabled()) {
    at::autocast::set_autocast_enabled(device, enabled);
    at::autocast::set_autocast_dtype(device, dtype);
    enter_scope();
    at::autocast::set_autocast_cache_enabled(cache.value_or(cache_before));
  }

  ~State() {
    ops.reset();
    leave_scope();
    at::autocast::set_autocast_enabled(device, enabled_before);
    at::autocast::set_autocast_dtype(device, dtype_before);
    at::autocast::set_autocast_cache_enabled(cache_before);
  }
  /// The innermost region for a device applies, so an enclosing policy region is off while this one exists.
  void pause_outer_policy() {
    if (CompositeRegion::active(device) == nullptr) return;
    casting.emplace(device);
    casting->switch_off();
    ops.emplace(&*casting);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

namespace {

[[noreturn]] void refuse_site_rule(const std::string& rule) {
  throw Error(
      ErrorCode::kBadPolicy, rule + ": a region has no sites, so a rule for one can never apply",
      "Change the op for the whole region under \"ops\", or load the model as a graph, whose calls have names.");
}

}  // namespace

std::shared_ptr<const policy::Resolved> table_for(const policy::Policy& policy,
                                                  const policy::Capabilities& capabilities) {
  graph::check_ops(policy, policy.name.empty() ? "The policy" : policy.name);
  if (!policy.sites.empty()) refuse_site_rule("sites[0] (" + policy.sites[0].match + ")");
  return std::make_shared<const policy::Resolved>(policy::resolve(policy, {}, capabilities));
}

Region::Region(const RegionArguments& arguments) {
  const CheckedArguments checked = check(arguments);
  state_ = std::make_unique<State>(checked.device, checked.enabled, checked.dtype, arguments.cache_enabled);
  state_->pause_outer_policy();
}

Region::Region(std::string device_type, std::optional<c10::ScalarType> dtype, bool enabled,
               std::optional<bool> cache_enabled)
    : Region(RegionArguments{std::move(device_type), dtype, enabled, cache_enabled}) {}

Region::Region(const PolicyRegionArguments& arguments) {
  if (arguments.policy == nullptr) {
    throw Error(ErrorCode::kUsage, "A policy region needs a policy", "Make its table once with table_for().");
  }
  const c10::DeviceType device = autocast_device_of(arguments.device_type);
  for (const policy::Decision& decision : arguments.policy->sites) {
    if (decision.rule >= 0) refuse_site_rule("sites[" + std::to_string(decision.rule) + "]");
  }
  for (const auto& [place, decision] : arguments.policy->calls) {
    if (decision.rule >= 0) refuse_site_rule("sites[" + std::to_string(decision.rule) + "]");
  }
  state_ = std::make_unique<State>(device, /*enabled=*/false, at::autocast::get_autocast_dtype(device),
                                   arguments.cache_enabled);
  if (arguments.enabled) {
    state_->casting.emplace(device);
    state_->casting->set_policy(arguments.policy);
    state_->ops.emplace(&*state_->casting);
  } else {
    state_->pause_outer_policy();
  }
}

Region::~Region() = default;

bool is_autocast_available(const std::string& device_type) {
  return at::autocast::is_autocast_available(device_type_of(device_type));
}

bool is_enabled(const std::string& device_type) {
  const c10::DeviceType device = device_type_of(device_type);
  return CompositeRegion::active(device) != nullptr || at::autocast::is_autocast_enabled(device);
}

c10::ScalarType dtype(const std::string& device_type) {
  const c10::DeviceType device = device_type_of(device_type);
  const Casting* const casting = CompositeRegion::active(device);
  return casting != nullptr ? casting->low_dtype() : at::autocast::get_autocast_dtype(device);
}

bool is_cache_enabled() {
  return at::autocast::is_autocast_cache_enabled();
}

void clear_cache() {
  at::autocast::clear_cache();
  clear_kept_casts();
}

}  // namespace binade::autocast
