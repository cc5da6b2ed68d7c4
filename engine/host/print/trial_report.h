// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/trial.h"

#include <nlohmann/json.hpp>

#include <string>

namespace binade::host {

/// A Try for people, several lines: its figures as a table, the verdict, and what else it showed.
std::string trial_report(const wire::Trial& trial);

/// A line of JSON output with the fields `event` and `trial`, which wire::decode_text() reads.
nlohmann::ordered_json trial_line(const char* event, const wire::Trial& trial);

}  // namespace binade::host
