// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/read_lesson.h"

#include "engine/formats/printable.h"
#include "engine/lessons/compute_figure.h"
#include "engine/lessons/facts.h"
#include "engine/lessons/read_blocks.h"
#include "engine/lessons/source_blocks.h"
#include "engine/lessons/split_text.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace binade::lessons {

namespace {

using SourceKind = SourceBlock::Kind;

/// The steps of a lesson, in their order.
enum class LessonStep : std::size_t { kPredict, kRun, kReveal, kCheck };
constexpr std::array kStepNames{"predict", "run", "reveal", "check"};

std::optional<LessonStep> step_of(const SourceBlock& block) {
  if (block.kind == SourceKind::kSection) {
    return block.lines.front().text == "Reveal" ? std::optional(LessonStep::kReveal) : std::nullopt;
  }
  if (block.kind != SourceKind::kDirective) return std::nullopt;
  if (block.name == "predict") return LessonStep::kPredict;
  if (block.name == "run") return LessonStep::kRun;
  if (block.name == "check") return LessonStep::kCheck;
  return std::nullopt;
}

/// Checks where the first block of each step stands; of the checks, the last one counts, because a lesson may also ask
/// before it reveals.
void check_order(const std::vector<SourceBlock>& blocks, Problems& problems) {
  std::array<std::size_t, kStepNames.size()> lines{};  // 0: the lesson has no such step
  for (const SourceBlock& block : blocks) {
    const std::optional<LessonStep> step = step_of(block);
    if (!step) continue;
    std::size_t& line = lines[static_cast<std::size_t>(*step)];
    if (line == 0 || *step == LessonStep::kCheck) line = block.line;
  }
  std::size_t before = 0;
  for (std::size_t step = 1; step < lines.size(); ++step) {
    if (lines[before] == 0) before = step - 1;
    if (lines[step] == 0) continue;
    if (lines[step] < lines[before]) {
      problems.add(lines[step],
                   std::string("The ") + kStepNames[step] + " stands before the " + kStepNames[before] + '.',
                   "The order of a lesson is predict, run, \"## Reveal\", check.");
    }
    before = step;
  }
  for (const LessonStep needed : {LessonStep::kPredict, LessonStep::kCheck}) {
    const auto index = static_cast<std::size_t>(needed);
    if (lines[index] != 0) continue;
    problems.add(1, std::string("This lesson has no ") + kStepNames[index] + " block.",
                 std::string("Add one, from ```") + kStepNames[index] + " to ```.");
  }
}

/// Reads the figures before anything else, because a text may use the facts of a figure below it.
std::map<std::size_t, Figure> read_figures(const std::vector<SourceBlock>& blocks, Facts& facts, Problems& problems) {
  std::map<std::size_t, Figure> figures;
  std::map<std::string, std::size_t> lines;
  for (const SourceBlock& block : blocks) {
    if (block.kind != SourceKind::kDirective || block.name != "figure") continue;
    std::optional<Figure> figure = read_figure(block, problems);
    if (!figure) {
      facts.add_unread(figure_name(block));
      continue;
    }
    const auto [first, is_new] = lines.emplace(figure->name, block.line);
    if (!is_new) {
      problems.add(block.line,
                   "The figure \"" + figure->name + "\" stands in line " + std::to_string(first->second) + " already.",
                   "Give this one another name.");
      continue;
    }
    facts.add(figure->name, figure->kind->name, compute(*figure->kind, figure->parameters));
    figures.emplace(block.line, std::move(*figure));
  }
  return figures;
}

/// Markdown of a block with its facts; code stays as it is. Blank lines at the end are dropped.
std::string markdown_of(const SourceBlock& block, const Facts& facts, Problems& problems) {
  std::string text;
  for (const SourceLine& line : block.lines) {
    const bool code = block.kind == SourceKind::kCode;
    text += (code ? std::string(line.text) : facts.fill(line.text, line.number, problems)) + '\n';
  }
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

/// Takes the title and the paragraph below it off the front of the blocks.
void read_head(std::vector<SourceBlock>& blocks, Lesson& lesson, const Facts& facts, Problems& problems) {
  if (blocks.empty() || blocks.front().kind != SourceKind::kTitle) {
    problems.add(1, "A lesson begins with its title.", "Make \"# Title\" the first line.");
    return;
  }
  const std::size_t line = blocks.front().line;
  lesson.title = facts.fill(blocks.front().lines.front().text, line, problems);
  blocks.erase(blocks.begin());
  if (blocks.empty() || blocks.front().kind != SourceKind::kText) {
    problems.add(line, "There is no summary below the title.", "Write one paragraph that says what the lesson shows.");
    return;
  }
  std::vector<SourceLine>& lines = blocks.front().lines;
  while (!lines.empty() && !trimmed(lines.front().text).empty()) {
    lesson.summary +=
        (lesson.summary.empty() ? "" : " ") + facts.fill(trimmed(lines.front().text), lines.front().number, problems);
    lines.erase(lines.begin());
  }
  while (!lines.empty() && trimmed(lines.front().text).empty()) lines.erase(lines.begin());
  if (lines.empty()) blocks.erase(blocks.begin());
}

void add_text(Section& section, std::string markdown) {
  if (!section.blocks.empty()) {
    if (auto* prose = std::get_if<Prose>(&section.blocks.back())) {
      prose->markdown += "\n\n" + markdown;
      return;
    }
  }
  section.blocks.emplace_back(Prose{std::move(markdown)});
}

template <class Read>
void add_block(Section& section, std::optional<Read> block) {
  if (block) section.blocks.emplace_back(std::move(*block));
}

void read_body(const std::vector<SourceBlock>& blocks, std::map<std::size_t, Figure>& figures, const Facts& facts,
               Lesson& lesson, Problems& problems) {
  lesson.sections.emplace_back();
  for (const SourceBlock& block : blocks) {
    if (block.kind == SourceKind::kSection) {
      lesson.sections.emplace_back();
      lesson.sections.back().title = facts.fill(block.lines.front().text, block.line, problems);
      lesson.sections.back().line = block.line;
      continue;
    }
    Section& section = lesson.sections.back();
    if (block.kind == SourceKind::kTitle) {
      problems.add(block.line, "This is a second title.", "Write \"## \" before the head of a section.");
    } else if (block.kind != SourceKind::kDirective) {
      add_text(section, markdown_of(block, facts, problems));
    } else if (block.name == "predict") {
      add_block(section, read_prediction(block, facts, problems));
    } else if (block.name == "run") {
      add_block(section, read_experiment(block, problems));
    } else if (block.name == "check") {
      add_block(section, read_exercise(block, facts, problems));
    } else if (const auto figure = figures.find(block.line); figure != figures.end()) {
      figure->second.caption = facts.fill(figure->second.caption, block.line, problems);
      section.blocks.emplace_back(std::move(figure->second));
    }
  }
  if (lesson.sections.front().blocks.empty()) lesson.sections.erase(lesson.sections.begin());
}

bool has_image(std::string_view line) {
  const std::size_t image = line.find("![");
  if (image == std::string_view::npos) return false;
  if (std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(image), '`') % 2 == 1) return false;  // code
  return line.find("](", image) != std::string_view::npos || line.find("][", image) != std::string_view::npos;
}

/// A lesson is one file and loads nothing, so it can have no images.
void check_images(const std::vector<SourceBlock>& blocks, Problems& problems) {
  for (const SourceBlock& block : blocks) {
    if (block.kind == SourceKind::kCode) continue;
    for (const SourceLine& line : block.lines) {
      if (!has_image(line.text)) continue;
      problems.add(line.number, "This line has an image, and lessons have none.",
                   "Say it in words, link to the image, or draw a figure with a figure block.");
    }
  }
}

/// Reports the first line that is not UTF-8; the lines of such a file would be misread.
bool check_encoding(std::string_view text, Problems& problems) {
  const std::vector<std::string_view> lines = lines_of(text);
  const auto bad = std::find_if_not(lines.begin(), lines.end(), formats::is_utf8);
  if (bad == lines.end()) return true;
  problems.add(static_cast<std::size_t>(bad - lines.begin()) + 1, "This line is not UTF-8.", "Save the file as UTF-8.");
  return false;
}

}  // namespace

std::variant<Lesson, std::vector<Problem>> read_lesson(std::string_view text, const std::string& file) {
  Problems problems(file);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // the byte order mark of some editors
  if (!check_encoding(text, problems)) return std::move(problems).sorted();
  std::vector<SourceBlock> blocks = source_blocks(text, problems);
  Facts facts;
  std::map<std::size_t, Figure> figures = read_figures(blocks, facts, problems);
  Lesson lesson;
  check_order(blocks, problems);
  check_images(blocks, problems);
  read_head(blocks, lesson, facts, problems);
  read_body(blocks, figures, facts, lesson, problems);
  if (!problems.empty()) return std::move(problems).sorted();
  return lesson;
}

}  // namespace binade::lessons
