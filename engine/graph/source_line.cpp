// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/source_line.h"

#include <regex>
#include <vector>

namespace binade::graph {

namespace jit = torch::jit;

namespace {

struct Line {
  std::string file;  ///< with its folders, as in the model's debug information; empty: unknown
  std::string number;

  bool known() const { return !file.empty(); }
  /// Whether the line is in PyTorch's own Python code, which a model's author does not edit.
  bool is_torchs() const { return file.starts_with("torch/") || file.find("/torch/") != std::string::npos; }
  std::string text() const { return known() ? file.substr(file.rfind('/') + 1) + ":" + number : std::string(); }
};

/// Lines of a range, innermost first. The text of a traced op is its whole Python stack, one frame per line.
std::vector<Line> lines_of(jit::SourceRange range) {
  if (const auto original = range.findSourceRangeThatGenerated()) range = *original;
  const auto place = range.file_line_col();
  if (!place || std::get<0>(*place).starts_with('<')) return {};  // from a string, which cannot be opened
  std::vector<Line> lines{{std::get<0>(*place), std::to_string(std::get<1>(*place))}};
  if (!lines.front().is_torchs()) return lines;
  const std::string stack = range.source()->text_str().str();
  static const std::regex frame(R"((?:^|\n)([^\n(]+\.py)\((\d+)\): )");
  for (std::sregex_iterator found(stack.begin(), stack.end(), frame), end; found != end; ++found) {
    lines.push_back({(*found)[1].str(), (*found)[2].str()});
  }
  return lines;
}

}  // namespace

std::string source_of(const jit::Node& node) {
  std::vector<Line> lines = lines_of(node.sourceRange());
  if (const auto calls = node.callstack()) {
    const auto entries = (*calls)->vec();  // outermost first, each with the line of the call
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      for (Line& line : lines_of(std::get<1>(*entry))) lines.push_back(std::move(line));
    }
  }
  for (const Line& line : lines) {
    if (!line.is_torchs()) return line.text();
  }
  return lines.empty() ? std::string() : lines.front().text();
}

}  // namespace binade::graph
