// SPDX-License-Identifier: Apache-2.0
// The sentences around the rows of a Try: title, set-up, verdict and note.
#include "app/model/translate.h"
#include "app/present/trial_rows.h"
#include "engine/wire/trial_basis.h"
#include "engine/words/trial_text.h"
#include "views/values/numbers.h"
#include "views/values/typography.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace binade::app {

namespace {

std::optional<int> revisionOf(const RunModel& run, const policy::Policy& policy, int below) {
  for (auto known = run.policies().rbegin(); known != run.policies().rend(); ++known) {
    if (known->revision < below && known->policy == policy) return known->revision;
  }
  return std::nullopt;
}

/// A number with two significant digits, for an estimate.
QString roundedUp(double count) {
  const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(count)) - 1));
  return views::grouped(std::llround(std::ceil(count / unit) * unit));
}

/// The steps of a training after which the interval of the mean difference, which shrinks with the square root of the
/// number of steps compared, would be half as wide as given. Empty: there are enough, or more than anybody would make.
QString stepsFor(const wire::Trial& trial, double half) {
  constexpr double kMost = 1e6;
  const double now = (trial.loss.high - trial.loss.low) / 2;
  const wire::TrialBasis basis = wire::basis_of(trial);
  if (basis.seeds.empty() || !std::isfinite(now) || !(now > half) || !(half > 0)) return {};
  const double compared = static_cast<double>(basis.steps()) / static_cast<double>(basis.seeds.size());
  const double needed = compared * (now / half) * (now / half);
  return needed > kMost ? QString() : roundedUp(needed);
}

/// What the interval leaves open, and the steps that would tell.
QString stepsToTell(const wire::Trial& trial) {
  const wire::TrialDifference& loss = trial.loss;
  const double band = wire::band_of(loss);
  const double beyond = std::fabs(loss.mean) - band;
  if (!std::isfinite(beyond)) return {};
  if (beyond > 0) {
    const QString steps = stepsFor(trial, beyond);
    return steps.isEmpty() ? QString() : tr("The loss needs about %1 steps to tell more.").arg(steps);
  }
  const bool floor = loss.floor.value_or(0) > loss.noise;
  if (std::max(loss.high, -loss.low) <= band) {
    return floor ? tr("The whole interval lies below 0.1 % of the loss. A difference this small does not matter in "
                      "practice.")
                 : tr("Rounding alone moves the loss as far, so more steps would not tell them apart.");
  }
  const QString open = floor
                           ? tr("The interval reaches beyond what counts as equal, so a larger difference is possible.")
                           : tr("The interval reaches beyond the noise, so a larger difference is possible.");
  const QString steps = stepsFor(trial, -beyond);
  return steps.isEmpty() ? open : open + u' ' + tr("About %1 steps would tell more.").arg(steps);
}

/// Which steps and repetitions the figures rest on, and why, if these are not all.
QStringList basisSentences(const wire::Trial& trial) {
  QStringList sentences;
  const QString whole = views::grouped(trial.steps);
  if (const auto made = wire::given_up_after(trial, &wire::TrialSeed::before))
    sentences << tr("The training before was given up after %1 of %2 steps: its losses were no longer finite.")
                     .arg(views::grouped(*made), whole);
  if (const auto made = wire::given_up_after(trial, &wire::TrialSeed::after))
    sentences << tr("The training after was given up after %1 of %2 steps: its losses were no longer finite.")
                     .arg(views::grouped(*made), whole);
  if (const auto made = wire::given_up_after(trial, &wire::TrialSeed::noise))
    sentences << tr("The training for the noise was given up after %1 of %2 steps: its losses were no longer finite.")
                     .arg(views::grouped(*made), whole);
  const wire::TrialBasis basis = wire::basis_of(trial);
  const std::int64_t seeds = std::ssize(trial.seeds);
  const std::int64_t all = seeds * trial.steps;
  if (basis.seeds.empty() || basis.steps() >= all) return sentences;
  const QString some = views::grouped(basis.steps());
  switch (basis.kind) {
    case wire::TrialBasis::Kind::kJudged:
      if (std::ssize(basis.seeds) < seeds) {
        sentences << tr("Verdict and figures rest on %1 of %2 steps and %3 of %4 repetitions: those that all three "
                        "trainings have, with a finite loss.")
                         .arg(some, views::grouped(all), views::grouped(std::ssize(basis.seeds)),
                              views::grouped(seeds));
      } else {
        sentences << tr("The figures rest on %1 of %2 steps: those that all three trainings have, with a finite loss.")
                         .arg(some, views::grouped(all));
      }
      break;
    case wire::TrialBasis::Kind::kBothPolicies:
      sentences
          << tr("The figures rest on %1 of %2 steps: those that both policies have.").arg(some, views::grouped(all));
      break;
    case wire::TrialBasis::Kind::kPolicyBefore:
      sentences
          << tr("The figures rest on %1 of %2 steps: those that the policy before has.").arg(some, views::grouped(all));
      break;
  }
  return sentences;
}

}  // namespace

QString trialTitle(const RunModel& run, const wire::Trial& trial) {
  const auto after = revisionOf(run, trial.after, std::numeric_limits<int>::max());
  const auto before = revisionOf(run, trial.before, after.value_or(std::numeric_limits<int>::max()));
  if (after && before) {
    if (trial.name.empty()) return tr("Revision %1 against %2").arg(*after).arg(*before);
    return tr("Revision %1 against %2: %3").arg(*after).arg(*before).arg(QString::fromStdString(trial.name));
  }
  const QString name = trial.name.empty() ? tr("Another policy") : QString::fromStdString(trial.name);
  if (before) return tr("%1, against revision %2").arg(name).arg(*before);
  return name;
}

QString trialSetup(const wire::Trial& trial) {
  const QString steps = views::grouped(trial.steps);
  const QString from = trial.first_step == 0 ? tr("the start") : tr("step %1").arg(views::grouped(trial.first_step));
  QStringList sentences;
  if (trial.seeds.size() > 1) {
    sentences << tr("%1 steps each from %2, same batches and random state, on %3 stretches of the data.")
                     .arg(steps, from)
                     .arg(trial.seeds.size());
  } else {
    sentences << tr("%1 steps each from %2, same batches and seed.").arg(steps, from);
  }
  const bool floor = trial.loss.floor.value_or(0) > trial.loss.noise;
  sentences << (floor ? tr("Grey: what counts as equal, 0.1 % of the loss; rounding alone moves it less.")
                      : tr("Grey: how far rounding alone moves the loss."));
  if (!trial.complete) sentences << tr("It ended early; this is what it had measured.");
  sentences += basisSentences(trial);
  return sentences.join(u' ');
}

QString trialVerdict(const wire::Trial& trial) {
  return views::typesetFigures(words::verdict_sentence(trial));
}

QString trialBasis(const wire::Trial& trial) {
  return views::typesetFigures(words::verdict_basis(trial));
}

QString trialNote(const wire::Trial& trial) {
  QStringList sentences;
  const bool open = trial.verdict == wire::TrialVerdict::kInsideNoise || trial.verdict == wire::TrialVerdict::kUnknown;
  if (open) sentences << stepsToTell(trial);
  for (const std::string& note : trial.notes) sentences << views::typeset(note);
  sentences.removeAll(QString());
  return sentences.join(u' ');
}

}  // namespace binade::app
