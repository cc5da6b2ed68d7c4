// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace binade::policy {

/// The place of every key as the text is read, to find one that is given twice: JSON readers keep the last in silence.
class KeyPlaces {
 public:
  /// To be told of each parser event, in order; always true.
  bool see(nlohmann::json::parse_event_t event, const nlohmann::json& parsed);

  /// Where that is, `sites[1].format`; empty where no key is given twice.
  const std::string& twice() const { return twice_; }

 private:
  struct Frame {
    std::string key;  // of an object; an array has none
    int index = -1;
    std::set<std::string> seen;
  };

  std::string path() const;

  std::vector<Frame> frames_;
  std::string twice_;
};

}  // namespace binade::policy
