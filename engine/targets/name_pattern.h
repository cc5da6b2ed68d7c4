// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace binade::targets {

/// A regular expression of Python on names of modules and nodes. It has characters, `.`, classes such as `[a-z]`, `\d`,
/// `\w` and `\s`, groups, `|`, `*`, `+`, `?`, `^` and `$`; not counts, look-arounds, references and flags. Matching
/// takes time in proportion to the lengths of pattern and name, whatever they are.
class NamePattern {
 public:
  /// `source` names the text for messages. Throws Error{kBadPolicy} for what is not supported and for patterns of more
  /// than 20000 characters.
  NamePattern(std::string_view pattern, const std::string& source);

  bool starts(std::string_view name) const { return matches(name, true); }   ///< as Python's re.match()
  bool occurs(std::string_view name) const { return matches(name, false); }  ///< as Python's re.search()

  /// Texts of which every matching name has one at its beginning; one empty text if nothing is known. `at_start`: for
  /// starts(), otherwise for occurs().
  std::vector<std::string> beginnings(bool at_start) const;

 private:
  friend class NamePatternParser;

  struct Node {
    enum class Kind : std::uint8_t { kCharacters, kEither, kBegin, kEnd, kNothing, kFound } kind = Kind::kNothing;
    std::vector<bool> characters;  ///< by byte, for kCharacters
    std::size_t next = 0;
    std::size_t other = 0;  ///< for kEither
  };

  bool matches(std::string_view name, bool at_start) const;
  /// Adds what is reached from `node` without a character. Returns whether that is the end of the pattern.
  bool reach(std::size_t node, std::size_t at, std::size_t size, std::vector<std::size_t>& active,
             std::vector<bool>& seen) const;

  std::vector<Node> nodes_;
  std::size_t first_ = 0;
};

/// The pattern that matches a text only: dots and other signs are escaped.
std::string escaped_pattern(std::string_view text);

}  // namespace binade::targets
