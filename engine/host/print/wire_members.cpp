// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/wire_members.h"

#include "engine/host/print/json_number.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace binade::host {

namespace {

using Json = nlohmann::ordered_json;
using SiteNames = std::vector<std::string>;

/// Returns whether a member holds the id of an op call.
bool names_a_site(const std::string& key) {
  constexpr std::array<std::string_view, 6> kKeys{"site",        "origin",       "infinite_site",
                                                  "lowest_site", "highest_site", "becomes_at"};
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

Json printed_json(const std::string& key, const nlohmann::json& value, const SiteNames& sites) {
  if (value.is_object()) {
    Json object = Json::object();
    add_wire_members(object, value, sites);
    return object;
  }
  if (value.is_array()) {
    Json list = Json::array();
    for (const nlohmann::json& item : value) list.push_back(printed_json({}, item, sites));
    return list;
  }
  if (value.is_number_float()) return json_number(value.get<double>());
  if (!value.is_number_integer() || !names_a_site(key)) return Json(value);
  const auto site = value.get<std::int64_t>();
  return site < 0 ? Json() : Json(sites.at(static_cast<std::size_t>(site)));
}

}  // namespace

void add_wire_members(Json& line, const nlohmann::json& encoded, const SiteNames& sites) {
  for (const auto& [key, value] : encoded.items()) {
    if (!line.contains(key)) {
      line[key] = printed_json(key, value, sites);
      continue;
    }
    Json& own = line[key];
    if (own.is_object() && value.is_object()) add_wire_members(own, value, sites);
    if (!own.is_array() || !value.is_array() || own.size() != value.size()) continue;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own[i].is_object() && value[i].is_object()) add_wire_members(own[i], value[i], sites);
    }
  }
}

Json wire_line(const char* event, const nlohmann::json& encoded, const SiteNames& sites) {
  Json line{{"event", event}};
  add_wire_members(line, encoded, sites);
  return line;
}

}  // namespace binade::host
