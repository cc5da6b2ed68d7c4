// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/silent_fault.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace binade::host {

/// The line `silent` that headless commands print of a report. `sites`: names by id.
nlohmann::ordered_json silent_line(const wire::SilentReport& report, const std::vector<std::string>& sites);

/// The same for people, worst first, then what became of the newest updates; ends with a newline. Of a run without such
/// a fault one line says so.
std::string silent_text(const wire::SilentReport& report);

}  // namespace binade::host
