// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/lessons/blocks_of.h"
#include "engine/lessons/compute_figure.h"
#include "engine/lessons/read_lesson.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/plain_readers.h"
#include "tests/support/mutations.h"
#include "tests/support/places.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace binade::fuzz {

namespace {

const std::string kLessonFile = "input.md";

/// Reads a lesson and computes its figures at both ends of their sliders, as a window does when they are dragged.
std::string read_lesson_file(const std::string& bytes) {
  auto read = lessons::read_lesson(bytes, kLessonFile);
  if (const auto* problems = std::get_if<std::vector<lessons::Problem>>(&read)) {
    if (problems->empty()) throw Fault("a lesson is refused without a problem");
    for (const lessons::Problem& each : *problems) {
      if (each.message.empty() || each.hint.empty()) throw Fault("a problem without a next step: " + each.text());
    }
    throw Error(ErrorCode::kBadFile, problems->front().text());
  }
  const auto lesson = std::get<lessons::Lesson>(std::move(read));
  std::string content = lesson.title + '\n' + lesson.summary;
  for (const lessons::Section& section : lesson.sections) content += '\n' + section.title;
  for (const lessons::Figure* figure : lessons::blocks_of<lessons::Figure>(lesson)) {
    for (const double slider : {-1e9, 1e9}) {
      const lessons::FigureData data = lessons::compute(*figure->kind, figure->parameters, slider);
      content += '\n' + figure->name;
      for (const lessons::Fact& fact : data.facts) content += ' ' + fact.text;
    }
  }
  return content;
}

std::vector<std::string> valid_lessons() {
  return read_folder(BINADE_SOURCE_DIR "/resources/lessons", ".md");
}

/// Bytes, or one number of the text, which figures and experiments take.
Mutation damaged_lesson(const std::string& bytes, std::uint32_t seed) {
  constexpr std::array kNumbers{"0", "-1", "1e308", "1e-320", "2^2000", "99999999999", "nan", "inf", "0x10", "4x0.5"};
  constexpr const char* kDigits = "0123456789";
  test::Mutator mutator(seed);
  const std::size_t begin = bytes.find_first_of(kDigits, mutator.below(bytes.size()));
  if (seed % 2 == 0 || begin == std::string::npos) return damaged_bytes(bytes, seed);
  std::string text = bytes;
  const std::size_t end = std::min(text.find_first_not_of(kDigits, begin), text.size());
  text.replace(begin, end - begin, kNumbers.at(mutator.below(kNumbers.size())));
  return {text};
}

}  // namespace

const Reader& lesson_reader() {
  static const Reader reader{"lesson", ".md", kLessonFile, valid_lessons, read_lesson_file, damaged_lesson};
  return reader;
}

int one_lesson(const std::uint8_t* data, std::size_t size) {
  return one(lesson_reader(), data, size);
}

}  // namespace binade::fuzz
