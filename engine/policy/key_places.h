// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace binade::policy {

/// Finds a key that occurs twice in one JSON object while the text is parsed. JSON readers silently keep the last.
class KeyPlaces {
 public:
  /// Callback for nlohmann::json's parser; needs every event, in order. Always returns true.
  bool see(nlohmann::json::parse_event_t event, const nlohmann::json& parsed);

  /// Path of the first repeated key, such as `sites[1].format`; empty if there is none.
  const std::string& twice() const { return twice_; }

 private:
  struct Frame {
    std::string key;  // in an object; an array has none
    int index = -1;
    std::set<std::string> seen;
  };

  std::string path() const;

  std::vector<Frame> frames_;
  std::string twice_;
};

}  // namespace binade::policy
