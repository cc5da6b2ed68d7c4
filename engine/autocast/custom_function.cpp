// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/custom_function.h"

#include "engine/autocast/arguments.h"
#include "engine/autocast/composite.h"
#include "engine/autocast/region_checks.h"
#include "engine/formats/error.h"

#include <ATen/autocast_mode.h>

namespace binade::autocast {

namespace {

/// State of autocast in a forward.
struct ForwardState : torch::CustomClassHolder {
  std::string device_type;
  bool used = false;
  at::ScalarType dtype = at::kFloat;
  std::shared_ptr<const policy::Resolved> policy;  ///< set if a policy region was on
};

c10::intrusive_ptr<ForwardState> state_in(const c10::IValue& value) {
  if (!value.isCapsule()) {
    throw Error(ErrorCode::kUsage, "CustomBackward: the forward of this function made no CustomForward",
                "Create a CustomForward at the beginning of forward, with the same context.");
  }
  return c10::static_intrusive_pointer_cast<ForwardState>(value.toCapsule());
}

}  // namespace

at::Tensor cast_inputs(const at::Tensor& value, c10::DeviceType device, at::ScalarType dtype) {
  const bool casts = value.defined() && value.is_floating_point() && value.scalar_type() != at::kDouble &&
                     value.device().type() == device;
  return casts ? value.to(dtype) : value;
}

namespace detail {

c10::IValue forward_state(const std::string& device_type, bool casts_inputs) {
  const c10::DeviceType device = device_type_of(device_type);
  auto state = c10::make_intrusive<ForwardState>();
  state->device_type = device_type;
  state->used = !casts_inputs && is_enabled(device_type);
  state->dtype = at::autocast::get_autocast_dtype(device);
  const Casting* const casting = CompositeRegion::active(device);
  if (state->used && casting != nullptr) state->policy = casting->policy();
  return c10::IValue::make_capsule(std::move(state));
}

std::optional<RegionArguments> native_region_of(const c10::IValue& value) {
  const auto state = state_in(value);
  if (state->policy) return std::nullopt;
  return RegionArguments{state->device_type, state->dtype, state->used, {}};
}

std::optional<PolicyRegionArguments> policy_region_of(const c10::IValue& value) {
  const auto state = state_in(value);
  if (!state->policy) return std::nullopt;
  return PolicyRegionArguments{state->policy, state->device_type, true, {}};
}

}  // namespace detail

CustomForward::CustomForward(const std::string& device_type, std::optional<at::ScalarType> cast_inputs)
    : state_(detail::forward_state(device_type, cast_inputs.has_value())),
      device_(device_type_of(device_type)),
      dtype_(cast_inputs) {
  if (cast_inputs && is_enabled(device_type)) {
    off_ = std::make_unique<Region>(RegionArguments{device_type, {}, false, {}});
  }
}

CustomForward::~CustomForward() = default;

CustomBackward::CustomBackward(const c10::IValue& state) {
  if (const auto policy = detail::policy_region_of(state)) {
    region_ = std::make_unique<Region>(*policy);
  } else {
    region_ = std::make_unique<Region>(*detail::native_region_of(state));
  }
}

CustomBackward::~CustomBackward() = default;

}  // namespace binade::autocast
