// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string_view>

namespace binade::targets {

/// Whether a Python name may start with the character, and whether it may contain it.
bool starts_name(char c);
bool in_name(char c);

using LiteralJson = nlohmann::json;

/// Reads one Python literal at the start of a text: texts, numbers, True, False, None, `float("inf")`, `set()`, and
/// lists, tuples, sets and dicts of these, at most 16 deep. Sets and tuples become arrays, infinity the text "inf".
class LiteralReader {
 public:
  explicit LiteralReader(std::string_view text) : rest_(text) {}

  /// Empty if the text is something else. The reader is then at no particular place.
  std::optional<LiteralJson> value(int depth = 0);
  /// Whether only a comment follows in the line.
  bool ends_line();
  /// Whether the next argument or the end of the call follows.
  bool ends_argument();
  /// What follows the literal.
  std::string_view rest() const { return rest_; }

 private:
  void drop(std::size_t count = 1) { rest_.remove_prefix(count); }
  bool take(std::string_view text);
  void skip_space();
  std::optional<LiteralJson> quoted(char quote);
  std::optional<LiteralJson> raw();
  std::optional<LiteralJson> items(char close, int depth);
  /// The rest of a list whose first items have been read.
  std::optional<LiteralJson> items_after(LiteralJson list, char close, int depth);
  /// A dict, or a set, which becomes an array.
  std::optional<LiteralJson> braces(int depth);
  /// The rest of a dict, after its first key and colon.
  std::optional<LiteralJson> dict_after(std::optional<LiteralJson> key, int depth);
  std::optional<LiteralJson> word();
  std::optional<LiteralJson> number();

  std::string_view rest_;
};

}  // namespace binade::targets
