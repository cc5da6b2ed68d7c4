// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/problems.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace binade::lessons {

struct SourceLine {
  std::size_t number = 0;  ///< from 1
  std::string_view text;
};

/// A part of a lesson file, before it is understood.
struct SourceBlock {
  enum class Kind {
    kTitle,      ///< `# head`; `lines` holds the head without its mark
    kSection,    ///< `## head`, likewise
    kText,       ///< Markdown
    kCode,       ///< a fenced block that is no directive, with its fences
    kDirective,  ///< the lines between the fences; `name` is the info string
  };
  Kind kind = Kind::kText;
  std::string_view name;
  std::size_t line = 0;
  std::vector<SourceLine> lines;
};

/// Divides a lesson's text; it must outlive the result. Reports fences without an end and info strings that are nearly
/// the name of a directive.
std::vector<SourceBlock> source_blocks(std::string_view text, Problems& problems);

}  // namespace binade::lessons
