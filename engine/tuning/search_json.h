// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/evidence.h"
#include "engine/search/search.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

// What a search needs and finds as JSON, for its state file and for the lines that the command prints. NaN becomes null
// and an infinity "Infinity" or "-Infinity", as in wire::encode_text().

namespace binade::tuning {

/// `time`, `memory`, `casts`, `repair`.
std::string_view name(search::Goal goal);
/// `nothing_left`, `tries`, `time`, `cancelled`; empty for End::kNone.
std::string_view name(search::End end);
/// The goal with the name `text`; empty if there is none.
std::optional<search::Goal> parse_goal(std::string_view text);

/// Without the budget, which may be raised when a search goes on.
nlohmann::json encode(const search::Order& order);
nlohmann::json encode(const search::StepEvidence& evidence);
nlohmann::json encode(const search::Progress& progress);
/// `file`: the policy file that holds the point; may be empty.
nlohmann::json encode(const search::Point& point, const std::string& file);

/// The values that encode() turned into `json`. Throw nlohmann::json::exception or Error for anything else.
search::StepEvidence decode_evidence(const nlohmann::json& json);
search::Progress decode_progress(const nlohmann::json& json);

/// A number that encode() spelt. Throws nlohmann::json::exception for anything else.
double decode_number(const nlohmann::json& json);
nlohmann::json encode_number(double value);

}  // namespace binade::tuning
