// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/yaml_subset.h"

#include "engine/formats/error.h"

#include <optional>
#include <set>

namespace binade::targets {

namespace {

constexpr int kDeepestYaml = 32;

struct YamlLine {
  std::size_t number = 1;
  std::size_t indent = 0;
  std::string_view text;  ///< without indentation, comment and trailing spaces
};

class YamlParser {
 public:
  YamlParser(std::string_view text, const std::string& source) : source_(source) { split(text); }

  YamlNode run() {
    if (lines_.empty()) fail(1, "the text is empty");
    if (is_item(lines_.front().text)) fail(lines_.front().number, "the text is a list where a map belongs");
    YamlNode root = block(lines_.front().indent, 0);
    if (at_ < lines_.size()) fail(lines_[at_].number, "the indentation fits no line above");
    return root;
  }

 private:
  void split(std::string_view text) {
    std::size_t number = 0;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      ++number;
      std::string_view line = text.substr(0, end);
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
      line = without_comment(line);
      const std::size_t indent = line.find_first_not_of(' ');
      if (indent == std::string_view::npos || line == "---") continue;
      if (line[indent] == '\t') fail(number, "there is a tab where spaces belong");
      lines_.push_back({number, indent, line.substr(indent)});
    }
  }

  static std::string_view without_comment(std::string_view line) {
    char quote = '\0';
    std::size_t end = 0;
    for (; end < line.size(); ++end) {
      const char c = line[end];
      if (quote != '\0') {
        if (c == quote) quote = '\0';
      } else if (c == '"' || c == '\'') {
        const char before = end == 0 ? ' ' : line[end - 1];
        if (before == ' ' || before == '[' || before == ',') quote = c;  // elsewhere it is a character of a scalar
      } else if (c == '#' && (end == 0 || line[end - 1] == ' ')) {
        break;
      }
    }
    line = line.substr(0, end);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
    return line;
  }

  static bool is_item(std::string_view text) { return text == "-" || text.starts_with("- "); }

  YamlNode block(std::size_t indent, int depth) {
    if (depth > kDeepestYaml) fail(lines_[at_].number, "maps and lists are nested too deeply");
    return is_item(lines_[at_].text) ? list(indent, depth) : map(indent, depth);
  }

  YamlNode list(std::size_t indent, int depth) {
    YamlNode node;
    node.kind = YamlNode::Kind::kList;
    node.line = lines_[at_].number;
    while (at_ < lines_.size() && lines_[at_].indent == indent && is_item(lines_[at_].text)) {
      YamlLine& line = lines_[at_];
      std::string_view rest = line.text.substr(1);
      const std::size_t spaces = rest.find_first_not_of(' ');
      if (spaces == std::string_view::npos) {
        ++at_;
        node.items.push_back(nested(indent, depth, line.number, /*list_at_same_indent=*/false));
        continue;
      }
      rest.remove_prefix(spaces);
      if (is_item(rest) || key_end(rest)) {  // a block that starts behind the dash
        line.indent += 1 + spaces;
        line.text = rest;
        node.items.push_back(block(line.indent, depth + 1));
        continue;
      }
      node.items.push_back(value(rest, line.number));
      ++at_;
    }
    return node;
  }

  YamlNode map(std::size_t indent, int depth) {
    YamlNode node;
    node.kind = YamlNode::Kind::kMap;
    node.line = lines_[at_].number;
    std::set<std::string> keys;
    while (at_ < lines_.size() && lines_[at_].indent == indent && !is_item(lines_[at_].text)) {
      const YamlLine line = lines_[at_];
      const std::optional<std::size_t> colon = key_end(line.text);
      if (!colon) fail(line.number, "the line is not a key and a value");
      const std::string key = value(line.text.substr(0, *colon), line.number).scalar;
      if (!keys.insert(key).second) fail(line.number, "the key is there twice");
      std::string_view rest = line.text.substr(*colon + 1);
      ++at_;
      const std::size_t start = rest.find_first_not_of(' ');
      if (start == std::string_view::npos) {
        node.entries.push_back({key, nested(indent, depth, line.number, /*list_at_same_indent=*/true)});
      } else {
        node.entries.push_back({key, value(rest.substr(start), line.number)});
      }
    }
    return node;
  }

  /// The value that is on the lines below a key or dash; an empty scalar if there is none.
  YamlNode nested(std::size_t indent, int depth, std::size_t line, bool list_at_same_indent) {
    if (at_ < lines_.size()) {
      const bool below = lines_[at_].indent > indent;
      const bool list = list_at_same_indent && lines_[at_].indent == indent && is_item(lines_[at_].text);
      if (below || list) return block(lines_[at_].indent, depth + 1);
    }
    YamlNode empty;
    empty.line = line;
    return empty;
  }

  /// Where the colon behind a key is; empty if the text is not a key with a value.
  static std::optional<std::size_t> key_end(std::string_view text) {
    std::size_t from = 0;
    if (!text.empty() && (text.front() == '"' || text.front() == '\'')) {
      from = text.find(text.front(), 1);
      if (from == std::string_view::npos) return std::nullopt;
    } else if (!text.empty() && (text.front() == '[' || text.front() == '{')) {
      return std::nullopt;
    }
    for (std::size_t i = from; i < text.size(); ++i) {
      if (text[i] == ':' && (i + 1 == text.size() || text[i + 1] == ' ')) return i;
    }
    return std::nullopt;
  }

  YamlNode value(std::string_view text, std::size_t line) const {
    YamlNode node;
    node.line = line;
    if (text == "{}") {
      node.kind = YamlNode::Kind::kMap;
      return node;
    }
    if (text.empty() || text.front() != '[') {
      node.scalar = scalar(text, line);
      return node;
    }
    node.kind = YamlNode::Kind::kList;
    if (text.back() != ']') fail(line, "a list in brackets does not end in its line");
    text = trimmed(text.substr(1, text.size() - 2));
    while (!text.empty()) {
      const std::size_t end = item_end(text, line);
      YamlNode item;
      item.line = line;
      item.scalar = scalar(trimmed(text.substr(0, end)), line);
      node.items.push_back(std::move(item));
      text = end == text.size() ? std::string_view() : trimmed(text.substr(end + 1));
    }
    return node;
  }

  /// Where an item in brackets ends: at a comma outside of quotes, or at the end.
  std::size_t item_end(std::string_view text, std::size_t line) const {
    std::size_t from = 0;
    if (text.front() == '"' || text.front() == '\'') {
      from = text.find(text.front(), 1);
      if (from == std::string_view::npos) fail(line, "a quote is not closed");
    }
    const std::size_t comma = text.find(',', from);
    return comma == std::string_view::npos ? text.size() : comma;
  }

  static std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
  }

  std::string scalar(std::string_view text, std::size_t line) const {
    if (text.empty()) return {};
    const char first = text.front();
    if (first == '"' || first == '\'') {
      if (text.size() < 2 || text.back() != first) fail(line, "a quote is not closed");
      return unquoted(text.substr(1, text.size() - 2), first);
    }
    if (std::string_view("&*!|>%@`{}[],?").find(first) != std::string_view::npos) {
      fail(line, "a value starts with a sign that needs more of YAML than is read here");
    }
    return std::string(text);
  }

  static std::string unquoted(std::string_view text, char quote) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool doubled = quote == '\'' && text[i] == '\'' && i + 1 < text.size() && text[i + 1] == '\'';
      const bool escaped = quote == '"' && text[i] == '\\' && i + 1 < text.size();
      if (doubled || escaped) ++i;
      plain += text[i];
    }
    return plain;
  }

  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw Error(ErrorCode::kBadPolicy, source_ + ": line " + std::to_string(line) + ": " + what,
                "Use maps and lists by indentation, without anchors, tags and texts of several lines.");
  }

  const std::string& source_;
  std::vector<YamlLine> lines_;
  std::size_t at_ = 0;
};

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const auto& [name, value] : entries) {
    if (name == key) return &value;
  }
  return nullptr;
}

YamlNode parse_yaml(std::string_view text, const std::string& source) {
  return YamlParser(text, source).run();
}

std::string yaml_text(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return quoted + "'";
}

}  // namespace binade::targets
