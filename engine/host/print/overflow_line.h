// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace binade::host {

/// Returns the line `overflow` that commands print for an event: all that the wire has of the event and of its
/// diagnosis, with the names of op calls, and both in words. `sites`: names of op calls by id; `sentence`,
/// `explanation`: the event, and its diagnosis if there is one, in words.
nlohmann::ordered_json overflow_line(const wire::Event& event, const std::vector<std::string>& sites,
                                     const std::string& sentence, const std::string& explanation);

}  // namespace binade::host
