// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run_model.h"
#include "views/question_card.h"

#include <QString>

#include <array>
#include <cstdint>
#include <optional>

namespace binade::app {

/// The answer to one of the four questions of Diagnose, from what the run has told so far.
struct Answer {
  views::QuestionCard::Tone tone = views::QuestionCard::Tone::kUnknown;
  QString text;
  int event = -1;                    ///< jump there; -1: none
  std::optional<std::int64_t> step;  ///< or to this step
  int site = -1;                     ///< or to this op call
  int fault = -1;                    ///< or to this silent fault, a place in the report
  friend bool operator==(const Answer&, const Answer&) = default;
};

/// What has become of a loss scale that fell: the last back-off, and the edit since which there was none. Nothing where
/// none fell, or it is too early to say.
struct ScaleRecovery {
  std::int64_t last = 0;
  std::int64_t edit = 0;
};
std::optional<ScaleRecovery> scaleRecovery(const RunModel& run);

/// What stands where events would: nothing was found, in how many steps, and how closely they were looked at.
struct NothingFound {
  QString headline;
  QString sentence;
};
NothingFound nothingFound(const RunModel& run);

/// Non-finite? Scale collapsing? Loss spike? Silent? In this order. What was bad before an edit, and has not been since
/// for long enough to tell, is told as over: `It was, in 13 steps until step 1,059; …`.
std::array<Answer, 4> answersOf(const RunModel& run);

Answer nonFiniteAnswer(const RunModel& run);
/// Collapsing: below 1, or four doublings lost over the newest steps, the descent at the start of a run left aside.
Answer scaleAnswer(const RunModel& run);
/// A spike: one that the engine reports, or a loss more than six standard deviations, and a fifth, above the mean of
/// the 50 before it, or none at all.
Answer lossAnswer(const RunModel& run);
/// Silent: the worst fault that the engine reports, else events of that kind, the comparison with float32, and what
/// underflows in the newest observations.
Answer silentAnswer(const RunModel& run);

/// What to do where too few steps were looked at for silent faults, of which every `every`-th is.
QString moreLooksText(const wire::SilentReport& report, std::int64_t every);

}  // namespace binade::app
