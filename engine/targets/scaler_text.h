// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/target.h"

#include <nlohmann/json.hpp>

#include <string>

namespace binade::targets {

/// The names that a program has for the settings of a loss scaler. An empty name: it has no such setting.
struct ScalerNames {
  std::string program;  ///< `torch.amp.GradScaler`, for messages
  std::string scale, growth, backoff, interval;
  std::string hysteresis;  ///< consecutive overflows before the scale backs off
  std::string dynamic;     ///< false: the scale is fixed
  std::string enabled;
  std::string minimum{}, maximum{};  ///< bounds of the scale
  /// The program ignores hysteresis, `dynamic` and bounds: their names are for Binade, which reads them back.
  bool kept_for_binade = false;
  bool as_json = false;  ///< flags are 1 and 0, so that the Python dict is JSON as well
};

/// torch.amp.GradScaler of PyTorch 2.11.
const ScalerNames& torch_scaler_names();

/// A Python dict with the settings. Adds a finding for each that the program does not have or ignores.
std::string scaler_dict(const ScalerNames& names, const wire::ScalerConfig& scaler, Findings& findings);

/// The settings of a dict; those it lacks have `absent`'s values. Flags may be 1 and 0. Throws Error{kBadPolicy},
/// naming `source` and the setting, for unknown settings and values out of range.
wire::ScalerConfig scaler_from(const ScalerNames& names, const nlohmann::json& dict, wire::ScalerConfig absent,
                               const std::string& source);

}  // namespace binade::targets
