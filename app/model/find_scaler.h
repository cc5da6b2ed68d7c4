// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <string>

namespace binade::app {

/// Returns the scaler with this id in a configuration, or the first one if the id is empty. Null for an unknown id.
wire::ScalerConfig* findScaler(wire::RunConfig& config, const std::string& id);

}  // namespace binade::app
