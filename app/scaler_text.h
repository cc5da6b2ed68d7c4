// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <QString>

namespace binade::app {

/// Describes a change of a scaler's parameters: `growth interval 2,000 to 200, floor 1`. Empty if only scale or id
/// differ.
QString scalerChangeText(const wire::ScalerConfig& before, const wire::ScalerConfig& after);

/// Returns the scaler with this id, or the first (or only) one if `id` is empty. Null for an unknown id.
wire::ScalerConfig* findScaler(wire::RunConfig& config, const std::string& id);

}  // namespace binade::app
