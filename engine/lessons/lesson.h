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
  kCompare,   ///< several trainings from the same seed; trainings_of() in trainings.h lists them
  kDiagnose,  ///< one training up to its first step that is not finite, and the diagnosis of that step
};

/// What the window shows of a run.
enum class RunView { kLoss, kLossScale, kHeatMap, kGradient, kScaledTail, kOpCalls, kCasts, kDiagnosis };

/// The policy that trains by the whole recipe for float16 weights: float32 master weights and a loss scale.
inline constexpr policy::Base kRecipe = policy::Base::kApexO2;

/// A part of that recipe that a comparison can switch off.
enum class RecipePart {
  kLossScale,
  kMasterWeights,  ///< and with them the loss scale, because float16 gradients cannot be unscaled
};

/// A `run` block: an experiment on a real engine.
struct Experiment {
  RunKind kind = RunKind::kTrain;
  std::string sample;  ///< name of a sample model, as `binade-engine sample` lists them; not checked by the reader
  int steps = 100;
  std::vector<policy::Base> policies;     ///< one; for kCompare two to four, or kRecipe alone with `without`
  std::vector<RecipePart> without{};      ///< kCompare: one more training for each part, in which it is switched off
  std::optional<double> scale;            ///< fixed loss scale; empty: a dynamic one
  std::optional<double> learning_rate{};  ///< empty: that of the sample
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
