// SPDX-License-Identifier: Apache-2.0
#include "app/model/site_history.h"

#include "engine/formats/format.h"

#include <algorithm>

namespace binade::app {

namespace {

constexpr std::int64_t kLeastClean = 20;   // least number of steps that an edit must hold
constexpr std::int64_t kMostClean = 1000;  // most that it must hold, however rare the fault was
constexpr std::int64_t kGaps = 2;          // multiple of the longest recent gap between faults that it must hold

// Returns whether an op call does what a rule asks for, whichever rule or list causes that.
bool does(const policy::Decision& decision, const policy::SiteRule& wanted) {
  return decision.format == wanted.format &&
         decision.backward == wanted.backward.value_or(formats::default_backward(wanted.format)) &&
         decision.overflow == wanted.overflow.value_or(formats::default_overflow(wanted.format)) &&
         decision.products == wanted.products;
}

// A rule for a whole op call is judged by the decision, because a later rule may overrule it. A rule for one execution,
// or for an op without a format, is in force if the policy contains it.
bool isInForce(const RunModel& run, const policy::SiteRule& wanted) {
  const auto& given = run.policies().back().policy.sites;
  const auto has = [&](const auto& as_wanted) { return std::any_of(given.begin(), given.end(), as_wanted); };
  const auto site = std::find_if(run.sites().begin(), run.sites().end(),
                                 [&](const wire::SiteInfo& each) { return each.key.name() == wanted.match; });
  const policy::Decision* decision = site == run.sites().end() ? nullptr : run.newestDecision(site->id);
  if (!wanted.call && decision != nullptr && decision->kind == policy::Decision::Kind::kFormat) {
    const bool single = has([&](const policy::SiteRule& rule) { return rule.match == wanted.match && rule.call; });
    return does(*decision, wanted) && !single;
  }
  return has([&](const policy::SiteRule& rule) {
    return rule.match == wanted.match && rule.call == wanted.call && rule.format == wanted.format &&
           rule.backward == wanted.backward && rule.overflow == wanted.overflow && rule.products == wanted.products;
  });
}

}  // namespace

std::int64_t decidedSince(const RunModel& run, int site) {
  return run.decidedSince(site);
}

bool isUnseenSinceEdit(const RunModel& run, int site) {
  const std::int64_t since = decidedSince(run, site);
  if (since == 0) return false;
  const std::vector<int>& tensors = run.tensorsOf(site);
  return std::none_of(tensors.begin(), tensors.end(), [&](int id) { return run.lastSeen(*run.tensor(id)) >= since; });
}

bool isTimedBeforeEdit(const RunModel& run, int site) {
  const wire::Profile& times = run.shownProfile();
  return hasSites(times) && times.last_step < decidedSince(run, site);
}

std::optional<std::int64_t> newestPolicyEdit(const RunModel& run) {
  if (run.policies().empty() || &run.shownPolicy() == &run.policies().front()) return std::nullopt;
  return run.shownPolicy().step;
}

std::optional<std::int64_t> newestEdit(const RunModel& run) {
  std::optional<std::int64_t> newest = newestPolicyEdit(run);
  for (const ScalerEdit& edit : run.scalerEdits()) {
    if (!run.isShown(edit.step)) break;
    newest = std::max(newest.value_or(edit.step), edit.step);
  }
  return newest;
}

bool isInForce(const RunModel& run, const std::vector<policy::SiteRule>& rules) {
  if (rules.empty() || run.policies().empty()) return false;
  return std::all_of(rules.begin(), rules.end(), [&](const policy::SiteRule& rule) { return isInForce(run, rule); });
}

SiteOverflows overflowsAt(const RunModel& run, int site) {
  SiteOverflows found;
  // Only the number of the forgotten events is known, not their steps. They count from the last of these steps on.
  const bool all_forgotten = run.isShown(run.forgottenEvents().steps.last);
  const ForgottenSteps forgotten = all_forgotten ? run.forgottenAt(site) : ForgottenSteps();
  CountedSteps own = forgotten.own;
  CountedSteps cast = forgotten.cast;
  CountedSteps earlier = forgotten.earlier;
  // Steps of the first events precede the forgotten ones, so that no step is counted twice.
  own.last = cast.last = earlier.last = -1;
  for (const int index : run.eventsOf(site)) {
    const wire::Event& event = run.events()[static_cast<std::size_t>(index)];
    if (!run.isShown(event)) continue;
    const EventOverflows here = run.overflowsIn(event, site);
    if (here.own) own.add(event.step);
    if (here.cast) cast.add(event.step);
    if (here.earlier) earlier.add(event.step);
    if (here.argument.isEmpty()) continue;
    found.argument = here.argument;
    found.format = here.format;
  }
  found.own = static_cast<int>(own.count);
  found.cast = static_cast<int>(cast.count);
  found.earlier = static_cast<int>(earlier.count);
  return found;
}

std::optional<Recovery> recoveredSince(const RunModel& run, std::int64_t last, std::int64_t gap) {
  const auto edit = newestEdit(run);
  if (!edit || *edit <= last || run.steps().empty()) return std::nullopt;
  const std::int64_t clean = run.shownPoint().step - *edit + 1;
  if (clean < std::clamp(kGaps * gap, kLeastClean, kMostClean)) return std::nullopt;
  return Recovery{*edit, clean};
}

}  // namespace binade::app
