// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace binade::host {

/// Returns a number for JSON, which has no NaN and infinity: they become strings that strtod reads.
nlohmann::ordered_json number(double value);

/// Returns site rules as a policy file has them.
nlohmann::ordered_json rules_json(const std::vector<policy::SiteRule>& rules);

/// Returns the line `overflow` that commands print for an event. If the step was replayed, it has first
/// causes, verdict, chain, fix and evidence. It has all that the wire says of the event. `sites`: names of op calls by
/// id; `sentence`, `explanation`: the event, and its diagnosis if there is one, in words.
nlohmann::ordered_json overflow_line(const wire::Event& event, const std::vector<std::string>& sites,
                                     const std::string& sentence, const std::string& explanation);

}  // namespace binade::host
