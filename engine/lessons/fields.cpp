// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/fields.h"

#include "engine/lessons/split_text.h"
#include "engine/policy/near_name.h"

#include <algorithm>

namespace binade::lessons {

namespace {

/// Position of the colon behind a key: the first one before a space or the end, so that a key may name `aten::exp`.
std::size_t colon_of(std::string_view line) {
  for (std::size_t at = line.find(':'); at != std::string_view::npos; at = line.find(':', at + 1)) {
    if (at + 1 == line.size() || line[at + 1] == ' ') return at;
  }
  return std::string_view::npos;
}

}  // namespace

Fields::Fields(const SourceBlock& block, Problems& problems)
    : directive_(block.name), line_(block.line), problems_(problems) {
  for (const SourceLine& line : block.lines) {
    if (trimmed(line.text).empty()) continue;
    if (line.text.substr(0, 2) == "  " && !fields_.empty()) {
      std::string& value = fields_.back().value;
      value += (value.empty() ? "" : " ") + std::string(trimmed(line.text));
      continue;
    }
    const std::size_t colon = colon_of(line.text);
    if (colon == std::string_view::npos) {
      problems.add(line.number, "This line is no \"key: value\".",
                   "Begin the line with two spaces if it goes on with the value above.");
      continue;
    }
    fields_.push_back({std::string(trimmed(line.text.substr(0, colon))),
                       std::string(trimmed(line.text.substr(colon + 1))), line.number});
  }
  taken_.resize(fields_.size());
}

const Field* Fields::take(std::string_view key) {
  const Field* found = nullptr;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].key != key) continue;
    taken_[i] = true;
    if (found) {
      problems_.add(fields_[i].line, "\"" + fields_[i].key + "\" stands twice in this block.", "Delete one of them.");
    } else {
      found = &fields_[i];
    }
  }
  return found;
}

const Field* Fields::need(std::string_view key, const std::string& hint) {
  const Field* found = take(key);
  if (found && !found->value.empty()) return found;
  problems_.add(found ? found->line : line_, "This block has no \"" + std::string(key) + "\".",
                "Add a line such as \"" + hint + "\".");
  return nullptr;
}

std::vector<const Field*> Fields::take_all(std::string_view prefix) {
  std::vector<const Field*> found;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const std::string_view key = fields_[i].key;
    if (key.substr(0, prefix.size()) != prefix || key.size() <= prefix.size() || key[prefix.size()] != ' ') continue;
    taken_[i] = true;
    found.push_back(&fields_[i]);
  }
  return found;
}

void Fields::report_rest(const std::vector<std::string>& known) {
  std::string all;
  for (const std::string& key : known) all += (all.empty() ? "" : ", ") + key;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (taken_[i]) continue;
    problems_.add(fields_[i].line, "A " + directive_ + " block has no key \"" + fields_[i].key + "\".",
                  policy::did_you_mean(fields_[i].key, known) + "Its keys are " + all + '.');
  }
}

}  // namespace binade::lessons
