// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "engine/wire/trial.h"
#include "views/values/noise_mark.h"
#include "views/values/roles.h"

#include <QList>
#include <QString>

#include <cstdint>
#include <vector>

namespace binade::app {

/// One quantity of a Try, under both policies.
struct TrialRow {
  enum class Answer {
    kNone,  ///< neither good nor bad: exact, emulated, estimated or within noise
    kBetter,
    kWorse,
  };

  QString name;        ///< `Step time`
  QString before;      ///< `128.4 ms`
  QString after;       ///< `128.9 ms`
  QString difference;  ///< `+0.5 ms`
  QString interval{};  ///< of what is judged: `95 %: −0.025 to 0.015 · equal up to 0.006`; mostly empty
  bool told = false;   ///< the sentence of the verdict has the interval already
  QString word;        ///< `within noise`, `better`, `12 more, exact`
  QString about{};     ///< what the name leaves out, for the tool tip; mostly empty
  Answer answer = Answer::kNone;
  bool measured = true;  ///< false: estimated or not known, so `mark` says nothing
  views::NoiseMark mark{};

  /// The whole row as a sentence, for screen readers.
  QString sentence() const;
};

/// `Revision 7 against 6: fc1 in float32`, or the name of a change that is not part of the run.
QString trialTitle(const RunModel& run, const wire::Trial& trial);
/// How it was measured: `50 steps each from step 4,200, same batches and seed. ...`.
QString trialSetup(const wire::Trial& trial);
/// Loss, overflows, skipped steps, time, casts, memory; then further losses, loss scale, estimates for GPUs. The gain
/// and the price of an edit are so seen without scrolling. Without what neither training has.
QList<TrialRow> trialRows(const wire::Trial& trial);
/// The mark of a verdict in lists.
views::VerdictShape trialShape(wire::TrialVerdict verdict);
/// The verdict as a sentence, without the name of the change: `Removes 3 overflows; the loss is inside the noise.`
QString trialVerdict(const wire::Trial& trial);
/// The figures that it rests on, or why there are none.
QString trialBasis(const wire::Trial& trial);
/// What the verdict leaves open, and what makes the comparison inexact: `The loss needs about 400 steps to tell more.`
/// Empty: nothing.
QString trialNote(const wire::Trial& trial);

/// The loss of one step, as a mean over seeds.
struct TrialPoint {
  std::int64_t step = 0;
  double difference = 0;  ///< after - before
  double noise = 0;       ///< the most that rounding alone has moved it up to this step
};
/// The steps that all trainings made, of the seeds that the verdict rests on.
std::vector<TrialPoint> trialCurve(const wire::Trial& trial);

}  // namespace binade::app
