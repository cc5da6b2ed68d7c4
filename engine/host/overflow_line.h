// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace binade::host {

/// A number that JSON text may not have: NaN and infinity as the strings that strtod reads.
nlohmann::ordered_json number(double value);

/// Site rules as a policy file has them.
nlohmann::ordered_json rules_json(const std::vector<policy::SiteRule>& rules);

/// The line that headless commands print of an event: `overflow`, with first causes, verdict, chain, fix and evidence
/// where the step was replayed. `sites`: names by id.
nlohmann::ordered_json overflow_line(const wire::Event& event, const std::vector<std::string>& sites);

}  // namespace binade::host
