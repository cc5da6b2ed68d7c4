// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/model_info.h"
#include "engine/wire/silent_fault.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace binade::host {

/// Returns the line `silent` that commands print for a report. `sites`: op calls by id. `every`:
/// observation interval in steps. `all_skipped`: every step of the run so far was skipped.
nlohmann::ordered_json silent_line(const wire::SilentReport& report, const std::vector<wire::SiteInfo>& sites,
                                   std::int64_t every, bool all_skipped = false);

/// Returns the report for people, worst fault first, then the newest updates; ends with a newline. If there is no
/// fault, one line says so, or says that too few steps were observed and what to do.
std::string silent_text(const wire::SilentReport& report, const std::vector<wire::SiteInfo>& sites, std::int64_t every,
                        bool all_skipped = false);

}  // namespace binade::host
