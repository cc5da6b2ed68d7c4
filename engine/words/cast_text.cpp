// SPDX-License-Identifier: Apache-2.0
#include "engine/words/cast_text.h"

namespace binade::words {

std::string cast_cause(const wire::CastLine& line, const std::string& op) {
  using enum wire::CastLine::Cause;
  std::string text = line.argument.empty() ? "casts inside the op: " : "";
  text += line.widest ? "takes the widest of its arguments: " : "runs in " + formats::name(line.to) + ": ";
  switch (line.cause) {
    case kSiteRule:
      text += "site rule " + line.rule;
      break;
    case kOpChange:
      text += "the policy's change of " + op;
      break;
    case kOwnBlock:
      text += "an autocast block of the model's own";
      break;
    case kBaseList:
      text += line.rule + " lists " + op;
      break;
  }
  return text + (line.single_calls ? "; single calls have separate rules" : "");
}

std::string cast_edit(const wire::CastLine& line) {
  if (line.edit_match.empty() || !line.edit_format) return {};
  return line.edit_match + " in " + formats::name(*line.edit_format);
}

}  // namespace binade::words
