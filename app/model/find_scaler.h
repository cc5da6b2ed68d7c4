// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <string>

namespace binade::app {

/// The scaler of this id in a configuration; the first, or the one, where it is empty. Null for an unknown id.
wire::ScalerConfig* findScaler(wire::RunConfig& config, const std::string& id);

}  // namespace binade::app
