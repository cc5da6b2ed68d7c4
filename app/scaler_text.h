// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <QString>

namespace binade::app {

/// What a change of a scaler's parameters changed, in words: `growth interval 2,000 to 200, floor 1`. Empty where
/// nothing but scale or name differs.
QString scalerChangeText(const wire::ScalerConfig& before, const wire::ScalerConfig& after);

/// The scaler of this id in a configuration; the first, or the one, where it is empty. Null for an unknown id.
wire::ScalerConfig* findScaler(wire::RunConfig& config, const std::string& id);

}  // namespace binade::app
