// SPDX-License-Identifier: Apache-2.0
// What a run reports beside its steps and events: profiles, casts, a comparison, silent faults, notes and Tries.
#include "app/model/run_model.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace binade::app {

void RunModel::addProfile(const wire::Profile& profile) {
  if (isEmpty()) return;
  if (profile.steps == 0 && !profile.bins.empty() && !steps_.empty()) {
    // Between two profiled steps only the device's curve is reported: it covers the steps since the last report.
    wire::Profile placed = profile;
    const auto& curve = profile_.curve();
    placed.last_step = steps_.back().step;
    placed.first_step = curve.empty() ? placed.last_step : std::min(curve.back().step + 1, placed.last_step);
    profile_.add(placed);
  } else {
    profile_.add(profile);
  }
  for (const wire::SiteProfile& site : profile.sites) markExecuted(site.site);
  frameLater();
  Q_EMIT profileChanged();
}

void RunModel::addCasts(const wire::CastLedger& ledger) {
  if (isEmpty()) return;
  std::erase_if(casts_, [&](const wire::CastLedger& old) { return old.policy_revision == ledger.policy_revision; });
  casts_.push_back(ledger);
  for (const wire::CastLine& line : ledger.lines) markExecuted(line.site);
  frameLater();
  Q_EMIT castsChanged();
}

void RunModel::setComparison(const wire::Float32Comparison& comparison) {
  if (isEmpty()) return;
  comparison_ = comparison;
  for (const wire::SiteDifference& site : comparison.sites) markExecuted(site.site);
  frameLater();
  Q_EMIT comparisonChanged();
}

void RunModel::setSilent(const wire::SilentReport& report) {
  if (isEmpty()) return;
  silent_ = report;
  frameLater();
  Q_EMIT silentChanged();
}

void RunModel::addNote(const wire::Note& note) {
  if (isEmpty()) return;
  const auto at = std::ranges::lower_bound(notes_, note.step, {}, &wire::Note::step);
  const bool known = at != notes_.end() && at->step == note.step;
  if (note.text.empty()) {
    if (!known) return;
    notes_.erase(at);
  } else if (known) {
    *at = note;
  } else {
    notes_.insert(at, note);
  }
  Q_EMIT notesChanged();
}

void RunModel::addTrial(const wire::Trial& trial) {
  if (isEmpty()) return;
  const auto continues = [&](const wire::Trial& old) {
    return !old.complete && old.before == trial.before && old.after == trial.after &&
           old.first_step == trial.first_step && old.steps == trial.steps && old.checkpoint == trial.checkpoint;
  };
  if (!trials_.empty() && continues(trials_.back())) {
    trials_.back() = trial;
  } else {
    past_.add(TryMade{trials_.size()});
    trials_.push_back(trial);
  }
  frameLater();
  Q_EMIT trialsChanged();
}

}  // namespace binade::app
