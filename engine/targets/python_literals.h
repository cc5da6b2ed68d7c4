// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace binade::targets {

/// A function whose calls state settings.
struct PythonFunction {
  std::string_view name{};
  /// Its first argument, if that is a switch, True in calls that leave it out. Empty: it has none.
  std::string_view switched_by{};
};

/// The literals that a Python text assigns to names at the top level: `LEVEL = "O1"`. Nothing is run. Other statements
/// and texts in triple quotes are skipped. A value may be made of texts, numbers, True, False, None, `float("inf")`,
/// `set()`, and lists, tuples, sets and dicts of these; a name with another value may not be asked for. Sets and tuples
/// become arrays. Infinity becomes the text "inf".
///
/// A keyword argument of a call counts as a variable in capitals that no line sets: with the function `auto_cast`,
/// `paddle.amp.auto_cast(level="O2")` sets LEVEL. With the switch `enable`, it also sets ENABLE to True, and
/// `auto_cast(False)` sets it to False.
class PythonLiterals {
 public:
  /// `source` is the name of the text, for messages; `function` is the one whose calls count. Throws Error{kBadPolicy}
  /// if no literal is assigned, if a text in triple quotes has no end, or if two calls give an argument different
  /// values.
  PythonLiterals(std::string_view text, std::string source, const PythonFunction& function = {});

  /// Whether a literal, or anything else, is assigned to the name.
  bool has(const std::string& name) const { return values_.contains(name) || computed_.contains(name); }
  /// Whether the last value of the name is no literal.
  bool is_computed(const std::string& name) const { return computed_.contains(name); }

  // Each throws Error{kBadPolicy}, naming the variable, if it is no literal or has another type. An absent variable has
  // the value `absent`, or is empty.

  bool is_infinite(const std::string& name) const;  ///< whether it is `float("inf")`
  std::string text(const std::string& name, const std::string& absent) const;
  bool flag(const std::string& name, bool absent) const;
  std::vector<std::string> names(const std::string& name) const;  ///< of a list, tuple or set of texts
  const nlohmann::json& dict(const std::string& name) const;      ///< an object

  [[noreturn]] void fail(const std::string& what, const std::string& hint) const;

 private:
  void take_assignments(std::string_view text);
  void take_calls(std::string_view text, const PythonFunction& function);
  /// A name as the text has it: `level` for LEVEL where a call sets it.
  std::string spelt(const std::string& name) const;
  /// Null for an absent name.
  const nlohmann::json* find(const std::string& name) const;

  std::string source_;
  std::map<std::string, nlohmann::json> values_;
  std::set<std::string> computed_;                ///< names whose last value is no literal
  std::map<std::string, std::string> arguments_;  ///< names that calls set, as the text spells them
};

/// A text as a Python literal, and a list of texts with one in each line.
std::string python_text(const std::string& text);
std::string python_list(const std::vector<std::string>& texts);

}  // namespace binade::targets
