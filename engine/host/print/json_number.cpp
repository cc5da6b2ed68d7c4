// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/json_number.h"

#include <cmath>

namespace binade::host {

nlohmann::ordered_json json_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

}  // namespace binade::host
