// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/silent_fault.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace binade::host {

/// The line `silent` that headless commands print of a report. `sites`: names by id.
/// Every `every`-th step is looked at.
nlohmann::ordered_json silent_line(const wire::SilentReport& report, const std::vector<std::string>& sites,
                                   std::int64_t every);

/// The same for people, worst first, then what became of the newest updates; ends with a newline. Of a run without such
/// a fault one line says so, or that too little was looked at, with what to do next.
std::string silent_text(const wire::SilentReport& report, std::int64_t every);

}  // namespace binade::host
