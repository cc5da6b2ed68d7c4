// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace binade::app {

// Which parts of a run's history still apply under the current policy. Functions of the run alone, for the step that
// views show; see RunModel::shownStep().

/// The step since which a site's current decision has applied; 0: always. Earlier observations do not describe the
/// current decision.
std::int64_t decidedSince(const RunModel& run, int site);

/// Returns whether a site was edited, or its format changed with a list, and none of its tensors was observed since.
bool isUnseenSinceEdit(const RunModel& run, int site);

/// Returns whether the newest times of op calls were measured before a site's current decision, so that they do not
/// apply to it. False if none were measured.
bool isTimedBeforeEdit(const RunModel& run, int site);

/// The first step under the newest edit of the run's policy, scalers or scale; nullopt: none.
std::optional<std::int64_t> newestEdit(const RunModel& run);

/// The first step under the newest policy; nullopt while it is the initial one.
std::optional<std::int64_t> newestPolicyEdit(const RunModel& run);

/// Returns whether the newest policy, whichever step is shown, already implements these rules: it contains them, or the
/// op calls run so for another reason.
bool isInForce(const RunModel& run, const std::vector<policy::SiteRule>& rules);

/// The steps whose events name a site under its current decision.
struct SiteOverflows {
  int own = 0;       ///< a result or a gradient exceeded the format that stores it
  int cast = 0;      ///< the cast of an argument, or of its gradient, overflowed; the op itself computes in another
                     ///< format
  int earlier = 0;   ///< either, before the edit
  QString argument;  ///< of the newest such cast
  QString format;    ///< in which it overflowed

  int all() const { return own + cast; }
};
SiteOverflows overflowsAt(const RunModel& run, int site);

/// Recovery, since the newest edit, from a problem last seen at `last`.
struct Recovery {
  std::int64_t edit = 0;   ///< effective from this step on
  std::int64_t clean = 0;  ///< steps without the problem since then
};
/// nullopt if there was no edit after `last`, or too few steps have passed since. `gap`: the number of steps between
/// two earlier occurrences.
std::optional<Recovery> recoveredSince(const RunModel& run, std::int64_t last, std::int64_t gap);

}  // namespace binade::app
