// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace binade::targets {

struct YamlEntry;

/// A value of a YAML text: a scalar as it is written, without quotes, a list or a map.
struct YamlNode {
  enum class Kind { kScalar, kList, kMap } kind = Kind::kScalar;
  std::size_t line = 1;  ///< where it starts, counted from 1
  std::string scalar;
  std::vector<YamlNode> items;
  std::vector<YamlEntry> entries;

  /// The value of a key of a map; null if there is none.
  const YamlNode* find(std::string_view key) const;
};

/// A key of a map with its value.
struct YamlEntry {
  std::string key;
  YamlNode value;
};

/// Reads the part of YAML 1.2 that configuration files use: maps and lists by indentation, `[a, b]` and `{}` in one
/// line, plain and quoted scalars, comments. Throws Error{kBadPolicy} with the line for anything else, such as anchors,
/// tags, texts of several lines, tabs, and a key that is there twice; also if the text is not a map.
YamlNode parse_yaml(std::string_view text, const std::string& source);

/// A scalar in single quotes.
std::string yaml_text(std::string_view text);

}  // namespace binade::targets
