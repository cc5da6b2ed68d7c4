// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace binade::host {

/// Adds the members of a value's encoding (wire::encode) that `line` lacks, also to its objects and, item by item, to
/// its lists of the same length. Ids of op calls become their names, null for none; numbers become what json_number()
/// makes of them. `sites`: names of op calls by id.
void add_wire_members(nlohmann::ordered_json& line, const nlohmann::json& encoded,
                      const std::vector<std::string>& sites);

/// Returns a line of a command's output: the field `event`, and the members of a value's encoding.
nlohmann::ordered_json wire_line(const char* event, const nlohmann::json& encoded,
                                 const std::vector<std::string>& sites = {});

}  // namespace binade::host
