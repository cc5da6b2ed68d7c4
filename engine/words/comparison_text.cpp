// SPDX-License-Identifier: Apache-2.0
#include "engine/words/comparison_text.h"

#include "engine/wire/comparison_rank.h"

#include <algorithm>
#include <cstddef>

namespace binade::words {

namespace {

/// `a, b, c, d and 2 more`.
std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, names.size()); ++i) text += (i > 0 ? ", " : "") + names[i];
  if (names.size() > kNamed) text += " and " + std::to_string(names.size() - kNamed) + " more";
  return text;
}

}  // namespace

std::vector<std::string> reference_notes(const wire::Float32Comparison& comparison,
                                         const std::function<std::string(int)>& name_of) {
  using enum wire::ReferenceNote::Kind;
  std::vector<std::string> notes;
  const auto add = [&](wire::ReferenceNote::Kind kind, const char* before, const char* after) {
    std::vector<std::string> names;
    for (const wire::ReferenceNote& note : comparison.reference) {
      if (note.kind != kind) continue;
      names.push_back(note.site < 0 ? note.name : name_of(note.site));
      if (!note.format.empty()) names.back() += " in " + note.format;
    }
    if (!names.empty()) notes.push_back(before + list_of(names) + after);
  };
  add(kLiftedCast, "Casts in the model's code, omitted in the float32 run: ", ".");
  if (!wire::not_float32(comparison)) return notes;
  notes.push_back(
      "The float32 run is not float32 throughout. Both runs lose the same there, and the comparison does "
      "not show it:");
  add(kLowResult, "Op calls that write such a tensor, or request its dtype: ", ".");
  add(kParameter, "Parameters: ", ".");
  add(kBuffer, "Buffers: ", ".");
  add(kInput, "Inputs: ", ".");
  for (const wire::ReferenceNote& note : comparison.reference) {
    if (note.kind == kOpaque) notes.push_back("A call that is chosen at run time: the casts inside it stay.");
  }
  add(kCastsKept, "All casts in the model's code: without them it does not run (", ").");
  return notes;
}

}  // namespace binade::words
