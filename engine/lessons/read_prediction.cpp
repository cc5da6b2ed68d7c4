// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/read_blocks.h"
#include "engine/lessons/split_text.h"

#include <algorithm>
#include <string>

namespace binade::lessons {

namespace {

/// An option before its text is divided, with the lines that go on with it.
struct OptionText {
  bool right = false;
  std::string text;
  std::size_t line = 0;
};

std::optional<OptionText> option_at(const SourceLine& line) {
  const std::string_view mark = line.text.substr(0, 6);
  if (mark != "- [ ] " && mark != "- [x] ") return std::nullopt;
  return OptionText{mark[3] == 'x', std::string(trimmed(line.text.substr(6))), line.number};
}

Option divided(const OptionText& option, const Facts& facts, Problems& problems) {
  const std::size_t at = option.text.find(" :: ");
  if (at == std::string::npos) {
    problems.add(option.line, "This option has no feedback.", "Write it behind the option, as in \"- [ ] 8 :: Why.\".");
    return {};
  }
  const std::string_view all = option.text;
  return {facts.fill(trimmed(all.substr(0, at)), option.line, problems),
          facts.fill(trimmed(all.substr(at + 4)), option.line, problems), option.right};
}

}  // namespace

std::optional<Prediction> read_prediction(const SourceBlock& block, const Facts& facts, Problems& problems) {
  Prediction prediction;
  prediction.line = block.line;
  std::vector<OptionText> options;
  for (const SourceLine& line : block.lines) {
    if (trimmed(line.text).empty()) continue;
    if (std::optional<OptionText> option = option_at(line)) {
      options.push_back(std::move(*option));
    } else if (options.empty()) {
      prediction.question += (prediction.question.empty() ? "" : "\n") + facts.fill(line.text, line.number, problems);
    } else if (line.text.substr(0, 2) == "  ") {
      options.back().text += ' ' + std::string(trimmed(line.text));
    } else {
      problems.add(line.number, "This line is no option.",
                   "Begin it with \"- [ ] \" or \"- [x] \", or with two spaces if it goes on with the option above.");
    }
  }
  if (prediction.question.empty()) {
    problems.add(block.line, "This prediction asks nothing.", "Write the question above the options.");
  }
  if (options.size() < 2) {
    problems.add(block.line, "This prediction has fewer than two options.", "Add lines such as \"- [ ] 8 :: Why.\".");
  }
  const auto is_right = [](const OptionText& option) { return option.right; };
  const auto first = std::find_if(options.begin(), options.end(), is_right);
  if (first == options.end()) {
    problems.add(block.line, "No option of this prediction is right.", "Mark the right one by \"- [x] \".");
  } else if (const auto second = std::find_if(first + 1, options.end(), is_right); second != options.end()) {
    problems.add(second->line, "A second option of this prediction is right.", "Mark only one by \"- [x] \".");
  }
  for (const OptionText& option : options) prediction.options.push_back(divided(option, facts, problems));
  return prediction;
}

}  // namespace binade::lessons
