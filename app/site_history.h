// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run_model.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace binade::app {

// What of a run's past still holds under the policy that is in force. Functions of the run alone.

/// The step from which on a site does what the newest policy has it do; 0 where it always did. What was seen of it
/// before is no figure of the present decision.
std::int64_t decidedSince(const RunModel& run, int site);

/// Whether a site was edited, or its format by a change of a list, and no tensor of it was looked at since.
bool isUnseenSinceEdit(const RunModel& run, int site);

/// Whether the newest times of op calls were measured before a site came to do what it does now: they are no times of
/// it then. False where none were measured.
bool isTimedBeforeEdit(const RunModel& run, int site);

/// The newest edit of the run's policy, scalers or scale: the step from which on it holds. Nothing where there is none.
std::optional<std::int64_t> newestEdit(const RunModel& run);

/// The step from which on the newest policy holds; nothing while it is the run's first.
std::optional<std::int64_t> newestPolicyEdit(const RunModel& run);

/// The step of the last observation of a tensor; -1 where there is none.
std::int64_t lastSeen(const TensorTrack& track);

/// Whether the newest policy does already what these rules ask for: it has them, or the op calls that they name run so
/// for another reason.
bool isInForce(const RunModel& run, const std::vector<policy::SiteRule>& rules);

/// The steps whose events name a site under its present decision.
struct SiteOverflows {
  int own = 0;       ///< a result or a gradient of it went beyond the format that holds it
  int cast = 0;      ///< the cast of an argument did, or of that argument's gradient: the op itself computes in another
  int earlier = 0;   ///< of either kind, before the edit
  QString argument;  ///< of the newest such cast
  QString format;    ///< that it overflowed in

  int all() const { return own + cast; }
};
SiteOverflows overflowsAt(const RunModel& run, int site);

/// What something bad that was last seen at `last` has come to since the newest edit.
struct Recovery {
  std::int64_t edit = 0;   ///< from this step on
  std::int64_t clean = 0;  ///< steps since it without the bad
};
/// Nothing where no edit was made behind `last`, or too few steps have passed since to tell: `gap` is how many steps
/// lay between two bad ones before.
std::optional<Recovery> recoveredSince(const RunModel& run, std::int64_t last, std::int64_t gap);

}  // namespace binade::app
