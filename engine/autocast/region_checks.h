// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/region.h"

#include <c10/core/DeviceType.h>

namespace binade::autocast {

/// Arguments of a region after the checks of torch.autocast's constructor.
struct CheckedArguments {
  c10::DeviceType device;
  c10::ScalarType dtype;
  bool enabled;
};

/// The checks of torch.autocast in PyTorch 2.11, in its order and with its messages. Throws Error{kUsage}; warns and
/// disables where PyTorch does.
CheckedArguments check(const RegionArguments& arguments);

/// Device type of a string such as `cpu` or `cuda:0`. Throws Error{kUsage} for any other string.
c10::DeviceType device_type_of(const std::string& device_type);

/// As device_type_of(); also throws Error{kUsage} if PyTorch has no autocast for the device.
c10::DeviceType autocast_device_of(const std::string& device_type);

}  // namespace binade::autocast
