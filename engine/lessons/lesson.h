// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/figure_kinds.h"
#include "engine/policy/policy.h"

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace binade::lessons {

/// A lesson as plain values. All texts are Markdown in which the facts of figures have been filled in. Lines count
/// from 1.

/// Markdown between two directives, without section heads.
struct Prose {
  std::string markdown;
};

/// A `figure` block. `compute(*kind, parameters)` makes its data.
struct Figure {
  std::string name;  ///< unique in the lesson; texts refer to its facts as `{name.fact}`
  const FigureKind* kind = nullptr;
  Parameters parameters;
  std::string caption;
  std::size_t line = 0;
};

struct Option {
  std::string text;
  std::string feedback;
  bool right = false;
};

/// A `predict` block: a question with two or more options, of which one is right.
struct Prediction {
  std::string question;
  std::vector<Option> options;
  std::size_t line = 0;
};

enum class RunKind {
  kTrain,     ///< one training
  kCompare,   ///< one training for each policy, from the same seed
  kDiagnose,  ///< one training up to its first step that is not finite, and the diagnosis of that step
};

/// What the window shows of a run.
enum class RunView { kLoss, kLossScale, kHeatMap, kGradient, kOpCalls, kCasts, kDiagnosis };

/// A `run` block: an experiment on a real engine.
struct Experiment {
  RunKind kind = RunKind::kTrain;
  std::string sample;  ///< name of a sample model, as `binade-engine sample` lists them; not checked by the reader
  int steps = 100;
  std::vector<policy::Base> policies;  ///< one; for kCompare two to four
  std::optional<double> scale;         ///< fixed loss scale; empty: a dynamic one
  RunView show = RunView::kLoss;
  int limit_s = 20;  ///< the run is stopped after this time, in seconds
  std::size_t line = 0;
};

/// Feedback for a typical wrong answer.
struct WrongAnswer {
  std::variant<double, std::string> answer;
  std::string feedback;
  std::string text = {};  ///< of a number, as the lesson shows it
};

/// A `check` block: a question whose answer, a number or a word, a person types. `judge` in judge.h compares the
/// answer.
struct Exercise {
  std::string ask;
  std::variant<double, std::vector<std::string>> answer;  ///< a number, or the accepted words
  std::string answer_text;                                ///< of a number, as the lesson shows it: it may be rounded
  double tolerance = 0;                                   ///< of a number, absolute
  std::string hint;                                       ///< may be empty
  std::vector<WrongAnswer> wrong;
  std::string otherwise;  ///< feedback for all other wrong answers
  std::string right;      ///< feedback for the right answer
  std::size_t line = 0;
};

using Block = std::variant<Prose, Figure, Prediction, Experiment, Exercise>;

/// A `## head` and what follows it. The blocks before the first head form a section without a title.
struct Section {
  std::string title;
  std::vector<Block> blocks;
  std::size_t line = 0;
};

struct Lesson {
  std::string title;
  std::string summary;  ///< the paragraph below the title
  std::vector<Section> sections;
};

}  // namespace binade::lessons
