// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "views/values/answer_tone.h"

#include <QString>

#include <array>
#include <cstdint>
#include <optional>

namespace binade::app {

/// The answer to one of the four questions of Diagnose, from the run's data so far.
struct Answer {
  views::AnswerTone tone = views::AnswerTone::kUnknown;
  QString text;
  QString brief{};                   ///< the same in a few words; empty: `text` is short
  int event = -1;                    ///< jump target: an event; -1: none
  std::optional<std::int64_t> step;  ///< or a step
  int site = -1;                     ///< or an op call
  int fault = -1;                    ///< or a silent fault, an index in the report
  friend bool operator==(const Answer&, const Answer&) = default;
};

/// Recovery of a loss scale that had fallen: the last back-off, and the edit since which there was none. nullopt if it
/// never fell, or too few steps have passed since.
struct ScaleRecovery {
  std::int64_t last = 0;
  std::int64_t edit = 0;
};
std::optional<ScaleRecovery> scaleRecovery(const RunModel& run);

/// Text of an empty list of events: nothing was found, in how many steps, and how closely they were observed.
struct NothingFound {
  QString headline;
  QString sentence;
};
NothingFound nothingFound(const RunModel& run);

/// Answers in this order: Non-finite? Scale collapsing? Loss spike? Silent? A problem that ended with an edit long
/// enough ago is reported as over: `It was, in 13 steps until step 1,059; …`.
std::array<Answer, 4> answersOf(const RunModel& run);

Answer nonFiniteAnswer(const RunModel& run);
/// Collapsing: below 1, or four doublings lost over the newest steps, without the descent at the start of a run.
Answer scaleAnswer(const RunModel& run);
/// A spike: one that the engine reports, a loss more than six standard deviations and a fifth above the mean of the 50
/// before it, or a non-finite loss.
Answer lossAnswer(const RunModel& run);
/// Silent: the worst fault that the engine reports, else events of that kind, the comparison with float32, and
/// underflow in the newest observations.
Answer silentAnswer(const RunModel& run);

/// What to do if too few steps were observed for silent faults; currently one in `every` is.
QString moreObservationText(const wire::SilentReport& report, std::int64_t every);

}  // namespace binade::app
