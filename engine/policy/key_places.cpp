// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/key_places.h"

namespace binade::policy {

bool KeyPlaces::see(nlohmann::json::parse_event_t event, const nlohmann::json& parsed) {
  using Event = nlohmann::json::parse_event_t;
  if (event == Event::key) {
    frames_.back().key = parsed.get<std::string>();
    if (twice_.empty() && !frames_.back().seen.insert(frames_.back().key).second) twice_ = path();
  } else if (event == Event::object_end || event == Event::array_end) {
    frames_.pop_back();
  } else {
    if (!frames_.empty()) ++frames_.back().index;
    if (event == Event::object_start || event == Event::array_start) frames_.push_back({});
  }
  return true;
}

std::string KeyPlaces::path() const {
  std::string text;
  for (const Frame& frame : frames_) {
    if (frame.seen.empty()) {
      text += "[" + std::to_string(frame.index) + "]";
    } else if (frame.key.find_first_of(":. \"") != std::string::npos) {
      text += "[\"" + frame.key + "\"]";
    } else {
      text += (text.empty() ? "" : ".") + frame.key;
    }
  }
  return text;
}

}  // namespace binade::policy
