// SPDX-License-Identifier: Apache-2.0
#include "app/model/find_scaler.h"

#include <algorithm>

namespace binade::app {

wire::ScalerConfig* findScaler(wire::RunConfig& config, const std::string& id) {
  if (config.scalers.empty()) return id.empty() ? &config.scaler : nullptr;
  if (id.empty()) return &config.scalers.front();
  const auto found = std::find_if(config.scalers.begin(), config.scalers.end(),
                                  [&](const wire::ScalerConfig& each) { return each.id == id; });
  return found == config.scalers.end() ? nullptr : &*found;
}

}  // namespace binade::app
