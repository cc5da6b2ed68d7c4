// SPDX-License-Identifier: Apache-2.0
#include "app/present/history_comparison.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/present/cast_ledger_rows.h"
#include "engine/policy/decision_text.h"
#include "engine/policy/differences.h"
#include "engine/policy/runs_alike.h"
#include "engine/wire/model_info.h"
#include "views/values/numbers.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <utility>

namespace binade::app {

namespace {

constexpr std::size_t kMeanSteps = 20;
constexpr std::size_t kScannedSteps = 1000;  // older ones are on disk

QString notKnown() {
  return QStringLiteral("–");
}

/// What the newest steps under a policy revision show, at most kScannedSteps.
struct UnderPolicy {
  std::optional<double> loss_before;  ///< mean of the last steps before it
  std::optional<double> loss;         ///< mean of its last steps
  std::optional<double> seconds;
  std::optional<CastTotals> casts;
  std::int64_t steps = 0;
  std::int64_t skipped = 0;
  std::optional<std::int64_t> events;  ///< nullopt: some are no longer kept
};

std::optional<double> meanLoss(const RunModel& run, std::size_t first, std::size_t end) {
  if (first >= end) return std::nullopt;
  double sum = 0;
  for (std::size_t i = first; i < end; ++i) sum += run.steps()[i].loss;
  return sum / static_cast<double>(end - first);
}

/// Indices of the first step under an entry's policy, and of the one after its last.
std::pair<std::size_t, std::size_t> stepsUnder(const RunModel& run, const HistoryEntry& entry) {
  const auto first_at = [&](std::int64_t step) { return static_cast<std::size_t>(run.indexOfStep(step - 1) + 1); };
  const auto& policies = run.policies();
  const auto next = std::find_if(policies.begin(), policies.end(), [&](const wire::PolicyApplied& each) {
    return each.step >= entry.since && each.revision > entry.revision;
  });
  return {first_at(entry.since), next == policies.end() ? run.steps().size() : first_at(next->step)};
}

UnderPolicy underPolicy(const RunModel& run, const HistoryEntry& entry) {
  UnderPolicy seen;
  if (entry.revision < 0) return seen;
  const auto [first, end] = stepsUnder(run, entry);
  double seconds = 0;
  for (std::size_t i = std::max(first, end < kScannedSteps ? 0 : end - kScannedSteps); i < end; ++i) {
    const StepPoint step = run.steps()[i];
    if (step.policy_revision != entry.revision) continue;  // of another version of the run, before a rewind
    seconds += step.seconds;
    seen.skipped += step.stepped ? 0 : 1;
    ++seen.steps;
  }
  if (seen.steps > 0) {
    seen.seconds = seconds / static_cast<double>(seen.steps);
    seen.loss = meanLoss(run, std::max(first, end < kMeanSteps ? 0 : end - kMeanSteps), end);
    seen.loss_before = meanLoss(run, first < kMeanSteps ? 0 : first - kMeanSteps, first);
  }
  if (seen.steps > 0 && run.forgottenEvents().steps.count == 0) {
    const std::int64_t from = run.steps()[first].step;
    const std::int64_t last = run.steps()[end - 1].step;
    seen.events = std::count_if(run.events().begin(), run.events().end(),
                                [&](const wire::Event& event) { return event.step >= from && event.step <= last; });
  }
  for (const wire::CastLedger& ledger : run.casts()) {
    if (ledger.policy_revision == entry.revision) seen.casts = totalsOf(ledger);
  }
  return seen;
}

QString shownLoss(const std::optional<double>& value) {
  return value ? views::figure(*value, 4) : notKnown();
}

QString nameOf(const HistoryEntry& entry) {
  if (entry.kind == HistoryEntry::Kind::kTry || entry.revision < 0) return entry.title;
  return tr("revision %1").arg(entry.revision);
}

bool emulates(const std::vector<policy::Decision>& decisions) {
  return std::any_of(decisions.begin(), decisions.end(), [](const policy::Decision& decision) {
    return decision.kind == policy::Decision::Kind::kFormat && decision.execution == policy::Execution::kEmulated;
  });
}

/// Whether the policy of a revision emulates a format, so that its times say nothing about the formats' speed.
bool emulatedIn(const RunModel& run, int revision) {
  return std::any_of(run.policies().begin(), run.policies().end(), [revision](const wire::PolicyApplied& each) {
    return each.revision == revision && emulates(each.decisions);
  });
}

QString stepTime(const RunModel& run, const HistoryEntry& entry, const UnderPolicy& seen) {
  if (!seen.seconds) return notKnown();
  return emulatedIn(run, entry.revision) ? tr("%1, emulated").arg(views::duration(*seen.seconds))
                                         : views::duration(*seen.seconds);
}

void addFigures(const RunModel& run, const HistoryEntry& first, const HistoryEntry& second, HistoryComparison& made) {
  const UnderPolicy before = underPolicy(run, first);
  const UnderPolicy after = underPolicy(run, second);
  const auto add = [&](const QString& name, const QString& a, const QString& b) {
    if (a != notKnown() || b != notKnown()) made.figures.append({name, a, b});
  };
  add(tr("loss before it, mean of %1").arg(kMeanSteps), shownLoss(before.loss_before), shownLoss(after.loss_before));
  add(tr("loss under it, mean of its last %1").arg(kMeanSteps), shownLoss(before.loss), shownLoss(after.loss));
  const auto skipped = [](const UnderPolicy& seen) {
    return seen.steps == 0 ? notKnown()
                           : tr("%1 of the last %2").arg(views::grouped(seen.skipped), views::grouped(seen.steps));
  };
  add(tr("steps skipped"), skipped(before), skipped(after));
  const auto events = [](const UnderPolicy& seen) { return seen.events ? views::grouped(*seen.events) : notKnown(); };
  add(tr("events"), events(before), events(after));
  add(tr("time of a step"), stepTime(run, first, before), stepTime(run, second, after));
  const auto casts = [](const UnderPolicy& seen) {
    return seen.casts ? tr("%1, %2").arg(castsText(*seen.casts), views::sizeText(std::llround(seen.casts->bytes)))
                      : notKnown();
  };
  add(tr("casts"), casts(before), casts(after));
}

void addCalls(const RunModel& run, HistoryComparison& made) {
  std::vector<policy::SiteKey> keys;
  for (const wire::SiteInfo& site : run.sites()) keys.push_back(site.key);
  const wire::SitePlaces places(run.modelInfo());
  // Formats do not depend on the machine; how they are executed does, and is left out.
  const policy::Resolved before = policy::resolve(made.before, keys, {}, places.places());
  const policy::Resolved after = policy::resolve(made.after, keys, {}, places.places());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    policy::Decision then = before.sites[i];
    policy::Decision now = after.sites[i];
    then.execution = now.execution = policy::Execution::kNative;
    if (policy::runs_alike(then, now)) continue;
    const bool inside = run.sites()[i].inside;
    made.sites.push_back(static_cast<int>(i));
    made.calls << tr("%1: %2 → %3")
                      .arg(callText(keys[i]), QString::fromStdString(policy::decision_text(then, inside)),
                           QString::fromStdString(policy::decision_text(now, inside)));
  }
}

/// A value that a line break does not part: a number stays with its unit, and a mantissa with its power.
QString unbroken(QString value) {
  static const QRegularExpression kBeforeUnit(QStringLiteral("(?<=[0-9]) (?=[^0-9 ])|(?<=×) "));
  return value.replace(kBeforeUnit, QString(QChar::Nbsp));
}

void addSome(const QStringList& some, qsizetype most, QStringList& lines) {
  lines << some.first(std::min(most, some.size()));
  if (some.size() > most) lines << tr("and %1 more").arg(views::grouped(some.size() - most));
}

}  // namespace

QString HistoryComparison::text(qsizetype most) const {
  QStringList lines;
  for (const Figure& figure : figures)
    lines << tr("%1: %2 → %3").arg(figure.name, unbroken(figure.before), unbroken(figure.after));
  if (!lines.isEmpty()) lines << QString();
  if (calls.isEmpty()) {
    lines << tr("Both treat every op call alike.");
  } else {
    lines << (calls.size() == 1 ? tr("1 op call differs:")
                                : tr("%1 op calls differ:").arg(views::grouped(calls.size())));
    addSome(calls, most, lines);
  }
  if (!rules.isEmpty()) {
    lines << QString() << tr("In the policies:");
    addSome(rules, most, lines);
  }
  return lines.join(u'\n');
}

std::optional<HistoryComparison> compareEntries(const RunModel& run, const HistoryEntry& first,
                                                const HistoryEntry& second) {
  if (!first.policy || !second.policy) return std::nullopt;
  HistoryComparison made;
  made.before = *first.policy;
  made.after = *second.policy;
  made.headline = tr("%1 against %2").arg(nameOf(second), nameOf(first));
  made.headline.replace(0, 1, made.headline.at(0).toUpper());
  addFigures(run, first, second, made);
  addCalls(run, made);
  for (const policy::Difference& each : policy::differences(made.before, made.after)) {
    const auto text = [](const std::string& side) { return side.empty() ? tr("none") : QString::fromStdString(side); };
    made.rules << tr("%1: %2 → %3").arg(QString::fromStdString(each.place), text(each.first), text(each.second));
  }
  return made;
}

RewindLoss rewindLoss(const RunModel& run, const HistoryEntry& entry) {
  const QString step = views::grouped(entry.step);
  if (!run.isActive()) {
    return {tr("Start a new run from the state of step %1?").arg(step),
            tr("This run stays as it is. The new one continues from step %1, under the present policy.").arg(step)};
  }
  const std::int64_t next = run.steps().empty() ? entry.step : run.steps().back().step + 1;
  RewindLoss loss{tr("Rewind the training to step %1?").arg(step), {}};
  if (next <= entry.step) {
    loss.text = tr("Weights, optimizer, loss scale and data position become those of the checkpoint.");
  } else {
    loss.text =
        tr("The training since then is lost: %1 steps, up to step %2, with their losses, events and evaluations. "
           "The run file keeps a record of them, but their weights are gone unless a later checkpoint has them.")
            .arg(views::grouped(next - entry.step), views::grouped(next - 1));
  }
  loss.text += u' ' + tr("The policy stays as it is now.");
  return loss;
}

QString historyDetail(const RunModel& run, const HistoryEntry& entry) {
  const UnderPolicy seen = underPolicy(run, entry);
  QStringList sentences;
  if (seen.loss && seen.loss_before)
    sentences << tr("Loss %1 before it, %2 under it.").arg(shownLoss(seen.loss_before), shownLoss(seen.loss));
  else if (seen.loss)
    sentences << tr("Loss %1 under it.").arg(shownLoss(seen.loss));
  if (seen.steps > 0 && seen.skipped > 0)
    sentences
        << tr("%1 of its last %2 steps were skipped.").arg(views::grouped(seen.skipped), views::grouped(seen.steps));
  if (seen.events && *seen.events > 0)
    sentences << (*seen.events == 1 ? tr("1 event.") : tr("%1 events.").arg(views::grouped(*seen.events)));
  if (seen.casts)
    sentences << tr("%1, %2.").arg(castsText(*seen.casts), views::sizeText(std::llround(seen.casts->bytes)));
  if (entry.waits) sentences << tr("It was made after the run's end, and takes effect in the next run.");
  if (entry.warns) sentences << tr("A rule of it matches no op call of the model, so it does nothing.");
  return sentences.join(u' ');
}

}  // namespace binade::app
