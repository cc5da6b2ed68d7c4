// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/fields.h"
#include "engine/lessons/judge.h"
#include "engine/lessons/read_blocks.h"
#include "engine/lessons/split_text.h"

#include <string>
#include <utility>

namespace binade::lessons {

namespace {

std::string filled(const Field* field, const char* preset, const Facts& facts, Problems& problems) {
  return field ? facts.fill(field->value, field->line, problems) : preset;
}

void read_words(const Field& names, const Facts& facts, Exercise& exercise, Problems& problems) {
  std::vector<std::string> words;
  for (const std::string_view word : parts_of(names.value, '|')) {
    if (!word.empty()) words.push_back(facts.fill(word, names.line, problems));
  }
  if (words.empty()) problems.add(names.line, "\"names\" is empty.", "Write the accepted words, divided by |.");
  exercise.answer = std::move(words);
}

void read_answer(Fields& fields, const Facts& facts, Exercise& exercise, Problems& problems) {
  const Field* answer = fields.take("answer");
  const Field* names = fields.take("names");
  const Field* tolerance = fields.take("tolerance");
  if (answer && names) {
    problems.add(names->line, "This exercise has both \"answer\" and \"names\".",
                 "Keep \"answer\" for a number or \"names\" for words.");
  } else if (!answer && !names) {
    problems.add(fields.line(), "This exercise has no answer.",
                 "Add a line such as \"answer: 2048\", or \"names: conv1 | layer 1\" for words.");
  }
  if (names) read_words(*names, facts, exercise, problems);
  if (answer && !names) {
    Facts::Number number = facts.number(answer->value, answer->line, problems).value_or(Facts::Number{});
    exercise.answer = number.value;
    exercise.answer_text = std::move(number.text);
  }
  if (!tolerance) return;
  if (names) {
    problems.add(tolerance->line, "\"tolerance\" applies to numbers.", "Delete this line.");
  } else if (const auto number = facts.number(tolerance->value, tolerance->line, problems)) {
    if (!(number->value >= 0)) problems.add(tolerance->line, "\"tolerance\" is negative.", "Write a number from 0 on.");
    exercise.tolerance = number->value;
  }
}

void read_wrong(const Field& field, const Facts& facts, Exercise& exercise, Problems& problems) {
  const std::string_view key = field.key;
  const std::string_view text = trimmed(key.substr(std::string_view("wrong").size()));
  WrongAnswer wrong{.answer = 0.0, .feedback = facts.fill(field.value, field.line, problems)};
  if (std::holds_alternative<double>(exercise.answer)) {
    std::optional<Facts::Number> number = facts.number(text, field.line, problems);
    if (!number) return;
    wrong.answer = number->value;
    wrong.text = std::move(number->text);
  } else {
    wrong.answer = facts.fill(text, field.line, problems);
  }
  if (accepts(exercise, wrong.answer)) {
    problems.add(field.line, "The wrong answer \"" + std::string(text) + "\" counts as right.",
                 "Correct it, or lower the tolerance.");
  }
  exercise.wrong.push_back(std::move(wrong));
}

}  // namespace

std::optional<Exercise> read_exercise(const SourceBlock& block, const Facts& facts, Problems& problems) {
  Fields fields(block, problems);
  Exercise exercise;
  exercise.line = block.line;
  exercise.ask = filled(fields.need("ask", "ask: How many additions change the sum?"), "", facts, problems);
  read_answer(fields, facts, exercise, problems);
  exercise.hint = filled(fields.take("hint"), "", facts, problems);
  exercise.otherwise = filled(fields.take("otherwise"), "Not yet.", facts, problems);
  exercise.right = filled(fields.take("right"), "Right.", facts, problems);
  for (const Field* field : fields.take_all("wrong")) read_wrong(*field, facts, exercise, problems);
  fields.report_rest({"ask", "answer", "names", "tolerance", "hint", "wrong VALUE", "otherwise", "right"});
  return exercise;
}

}  // namespace binade::lessons
