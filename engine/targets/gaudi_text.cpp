// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/gaudi_text.h"

#include "engine/formats/error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

namespace binade::targets {

namespace {

constexpr std::string_view kFormat = "# Low format: ";
constexpr std::string_view kBlanks = " \t";

/// Takes the first line from a text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

bool is_op_name(std::string_view line) {
  constexpr std::size_t kLongest = 100;
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
  return line.size() <= kLongest && std::all_of(line.begin(), line.end(), is_part);
}

/// The file name at the start of a text, without its folder, which may be computed: `"$PWD/ops.txt"`. Empty if there
/// is none, or if the name itself is computed.
std::string file_name(std::string_view text) {
  text = without_blanks(text);
  const char quote = !text.empty() && (text.front() == '"' || text.front() == '\'') ? text.front() : '\0';
  if (quote != '\0') text.remove_prefix(1);
  const std::size_t end = quote != '\0' ? text.find(quote) : text.find_first_of(" \t;&|<>");
  if (quote != '\0' && end == std::string_view::npos) return {};
  text = text.substr(0, end);
  const std::size_t folder = text.rfind('/');
  if (folder != std::string_view::npos) text.remove_prefix(folder + 1);
  const auto is_plain = [](unsigned char c) {
    return c > 0x20 && std::string_view("$`*?()[]{}\"'\\").find(static_cast<char>(c)) == std::string_view::npos;
  };
  if (text == "." || text == ".." || !std::all_of(text.begin(), text.end(), is_plain)) return {};
  return std::string(text);
}

/// What a line assigns to a variable; nullopt: it does not set the variable.
std::optional<std::string_view> value_of(std::string_view line, std::string_view variable) {
  const std::size_t at = line.find(variable);
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + variable.size());
  const bool in_brackets = line.starts_with("\"]") || line.starts_with("']");
  if (in_brackets) line = without_blanks(line.substr(2));
  if (!line.starts_with('=') || line.starts_with("==")) return std::nullopt;
  return line.substr(1);
}

/// A here-document: `cat > "ops.txt" <<'END'`.
struct HereDocument {
  std::string file;
  std::string end;
  bool appends = false;
};

std::optional<HereDocument> here_document(std::string_view line) {
  const std::size_t mark = line.find("<<");
  const std::size_t arrow = line.find('>');
  if (!line.starts_with("cat") || mark == std::string_view::npos || arrow == std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view end = line.substr(mark + 2);
  if (end.starts_with('-')) end.remove_prefix(1);
  HereDocument found;
  found.appends = line.substr(arrow).starts_with(">>");
  found.file = file_name(line.substr(arrow + (found.appends ? 2 : 1)));
  found.end = file_name(end);
  if (found.file.empty() || found.end.empty()) return std::nullopt;
  return found;
}

class GaudiTextReader {
 public:
  GaudiTextReader(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  GaudiText read() {
    while (!text_.empty()) {
      const std::string_view line = next();
      if (line.starts_with(kFormat)) {
        found_.format = line.substr(kFormat.size(), line.find(',') - kFormat.size());
      } else if (!line.empty() && line.front() != '#') {
        take(line);
      }
    }
    if (!found_.is_script && other_line_ > 0) fail_gaudi(source_, other_line_, "the line is not an op name");
    found_.others = other_line_ > 0 || !found_.list.empty();
    return std::move(found_);
  }

 private:
  std::string_view next() {
    ++line_;
    return without_blanks(take_line(text_));
  }

  void take(std::string_view line) {
    if (const auto document = here_document(line)) return take_document(*document);
    bool sets = false;
    for (const std::string_view variable : {kGaudiLow, kGaudiFloat32}) {
      const auto value = value_of(line, variable);
      if (!value) continue;
      sets = true;
      take_variable(variable, *value);
    }
    if (sets) return;
    if (is_op_name(line)) {
      found_.list.emplace(line);
    } else if (other_line_ == 0) {
      other_line_ = line_;
    }
  }

  void take_variable(std::string_view variable, std::string_view value) {
    found_.is_script = true;
    const std::string file = file_name(value);
    if (file.empty()) {
      fail_gaudi(source_, line_, "the file name in " + std::string(variable) + " is missing or computed",
                 "Scripts are not run. Write the name out: " + std::string(variable) + "=ops.txt.");
    }
    found_.named[variable] = {file, line_};
  }

  void take_document(const HereDocument& document) {
    found_.is_script = true;
    const std::size_t begin = line_;
    std::set<std::string>& ops = found_.written[document.file];
    if (!document.appends) ops.clear();
    while (!text_.empty()) {
      const std::string_view line = next();
      if (line == document.end) return;
      if (line.empty() || line.front() == '#') continue;
      if (!is_op_name(line)) fail_gaudi(source_, line_, "the line is not an op name");
      ops.emplace(line);
    }
    fail_gaudi(source_, begin, "the list is not closed by " + document.end);
  }

  std::string_view text_;
  const std::string& source_;
  GaudiText found_;
  std::size_t line_ = 0;
  std::size_t other_line_ = 0;  ///< the first line outside lists that is neither a setting nor an op name
};

}  // namespace

GaudiText read_gaudi_text(std::string_view text, const std::string& source) {
  return GaudiTextReader(text, source).read();
}

std::set<std::string> read_gaudi_list(std::string_view text, const std::string& source) {
  std::set<std::string> ops;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = without_blanks(take_line(text));
    if (line.empty() || line.front() == '#') continue;
    if (!is_op_name(line)) fail_gaudi(source, number, "the line is not an op name");
    ops.emplace(line);
  }
  return ops;
}

void fail_gaudi(const std::string& source, std::size_t line, const std::string& what, const std::string& hint) {
  throw Error(ErrorCode::kBadPolicy, source + ": line " + std::to_string(line) + ": " + what,
              hint.empty()
                  ? "Give a file that `export --to gaudi` wrote, a script that names the files of the lists, or "
                    "a list with one ATen op a line, such as conv2d."
                  : hint);
}

}  // namespace binade::targets
