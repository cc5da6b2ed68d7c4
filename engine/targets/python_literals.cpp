// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/python_literals.h"

#include "engine/formats/error.h"
#include "engine/targets/literal_text.h"
#include "engine/targets/python_value.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace binade::targets {

namespace {

/// The position behind the text in quotes at `at`; the end of the line for one that has no end.
std::size_t behind_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool triple = text.substr(at).starts_with(std::string(3, quote));
  const std::string ending(triple ? 3 : 1, quote);
  at += ending.size();
  while (at < text.size() && !text.substr(at).starts_with(ending)) {
    if (text[at] == '\n' && !triple) return at;
    at += text[at] == '\\' ? 2 : 1;
  }
  return std::min(at + ending.size(), text.size());
}

std::size_t behind_space(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

struct Argument {
  std::string name;                  ///< empty for one without a name behind the first
  std::optional<LiteralJson> value;  ///< nullopt: it is computed
};

/// Reads the keyword arguments of all calls of a function, such as `paddle.amp.auto_cast(...)` for `auto_cast`, and
/// finds those without a name behind the first. The first is a file, or the switch of the function, which is True in a
/// call that does not give it.
class CallReader {
 public:
  CallReader(std::string_view text, const PythonFunction& function)
      : text_(text), function_(function.name), switch_(function.switched_by) {}

  std::vector<Argument> arguments() {
    while (at_ < text_.size()) step();
    return std::move(found_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return;
    }
    if (behind_space(text_, at_) != at_) {
      at_ = behind_space(text_, at_);
      return;
    }
    if (std::exchange(first_, false) && !switch_.empty()) take_switch();
    const bool begins = std::exchange(begins_, false);
    if (begins && c != ')' && c != '*' && !assigns(behind_name(at_))) found_.push_back({});
    if (c == '"' || c == '\'') {
      at_ = behind_quotes(text_, at_);
    } else if (in_name(c)) {
      take_name();
    } else {
      take_sign(c);
    }
  }

  bool in_call() const { return !open_.empty() && open_.back(); }

  std::size_t behind_name(std::size_t at) const {
    while (at < text_.size() && in_name(text_[at])) ++at;
    return at;
  }

  /// Whether `=` follows, behind the name of an argument.
  bool assigns(std::size_t at) const {
    const std::string_view rest = text_.substr(behind_space(text_, at));
    return at > at_ && rest.starts_with('=') && !rest.starts_with("==");
  }

  /// At the first argument of a call, or at its end: finds the switch if it has no name.
  void take_switch() {
    const bool named = assigns(behind_name(at_)) || text_.substr(at_).starts_with("**");
    const bool absent = named || text_[at_] == ')';
    switch_at_ = found_.size();
    if (absent) return found_.push_back({std::string(switch_), LiteralJson(true)});
    found_.push_back({std::string(switch_), literal(at_)});
  }

  /// The value of an argument that begins at `at`; nullopt if it is computed.
  std::optional<LiteralJson> literal(std::size_t at) const {
    LiteralReader reader(text_.substr(at));
    std::optional<LiteralJson> value = reader.value();
    return value && reader.ends_argument() ? std::move(value) : std::nullopt;
  }

  void take_name() {
    const std::size_t end = behind_name(at_);
    const std::string_view name = text_.substr(at_, end - at_);
    const std::size_t sign = behind_space(text_, end);
    const bool defines = std::exchange(before_, name) == "def";
    if (name == function_ && text_.substr(sign).starts_with('(')) {
      open_.push_back(!defines);
      first_ = !defines;
      at_ = sign + 1;
    } else if (in_call() && assigns(end)) {
      LiteralReader reader(text_.substr(sign + 1));
      std::optional<LiteralJson> value = reader.value();
      const bool literal = value && reader.ends_argument();
      at_ = literal ? text_.size() - reader.rest().size() : sign + 1;
      Argument argument{std::string(name), literal ? std::move(value) : std::nullopt};
      if (name == switch_) {
        found_[switch_at_] = std::move(argument);
      } else {
        found_.push_back(std::move(argument));
      }
    } else {
      at_ = end;
    }
  }

  void take_sign(char c) {
    if (c == '(' || c == '[' || c == '{') open_.push_back(false);
    if ((c == ')' || c == ']' || c == '}') && !open_.empty()) open_.pop_back();
    begins_ = c == ',' && in_call();
    ++at_;
  }

  std::string_view text_;
  std::string_view function_;
  std::string_view switch_;  ///< empty: the function has none
  std::size_t at_ = 0;
  std::size_t switch_at_ = 0;  ///< of the present call's switch in `found_`
  std::string_view before_;    ///< the name before the present one
  bool first_ = false;         ///< the first argument of a call follows, or its end
  bool begins_ = false;        ///< an argument of the call follows, behind a comma
  std::vector<bool> open_;     ///< brackets; true for those of the call
  std::vector<Argument> found_;
};

/// What follows the line that the text begins with, and the texts in triple quotes that begin in it. Empty if one of
/// these has no end.
std::optional<std::string_view> after_statement_line(std::string_view text) {
  std::size_t at = 0;
  char quote = '\0';  // of the text in single quotes that `at` is in
  while (at < text.size() && text[at] != '\n') {
    const char c = text[at];
    if (quote != '\0') {
      if (c == '\\' && at + 1 < text.size() && text[at + 1] != '\n') ++at;
      if (c == quote) quote = '\0';
      ++at;
    } else if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at).starts_with("\"\"\"") || text.substr(at).starts_with("\'\'\'")) {
      const std::string_view ending = text.substr(at, 3);
      std::size_t end = at + 3;
      while (end < text.size() && !text.substr(end).starts_with(ending)) end += text[end] == '\\' ? 2 : 1;
      if (end >= text.size()) return std::nullopt;
      at = end + 3;
    } else {
      if (c == '"' || c == '\'') quote = c;
      ++at;
    }
  }
  return at < text.size() ? text.substr(at + 1) : std::string_view();
}

}  // namespace

PythonLiterals::PythonLiterals(std::string_view text, std::string source, const PythonFunction& function)
    : source_(std::move(source)) {
  take_assignments(text);
  if (!function.name.empty()) take_calls(text, function);
  if (values_.empty())
    fail("no name is set to a literal", "Write assignments such as LEVEL = \"O1\" at the top level.");
}

void PythonLiterals::take_assignments(std::string_view text) {
  while (!text.empty()) {
    std::size_t size = 0;
    while (size < text.size() && in_name(text[size])) ++size;
    const std::string name(text.substr(0, size));
    std::size_t equals = size;
    while (equals < text.size() && text[equals] == ' ') ++equals;
    const bool assigns = size > 0 && starts_name(text.front()) && equals + 1 < text.size() && text[equals] == '=' &&
                         text[equals + 1] != '=';
    // CUSTOM_BLACK_LIST |= {"linear"}
    const bool updates = size > 0 && starts_name(text.front()) && equals + 1 < text.size() &&
                         std::string_view("+-|&^").find(text[equals]) != std::string_view::npos &&
                         text[equals + 1] == '=';
    if (updates) computed_.insert(name);
    if (assigns) {
      LiteralReader reader(text.substr(equals + 1));
      const bool starts_here = !reader.ends_line();
      std::optional<nlohmann::json> value = starts_here ? reader.value() : std::nullopt;
      values_.erase(name);
      computed_.erase(name);
      if (value && reader.ends_line()) {
        values_[name] = std::move(*value);
        text = reader.rest();
      } else {
        computed_.insert(name);
      }
    }
    const std::optional<std::string_view> rest = after_statement_line(text);
    if (!rest) fail("a text in triple quotes has no end", "Close it with the three quotes that begin it.");
    text = *rest;
  }
}

void PythonLiterals::take_calls(std::string_view text, const PythonFunction& function) {
  for (Argument& argument : CallReader(text, function).arguments()) {
    if (argument.name.empty()) {
      fail("a call of " + std::string(function.name) + " has arguments without names", "Write them as name=value.");
    }
    std::string name = argument.name;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const bool again = arguments_.contains(name);
    if (has(name) && !again) continue;  // a line sets the variable
    const auto before = values_.find(name);
    const bool same =
        argument.value ? before != values_.end() && before->second == *argument.value : computed_.contains(name);
    if (again && !same) {
      fail("calls of " + std::string(function.name) + " give " + argument.name + " different values",
           "Keep one of the calls, or set " + name + " at the top level.");
    }
    arguments_[name] = argument.name;
    if (argument.value) {
      values_[name] = std::move(*argument.value);
    } else {
      computed_.insert(name);
    }
  }
}

std::string PythonLiterals::spelt(const std::string& name) const {
  const auto found = arguments_.find(name);
  return found == arguments_.end() ? name : found->second;
}

const nlohmann::json* PythonLiterals::find(const std::string& name) const {
  if (computed_.contains(name)) {
    fail(spelt(name) + " is computed, and Python files are not run",
         "Write its value out, such as {\"conv2d\", \"einsum\"}.");
  }
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

bool PythonLiterals::is_infinite(const std::string& name) const {
  const nlohmann::json* const value = find(name);
  return value != nullptr && *value == "inf";
}

std::string PythonLiterals::text(const std::string& name, const std::string& absent) const {
  const nlohmann::json* const value = find(name);
  if (value == nullptr) return absent;
  if (!value->is_string()) fail(spelt(name) + " is not a text", "Write it in quotes.");
  return value->get<std::string>();
}

bool PythonLiterals::flag(const std::string& name, bool absent) const {
  const nlohmann::json* const value = find(name);
  if (value == nullptr) return absent;
  if (!value->is_boolean()) fail(spelt(name) + " is neither True nor False", "Write one of the two.");
  return value->get<bool>();
}

std::vector<std::string> PythonLiterals::names(const std::string& name) const {
  const nlohmann::json* const value = find(name);
  std::vector<std::string> list;
  if (value == nullptr || value->is_null()) return list;
  const bool is_list = value->is_array() || (value->is_object() && value->empty());
  if (!is_list) fail(spelt(name) + " is not a list of names", "Write {\"conv2d\", \"einsum\"}.");
  for (const nlohmann::json& item : *value) {
    if (!item.is_string()) fail(spelt(name) + " has an entry that is not a text", "Write names in quotes.");
    list.push_back(item.get<std::string>());
  }
  return list;
}

const nlohmann::json& PythonLiterals::dict(const std::string& name) const {
  static const nlohmann::json empty = nlohmann::json::object();
  const nlohmann::json* const value = find(name);
  if (value == nullptr || value->is_null()) return empty;
  if (!value->is_object()) fail(spelt(name) + " is not a dict", "Write {\"init_scale\": 65536.0}.");
  return *value;
}

void PythonLiterals::fail(const std::string& what, const std::string& hint) const {
  throw Error(ErrorCode::kBadPolicy, source_ + ": " + what, hint);
}

std::string python_text(const std::string& text) {
  return literal_text(text);
}

std::string python_list(const std::vector<std::string>& texts) {
  if (texts.empty()) return "[]";
  std::string list = "[\n";
  for (const std::string& text : texts) list += "    " + literal_text(text) + ",\n";
  return list + "]";
}

}  // namespace binade::targets
