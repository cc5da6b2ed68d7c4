// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "engine/wire/run_config.h"

#include <QString>

namespace binade::app {

/// Describes a change of a scaler's parameters: `growth interval 2,000 to 200, floor 1`. Empty if only scale or id
/// differ.
QString scalerChangeText(const wire::ScalerConfig& before, const wire::ScalerConfig& after);

/// Describes the user's change of a scaler: `growth interval 2,000 to 200`, `scale set to 2¹⁰`. In a run with several
/// scalers the scaler's name comes first.
QString scalerEditText(const ScalerEdit& edit);

/// States a scaler's parameters: `Grows × 2 after 2,000 clean steps, backs off × 0.5 after each overflow`, then floor
/// and ceiling where they are set.
QString scalerText(const wire::ScalerConfig& scaler);

}  // namespace binade::app
