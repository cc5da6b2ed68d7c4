// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/source_blocks.h"

#include "engine/lessons/split_text.h"
#include "engine/policy/near_name.h"

#include <algorithm>
#include <string>

namespace binade::lessons {

namespace {

const std::vector<std::string> kDirectives = {"figure", "predict", "run", "check"};

/// Number of backticks of a fence; 0 for another line.
std::size_t fence_of(std::string_view line) {
  const std::size_t ticks = std::min(line.find_first_not_of('`'), line.size());
  return ticks >= 3 ? ticks : 0;
}

bool closes(std::string_view line, std::size_t fence) {
  const std::string_view mark = trimmed(line);
  return fence_of(mark) >= fence && fence_of(mark) == mark.size();
}

bool is_head(std::string_view line, std::string_view mark) {
  return line.substr(0, mark.size()) == mark;
}

}  // namespace

std::vector<SourceBlock> source_blocks(std::string_view text, Problems& problems) {
  using Kind = SourceBlock::Kind;
  const std::vector<std::string_view> lines = lines_of(text);
  std::vector<SourceBlock> blocks;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t number = i + 1;
    if (const std::size_t fence = fence_of(lines[i])) {
      SourceBlock block{Kind::kCode, trimmed(lines[i].substr(fence)), number, {}};
      std::size_t end = i + 1;
      while (end < lines.size() && !closes(lines[end], fence)) ++end;
      if (end == lines.size()) problems.add(number, "A fenced block has no end.", "Close it with a line of backticks.");
      const std::string name(block.name);
      if (std::find(kDirectives.begin(), kDirectives.end(), name) != kDirectives.end()) {
        block.kind = Kind::kDirective;
      } else if (policy::nearest_name(name, kDirectives)) {
        problems.add(number, "A block is named \"" + name + "\".",
                     policy::did_you_mean(name, kDirectives) + "Directives are figure, predict, run and check.");
      }
      const bool whole = block.kind == Kind::kCode;
      for (std::size_t j = whole ? i : i + 1; j < std::min(lines.size(), whole ? end + 1 : end); ++j) {
        block.lines.push_back({j + 1, lines[j]});
      }
      blocks.push_back(std::move(block));
      i = end;
    } else if (is_head(lines[i], "# ") || is_head(lines[i], "## ")) {
      const bool title = is_head(lines[i], "# ");
      blocks.push_back(
          {title ? Kind::kTitle : Kind::kSection, {}, number, {{number, trimmed(lines[i].substr(title ? 2 : 3))}}});
    } else if (!blocks.empty() && blocks.back().kind == Kind::kText) {
      blocks.back().lines.push_back({number, lines[i]});
    } else if (!trimmed(lines[i]).empty()) {
      blocks.push_back({Kind::kText, {}, number, {{number, lines[i]}}});
    }
  }
  return blocks;
}

}  // namespace binade::lessons
