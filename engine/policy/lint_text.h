// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/finding_text.h"

#include <algorithm>
#include <utility>

namespace binade::policy {

// Texts and lists that several files of lint.h use.

using Names = std::vector<std::string>;

/// Values by key, in the order in which the keys were first used.
template <class Key, class Value>
struct InOrder : std::vector<std::pair<Key, Value>> {
  Value& operator[](const Key& key) {
    auto found = std::find_if(this->begin(), this->end(), [&key](const auto& each) { return each.first == key; });
    return (found != this->end() ? *found : this->emplace_back(key, Value())).second;
  }
};

/// `takes` or `take`, by the number of subjects.
inline std::string by_count(std::size_t count, const char* one, const char* many) {
  return count == 1 ? one : many;
}

/// All op calls of a rule or op change: `its op call`, `all its 3 op calls`.
inline std::string all_calls(std::size_t count) {
  return count == 1 ? "its op call" : "all its " + op_calls(count);
}

inline std::string without_end_spaces(std::string text) {
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

/// End of a warning on a rule or op change for views alone.
inline std::string views_text(std::size_t count, const std::string& names) {
  return " has no effect: rules do not cast " + by_count(count, "a view or a cast", "views or casts") +
         " of the model itself, such as " + names + ".";
}

}  // namespace binade::policy
