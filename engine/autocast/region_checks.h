// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/region.h"

#include <c10/core/DeviceType.h>

namespace binade::autocast {

/// What remains of a region's arguments once torch.autocast's constructor has looked at them.
struct CheckedArguments {
  c10::DeviceType device;
  c10::ScalarType dtype;
  bool enabled;
};

/// The checks of torch.autocast in PyTorch 2.11, in its order and words. Throws Error{kUsage}; warns where PyTorch
/// warns and disables.
CheckedArguments check(const RegionArguments& arguments);

/// The device type that a string such as `cpu` or `cuda:0` names. Throws Error{kUsage} for any other.
c10::DeviceType device_type_of(const std::string& device_type);

/// As device_type_of(); throws Error{kUsage} too where PyTorch has no autocast for the device.
c10::DeviceType autocast_device_of(const std::string& device_type);

}  // namespace binade::autocast
