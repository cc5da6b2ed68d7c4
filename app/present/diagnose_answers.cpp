// SPDX-License-Identifier: Apache-2.0
#include "app/present/diagnose_answers.h"

#include "app/model/site_history.h"
#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/model/vanished_overflow.h"
#include "app/present/comparison_rows.h"
#include "app/present/event_words.h"
#include "app/present/silent_brief.h"
#include "app/present/site_figures.h"
#include "app/present/site_text.h"
#include "engine/wire/comparison_rank.h"
#include "engine/words/silent_text.h"
#include "views/values/numbers.h"
#include "views/values/typography.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace binade::app {

namespace {

using Tone = views::AnswerTone;

constexpr std::size_t kWindow = 200;      // last steps in which a falling scale is searched
constexpr double kCollapse = 4;           // doublings lost in that window that count as a collapse
constexpr std::int64_t kLongOver = 1000;  // steps without recurrence after which a fault counts as over
constexpr double kNotableLoss = 0.01;     // share of a gradient's norm
constexpr double kNotableError = 0.05;    // relative error added by one op call

// Returns whether a fault has not recurred for kLongOver steps.
bool isLongOver(const RunModel& run, std::int64_t step) {
  return run.shownPoint().step - step >= kLongOver;
}

QString callOf(const RunModel& run, int site) {
  const auto at = static_cast<std::size_t>(site);
  return site >= 0 && at < run.sites().size() ? callText(run.sites()[at].key) : QString();
}

bool isSpike(const wire::SilentFault& fault) {
  return fault.kind == wire::SilentFault::Kind::kLossSpike;
}

// Returns whether an event reports a silent fault other than a loss spike, which has a question of its own.
bool losesPrecision(const wire::Event& event) {
  if (event.kind != wire::Event::Kind::kSilent) return false;
  const auto* found = std::get_if<wire::SilentFaultFound>(&event.facts);
  return found == nullptr || !isSpike(found->fault);
}

// Returns the worst fault of the chosen kind (spikes, or all others), with the number of such faults.
std::optional<Answer> faultAnswer(const RunModel& run, bool spikes) {
  if (!run.shownSilent()) return std::nullopt;
  const auto& faults = run.shownSilent()->faults;
  const auto wanted = [spikes](const wire::SilentFault& fault) { return isSpike(fault) == spikes; };
  const auto worst = std::find_if(faults.begin(), faults.end(), wanted);
  if (worst == faults.end()) return std::nullopt;
  const auto count = std::count_if(faults.begin(), faults.end(), wanted);
  Answer answer;
  answer.tone = Tone::kBad;
  answer.fault = static_cast<int>(worst - faults.begin());
  const QString sentence = views::typeset(words::silent_sentence(*worst, run.sites()));
  answer.text =
      count == 1 ? tr("Yes: %1").arg(sentence) : tr("Yes, %1 faults. %2").arg(views::grouped(count), sentence);
  const QString brief = silentBrief(*worst, run.sites());
  answer.brief = count == 1 ? tr("Yes: %1").arg(brief) : tr("Yes, %1 faults: %2").arg(views::grouped(count), brief);
  return answer;
}

// `was … until step N` for a fault that has not recurred since an edit. Empty while that is undecided.
QString recoveredText(const RunModel& run, const QString& what, const BadSteps& bad) {
  const auto recovery = recoveredSince(run, bad.last(), bad.gap());
  if (!recovery) return {};
  return tr("%1 until step %2; good since the edit at step %3")
      .arg(what, views::grouped(bad.last()), views::grouped(recovery->edit));
}

// Returns an op call whose newest observation since the newest edit has no finite value, or -1. If there is no event
// for it, its output does not reach the loss.
int siteWithoutFiniteValue(const RunModel& run) {
  for (const wire::SiteInfo& site : run.sites()) {
    const std::vector<int>& tensors = run.tensorsOf(site.id);
    const auto holds_none = [&](int id) {
      const TensorTrack& track = *run.tensor(id);
      return run.lastSeen(track) >= newestPolicyEdit(run).value_or(0) && holdsNothingFinite(run, track);
    };
    if (std::any_of(tensors.begin(), tensors.end(), holds_none)) return site.id;
  }
  return -1;
}

}  // namespace

std::optional<ScaleRecovery> scaleRecovery(const RunModel& run) {
  const BadSteps& falls = run.trends().scaleFalls();
  if (falls.count() == 0) return std::nullopt;
  const auto recovered = recoveredSince(run, falls.last(), falls.gap());
  if (!recovered) return std::nullopt;
  return ScaleRecovery{falls.last(), recovered->edit};
}

NothingFound nothingFound(const RunModel& run) {
  const auto steps = static_cast<std::int64_t>(run.shownSteps());
  if (steps == 0) return {tr("No events yet."), tr("A skipped step, a NaN or an inf would appear here.")};
  const QString last = tr("Loss still wrong? Compare one step with float32.");
  if (run.config().observe.level == "off") {
    return {tr("No non-finite gradient in %1 steps.").arg(views::grouped(steps)),
            tr("Op calls are not observed: observation is off.") + u' ' + last};
  }
  if (const int site = siteWithoutFiniteValue(run); site >= 0) {
    return {tr("Loss and gradients were finite in %1 steps.").arg(views::grouped(steps)),
            tr("But %1 has no finite value: see Op calls.").arg(callOf(run, site)) + u' ' + last};
  }
  const QString headline = tr("No non-finite value in %1 steps, all checked.").arg(views::grouped(steps));
  const wire::ObserveConfig& observe = run.config().observe;
  if (observe.every == 1 || observe.between != "off") return {headline, last};
  return {headline, tr("Loss and gradients in every step, op calls in one of %1.").arg(views::grouped(observe.every)) +
                        u' ' + last};
}

Answer nonFiniteAnswer(const RunModel& run) {
  Answer answer;
  if (run.steps().empty()) {
    answer.text = tr("No steps yet");
    return answer;
  }
  // Counts a step with several events once. Prefers the newest event with a diagnosis.
  BadSteps bad;
  for (std::size_t i = 0; i < run.events().size(); ++i) {
    const wire::Event& event = run.events()[i];
    if (!isNonFinite(event.kind) || !run.isShown(event)) continue;
    bad.add(event.step);
    if (event.diagnosis || answer.event < 0 || !run.events()[static_cast<std::size_t>(answer.event)].diagnosis)
      answer.event = static_cast<int>(i);
  }
  const CountedSteps& forgotten = run.forgottenEvents().non_finite;
  const bool counts_them = bad.count() > 0 && run.isShown(forgotten.last);
  const std::int64_t count = bad.count() + (counts_them ? forgotten.count : 0);
  if (const wire::SilentFault* lasting = worstVanishedOverflow(run)) {
    answer.tone = Tone::kBad;
    if (answer.event < 0) answer.fault = static_cast<int>(lasting - run.shownSilent()->faults.data());
    answer.text =
        tr("Yes: %1 overflows in %2 of %3 observed steps; loss and gradients stay finite")
            .arg(callOf(run, lasting->site), views::grouped(lasting->seen), views::grouped(lasting->observed_steps));
    answer.brief =
        tr("Yes: %1, in %2 of %3 steps")
            .arg(callOf(run, lasting->site), views::grouped(lasting->seen), views::grouped(lasting->observed_steps));
    return answer;
  }
  if (const int site = count == 0 ? siteWithoutFiniteValue(run) : -1; site >= 0) {
    answer.tone = Tone::kBad;
    answer.site = site;
    answer.text = tr("Yes: %1 has no finite value; loss and gradients have").arg(callOf(run, site));
    answer.brief = tr("Yes: nothing finite in %1").arg(callOf(run, site));
    return answer;
  }
  if (count == 0) {
    answer.tone = Tone::kGood;
    const QString steps = views::grouped(static_cast<std::int64_t>(run.shownSteps()));
    answer.text = run.config().observe.level != "off" ? tr("No: %1 steps, all checked").arg(steps)
                                                      : tr("No: %1 steps, gradients and loss checked").arg(steps);
    return answer;
  }
  const std::int64_t last = bad.last();
  const QString step = views::grouped(last);
  if (isLongOver(run, last)) {
    answer.tone = Tone::kGood;
    answer.text = count == 1 ? tr("Not since step %1").arg(step)
                             : tr("Not since step %1; in %2 steps before").arg(step, views::grouped(count - 1));
    return answer;
  }
  const QString was = count == 1 ? tr("It was") : tr("It was, in %1 steps").arg(views::grouped(count));
  if (const QString recovered = recoveredText(run, was, bad); !recovered.isEmpty()) {
    answer.tone = Tone::kGood;
    answer.text = recovered;
    return answer;
  }
  answer.tone = Tone::kBad;
  const wire::Event& cause = run.events()[static_cast<std::size_t>(answer.event)];
  answer.text = count == 1 ? tr("Yes: %1 at step %2").arg(eventKindText(cause), step)
                           : tr("Yes: in %1 steps, last at step %2").arg(views::grouped(count), step);
  return answer;
}

Answer scaleAnswer(const RunModel& run) {
  Answer answer;
  const auto& steps = run.steps();
  if (steps.empty() || !run.config().scaler.enabled) {
    answer.text = steps.empty() ? tr("No steps yet") : tr("The run has no loss scaler");
    return answer;
  }
  const std::size_t count = run.shownSteps();
  const std::size_t begin = std::max(run.shownTrends().firstTaken(), count > kWindow ? count - kWindow : 0);
  const double now = run.shownPoint().next_scale;
  const double before = begin < count ? steps[begin].scale : now;
  int back_offs = 0;
  for (std::size_t i = begin; i < count; ++i) {
    if (steps[i].next_scale >= steps[i].scale) continue;
    ++back_offs;
    answer.step = steps[i].step;
  }
  const double lost = std::log2(before) - std::log2(now);
  const QString scale = views::scaleText(now);
  // A fall ended by an edit is reported as over, although the scale takes long to grow back.
  const BadSteps& falls = run.shownTrends().scaleFalls();
  const auto recovered = falls.count() > 0 ? recoveredSince(run, falls.last(), falls.gap()) : std::nullopt;
  if ((now < 1 || lost >= kCollapse) && recovered) {
    answer.tone = Tone::kGood;
    answer.step = falls.last();
    answer.text = tr("It was, until step %1; no back-off since the edit at step %2, now %3")
                      .arg(views::grouped(falls.last()), views::grouped(recovered->edit), scale);
    return answer;
  }
  if (now < 1 || lost >= kCollapse) {
    answer.tone = Tone::kBad;
    answer.text = now < 1 ? tr("Yes: fallen to %1, below 1").arg(scale)
                          : tr("Yes: %1 doublings lost in %2 steps, now %3")
                                .arg(views::grouped(std::lround(lost)), views::grouped(count - begin), scale);
    return answer;
  }
  answer.tone = Tone::kGood;
  const auto seen = static_cast<std::int64_t>(count - begin);
  answer.text =
      back_offs == 0 ? tr("No: %1, no back-off in %2 steps").arg(scale, views::grouped(seen))
      : back_offs == 1
          ? tr("No: %1, one back-off in %2 steps").arg(scale, views::grouped(seen))
          : tr("No: %1, %2 back-offs in %3 steps").arg(scale, views::grouped(back_offs), views::grouped(seen));
  return answer;
}

Answer lossAnswer(const RunModel& run) {
  if (const auto reported = faultAnswer(run, true)) return *reported;
  Answer answer;
  const auto& steps = run.steps();
  if (const auto& bad = run.shownTrends().badLoss()) {
    const QString step = views::grouped(bad->step);
    answer.step = bad->step;
    answer.tone = Tone::kBad;
    answer.text = std::isfinite(bad->loss) ? tr("Yes: %1 at step %2, %3 σ above the mean")
                                                 .arg(views::figure(bad->loss), step)
                                                 .arg(std::lround(bad->spreads))
                                           : tr("Yes: not finite at step %1").arg(step);
  }
  if (answer.tone == Tone::kBad) {
    if (const auto recovered = recoveredSince(run, *answer.step, 0)) {
      answer.tone = Tone::kGood;
      answer.text = tr("It was, until step %1; good since the edit at step %2")
                        .arg(views::grouped(*answer.step), views::grouped(recovered->edit));
    }
  }
  if (answer.tone == Tone::kBad && isLongOver(run, *answer.step)) {
    answer.tone = Tone::kGood;
    answer.text = tr("Not since step %1").arg(views::grouped(*answer.step));
  }
  if (answer.step) return answer;
  if (run.shownSteps() <= StepTrends::kUsual) {
    answer.text = steps.empty() ? tr("No steps yet") : tr("Too few steps: %1 of 50").arg(run.shownSteps());
    return answer;
  }
  answer.tone = Tone::kGood;
  answer.text = tr("No: %1, within its usual range").arg(views::figure(run.shownPoint().loss));
  return answer;
}

Answer silentAnswer(const RunModel& run) {
  if (const auto reported = faultAnswer(run, false)) return *reported;
  Answer answer;
  // Once there is a report, faults that it no longer lists are fixed.
  const std::optional<std::int64_t> edit = newestPolicyEdit(run);
  // Newest fault reported under an earlier policy; the engine starts a new list with each policy.
  std::int64_t before_edit = -1;
  for (const wire::Event& event : run.events()) {
    if (!run.isShown(event)) continue;
    if (edit && losesPrecision(event) && event.step < *edit) before_edit = event.step;
  }
  for (std::size_t i = 0; i < run.events().size() && !run.shownSilent(); ++i) {
    if (!losesPrecision(run.events()[i]) || !run.isShown(run.events()[i])) continue;
    if (edit && run.events()[i].step < *edit) continue;
    answer.event = static_cast<int>(i);
    answer.tone = Tone::kBad;
    answer.text = eventText(run, run.events()[i]);
  }
  if (answer.tone == Tone::kBad) return answer;
  // A comparison of a later step than the shown one is no answer for that.
  const wire::Float32Comparison* compared = run.comparison() ? &*run.comparison() : nullptr;
  if (compared != nullptr && !run.isShown(compared->step)) compared = nullptr;
  const bool compared_before = compared != nullptr && edit && compared->step < *edit;
  if (compared != nullptr && !compared_before) {
    const wire::SiteDifference* worst = worstAdded(*compared);
    if (worst != nullptr && weightOf(*worst) >= kNotableError) {
      answer.tone = Tone::kBad;
      answer.site = worst->site;
      const bool grows = weightOf(*worst) > addedBy(*worst);
      answer.text = (grows ? tr("Yes: the error of %1 grows to %2") : tr("Yes: %1 adds an error of %2"))
                        .arg(callOf(run, worst->site), errorText(weightOf(*worst)));
      return answer;
    }
  }
  if (!run.steps().empty() && !std::isfinite(run.shownPoint().loss)) {
    answer.text = tr("Unknown: the loss is not finite");
    return answer;
  }
  double most = 0;
  const TensorTrack* loses = nullptr;
  for (const wire::SiteInfo& site : run.sites()) {
    if (run.tensorsOf(site.id).empty()) continue;
    const SiteFigures figures = figuresOf(run, site.id);
    if (std::isnan(figures.lost) || figures.lost <= most) continue;
    most = figures.lost;
    answer.site = site.id;
    loses = run.tensor(figures.lost_tensor);
  }
  if (most >= kNotableLoss) {
    answer.tone = Tone::kBad;
    const bool gradient = loses == nullptr || wire::is_gradient(loses->tensor);
    answer.text = (gradient ? tr("Yes: %1 loses %2 of a gradient's norm") : tr("Yes: %1 loses %2 of a tensor's norm"))
                      .arg(callOf(run, answer.site), views::share(most));
    return answer;
  }
  answer.site = -1;
  if (compared != nullptr && !compared_before) {
    const wire::SiteDifference* worst = worstAdded(*compared);
    answer.site = worst != nullptr ? worst->site : -1;
    if (wire::not_float32(*compared)) {
      answer.text =
          tr("Unknown: the float32 run of step %1 also used other formats").arg(views::grouped(compared->step));
      return answer;
    }
    answer.tone = Tone::kGood;
    answer.text =
        worst == nullptr
            ? tr("No: equal to float32 at step %1").arg(views::grouped(compared->step))
            : tr("No: error up to %1, step %2").arg(errorText(addedBy(*worst)), views::grouped(compared->step));
    return answer;
  }
  const std::string& level = run.config().observe.level;
  const bool observes = level != "off" && level != "finite";
  const std::int64_t observed = run.shownSilent() ? run.shownSilent()->observed_steps
                                : observes        ? run.observedUnderPolicy()
                                                  : 0;
  if (observed >= wire::SilentReport::kFewestObservedSteps) {
    answer.tone = Tone::kGood;
    answer.text = before_edit < 0 ? tr("No loss of precision in %1 observed steps").arg(views::grouped(observed))
                                  : tr("It was until step %1; no loss in %2 observed steps since the edit")
                                        .arg(views::grouped(before_edit), views::grouped(observed));
    return answer;
  }
  if (edit && (before_edit >= 0 || compared_before)) {
    answer.text = tr("Not known yet since the edit at step %1").arg(views::grouped(*edit));
    return answer;
  }
  if (observes && !run.steps().empty()) {
    wire::SilentReport so_far;
    so_far.first_step = edit.value_or(run.steps()[0].step);
    so_far.last_step = std::max(run.shownPoint().step, so_far.first_step);
    if (run.shownSilent()) so_far = *run.shownSilent();
    so_far.observed_steps = observed;
    // The dock of silent faults also names the other way, to observe more often, for which a card has no space.
    const wire::MoreObservedSteps more = wire::more_observed_steps(so_far, run.config().observe.every);
    answer.text = tr("Not known yet: %1 of %2 steps were observed. Train %3 more steps.")
                      .arg(views::grouped(observed), views::grouped(so_far.steps()), views::grouped(more.steps));
    answer.brief = tr("Not known yet: %1 more steps").arg(views::grouped(more.steps));
    return answer;
  }
  answer.text = tr("Not compared with float32 yet");
  return answer;
}

QString moreObservationText(const wire::SilentReport& report, std::int64_t every) {
  const wire::MoreObservedSteps more = wire::more_observed_steps(report, every);
  const QString steps = views::grouped(more.steps);
  return more.every > 0
             ? tr("Train %1 more steps, or observe every n-th step with n ≤ %2.").arg(steps, views::grouped(more.every))
             : tr("Train %1 more steps.").arg(steps);
}

std::array<Answer, 4> answersOf(const RunModel& run) {
  return {nonFiniteAnswer(run), scaleAnswer(run), lossAnswer(run), silentAnswer(run)};
}

}  // namespace binade::app
