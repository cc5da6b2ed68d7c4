// SPDX-License-Identifier: Apache-2.0
#include "app/present/trial_rows.h"

#include "app/model/translate.h"
#include "engine/words/trial_text.h"
#include "views/values/numbers.h"
#include "views/values/typography.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

namespace binade::app {

namespace {

using Arm = wire::TrialArm;
using RowAnswer = TrialRow::Answer;

constexpr int kLossFigures = 4;

/// The three trainings' values of a quantity, as means over seeds; NaN: a training has none.
struct ArmValues {
  double before = 0;
  double after = 0;
  double noise = 0;

  double difference() const { return after - before; }
  /// How far rounding alone moves it.
  double band() const { return std::isfinite(noise) ? std::fabs(noise - before) : 0; }
  bool known() const { return !std::isnan(before) && !std::isnan(after); }
};

ArmValues meansOf(const wire::Trial& trial, const std::function<double(const Arm&)>& value) {
  ArmValues sum;
  for (const wire::TrialSeed& seed : trial.seeds) {
    sum.before += value(seed.before);
    sum.after += value(seed.after);
    sum.noise += value(seed.noise);
  }
  const auto count = static_cast<double>(trial.seeds.size());
  return {sum.before / count, sum.after / count, sum.noise / count};
}

QString withSign(double value, const QString& text) {
  if (value == 0) return QStringLiteral("±") + text;
  return value > 0 ? QStringLiteral("+") + text : text;
}

QString lossText(double value) {
  return views::figure(value, kLossFigures);
}

QString trialCount(double value) {
  return std::round(value) == value ? views::grouped(std::llround(value)) : views::figure(value);
}

QString signedDuration(double seconds) {
  if (seconds >= 0) return withSign(seconds, views::duration(seconds));
  return u'−' + views::duration(-seconds);
}

QString bytesText(double bytes) {
  return views::sizeText(std::llround(bytes));
}

QString signedBytes(double bytes) {
  return bytes < 0 ? u'−' + bytesText(-bytes) : withSign(bytes, bytesText(bytes));
}

/// Fills in the word for a quantity of which less is better.
void judgeLess(TrialRow& row) {
  const views::NoiseMark& mark = row.mark;
  if (mark.difference == 0) {
    row.word = tr("no difference");
  } else if (mark.low > mark.noise || std::isnan(mark.difference)) {
    row.word = tr("worse");
    row.answer = RowAnswer::kWorse;
  } else if (mark.high < -mark.noise) {
    row.word = tr("better");
    row.answer = RowAnswer::kBetter;
  } else {
    row.word = tr("within noise");
  }
}

views::NoiseMark markOf(const wire::TrialDifference& difference) {
  return {difference.mean, difference.low, difference.high, difference.noise};
}

TrialRow lossRow(const wire::Trial& trial) {
  const wire::TrialDifference& loss = trial.loss;
  TrialRow row{.name = tr("Loss, mean of the steps"),
               .before = lossText(loss.before),
               .after = lossText(loss.after),
               .difference = withSign(loss.mean, views::figure(loss.mean, 2)),
               .word = {},
               .mark = markOf(loss)};
  // The verdict also knows a loss that runs away, and steps that were too few.
  switch (trial.verdict) {
    case wire::TrialVerdict::kInsideNoise:
      row.word = tr("within noise");
      break;
    case wire::TrialVerdict::kBetter:
      row.word = tr("better");
      row.answer = RowAnswer::kBetter;
      break;
    case wire::TrialVerdict::kWorse:
      row.word = trial.worse_from ? tr("worse from step %1").arg(views::grouped(*trial.worse_from)) : tr("worse");
      row.answer = RowAnswer::kWorse;
      break;
    case wire::TrialVerdict::kDiverged:
      row.word = trial.worse_from ? tr("diverged at step %1").arg(views::grouped(*trial.worse_from)) : tr("diverged");
      row.answer = RowAnswer::kWorse;
      break;
    case wire::TrialVerdict::kDoesNotRun:
      row.word = tr("does not run");
      row.answer = RowAnswer::kWorse;
      break;
    case wire::TrialVerdict::kUnknown:
      row.word = tr("not known");
      break;
  }
  return row;
}

/// The mean of the last losses shows where the trainings arrive.
double lastLosses(const Arm& arm) {
  constexpr std::ptrdiff_t kLast = 20;
  const auto count = std::min(kLast, static_cast<std::ptrdiff_t>(arm.losses.size()));
  double sum = 0;
  for (auto loss = arm.losses.end() - count; loss != arm.losses.end(); ++loss) sum += *loss;
  return sum / static_cast<double>(count);
}

TrialRow evaluationRow(const wire::TrialDifference& evaluation) {
  TrialRow row{.name = tr("Loss on the test data"),
               .before = lossText(evaluation.before),
               .after = lossText(evaluation.after),
               .difference = withSign(evaluation.mean, views::figure(evaluation.mean, 2)),
               .word = {},
               .mark = markOf(evaluation)};
  judgeLess(row);
  return row;
}

TrialRow quantityRow(const QString& name, const ArmValues& values, const std::function<QString(double)>& text,
                     const QString& difference) {
  const double by = values.difference();
  return {.name = name,
          .before = text(values.before),
          .after = text(values.after),
          .difference = difference,
          .word = {},
          .mark = {by, by, by, values.band()}};
}

TrialRow countRow(const QString& name, const ArmValues& values) {
  const double by = values.difference();
  TrialRow row = quantityRow(name, values, trialCount, withSign(by, trialCount(by)));
  judgeLess(row);
  return row;
}

TrialRow scaleRow(const wire::Trial& trial) {
  const ArmValues logs = meansOf(trial, [](const Arm& arm) { return std::log2(arm.scale); });
  const double by = logs.difference();
  const QString factor = views::scaleText(std::exp2(std::fabs(by)));
  TrialRow row = quantityRow(
      tr("Loss scale afterwards"), logs, [](double log) { return views::scaleText(std::exp2(log)); },
      by == 0 ? tr("the same") : (by > 0 ? QStringLiteral("× ") : QStringLiteral("÷ ")) + factor);
  row.word = by == 0                           ? tr("no difference")
             : std::fabs(by) <= row.mark.noise ? tr("within noise")
             : by > 0                          ? tr("higher")
                                               : tr("lower");
  return row;
}

TrialRow timeRow(const wire::Trial& trial) {
  const wire::TrialDifference& seconds = *trial.seconds;
  TrialRow row{.name = tr("Step time"),
               .before = views::duration(seconds.before),
               .after = views::duration(seconds.after),
               .difference = signedDuration(seconds.mean),
               .word = {},
               .mark = markOf(seconds)};
  if (trial.emulated_before || trial.emulated_after) {
    row.word = tr("emulated: says nothing about the formats");
  } else {
    judgeLess(row);
  }
  return row;
}

TrialRow castRow(const ArmValues& casts) {
  const double by = casts.difference();
  TrialRow row = quantityRow(tr("Casts per step"), casts, trialCount, withSign(by, trialCount(by)));
  row.mark.noise = 0;
  row.word = by == 0  ? tr("the same, exact")
             : by > 0 ? tr("%1 more, exact").arg(trialCount(by))
                      : tr("%1 fewer, exact").arg(trialCount(-by));
  return row;
}

TrialRow memoryRow(const ArmValues& bytes) {
  TrialRow row = quantityRow(tr("Memory"), bytes, bytesText, signedBytes(bytes.difference()));
  judgeLess(row);
  return row;
}

TrialRow estimateRow(const wire::TrialEstimate& estimate) {
  return {.name = tr("Products and casts on %1").arg(QString::fromStdString(estimate.gpu)),
          .before = views::duration(estimate.before),
          .after = views::duration(estimate.after),
          .difference = signedDuration(estimate.after - estimate.before),
          .word = tr("estimated, at least"),
          .measured = false};
}

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

/// The steps after which the interval of the mean difference would leave the band of noise, as it shrinks with the
/// square root of their number.
QString stepsToTell(const wire::Trial& trial) {
  constexpr double kMost = 1e6;
  const wire::TrialDifference& loss = trial.loss;
  const double beyond = std::fabs(loss.mean) - loss.noise;
  const double half = (loss.high - loss.low) / 2;
  if (!std::isfinite(beyond) || !std::isfinite(half) || half <= 0) return {};
  if (beyond <= 0) return tr("Rounding alone moves the loss as far, so more steps would not tell them apart.");
  const double needed = static_cast<double>(trial.steps) * (half / beyond) * (half / beyond);
  if (needed <= static_cast<double>(trial.steps) || needed > kMost) return {};
  return tr("The loss needs about %1 steps to tell more.").arg(roundedUp(needed));
}

}  // namespace

QString TrialRow::sentence() const {
  return tr("%1: %2 before, %3 after, difference %4, %5").arg(name, before, after, difference, word);
}

QString trialTitle(const RunModel& run, const wire::Trial& trial) {
  const auto after = revisionOf(run, trial.after, std::numeric_limits<int>::max());
  const auto before = revisionOf(run, trial.before, after.value_or(std::numeric_limits<int>::max()));
  if (after && before) return tr("Revision %1 against %2").arg(*after).arg(*before);
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
  sentences << tr("Grey: how far rounding alone moves the loss.");
  if (!trial.complete) sentences << tr("It ended early; this is what it had measured.");
  return sentences.join(u' ');
}

QList<TrialRow> trialRows(const wire::Trial& trial) {
  QList<TrialRow> rows;
  if (trial.seeds.empty()) return rows;
  rows << lossRow(trial);
  const ArmValues last = meansOf(trial, lastLosses);
  if (last.known() && trial.steps > 20) {
    TrialRow row = quantityRow(tr("Loss, mean of the last 20"), last, lossText,
                               withSign(last.difference(), views::figure(last.difference(), 2)));
    row.word = std::fabs(last.difference()) <= last.band() ? tr("within noise")
               : last.difference() < 0                     ? tr("lower")
                                                           : tr("higher");
    rows << row;
  }
  if (trial.evaluation) rows << evaluationRow(*trial.evaluation);
  rows << countRow(tr("Overflowing steps"),
                   meansOf(trial, [](const Arm& arm) { return static_cast<double>(arm.overflows); }));
  rows << countRow(tr("Skipped steps"),
                   meansOf(trial, [](const Arm& arm) { return static_cast<double>(arm.skipped); }));
  const auto scaled = [](const wire::TrialSeed& seed) { return seed.before.scale != 1 || seed.after.scale != 1; };
  if (std::any_of(trial.seeds.begin(), trial.seeds.end(), scaled)) rows << scaleRow(trial);
  if (trial.seconds) rows << timeRow(trial);
  const ArmValues casts = meansOf(trial, [](const Arm& arm) { return arm.casts; });
  if (casts.known()) rows << castRow(casts);
  const ArmValues bytes = meansOf(trial, [](const Arm& arm) { return arm.peak_bytes; });
  if (bytes.known()) rows << memoryRow(bytes);
  for (const wire::TrialEstimate& estimate : trial.estimates) rows << estimateRow(estimate);
  return rows;
}

QString trialVerdict(const wire::Trial& trial) {
  return views::typeset(words::trial_text(trial));
}

QString trialNote(const wire::Trial& trial) {
  QStringList sentences;
  const bool open = trial.verdict == wire::TrialVerdict::kInsideNoise || trial.verdict == wire::TrialVerdict::kUnknown;
  if (open) sentences << stepsToTell(trial);
  for (const std::string& note : trial.notes) sentences << views::typeset(note);
  sentences.removeAll(QString());
  return sentences.join(u' ');
}

std::vector<TrialPoint> trialCurve(const wire::Trial& trial) {
  if (trial.seeds.empty()) return {};
  std::size_t count = std::numeric_limits<std::size_t>::max();
  for (const wire::TrialSeed& seed : trial.seeds) {
    count = std::min({count, seed.before.losses.size(), seed.after.losses.size(), seed.noise.losses.size()});
  }
  std::vector<TrialPoint> curve;
  double widest = 0;
  const auto seeds = static_cast<double>(trial.seeds.size());
  for (std::size_t i = 0; i < count; ++i) {
    double difference = 0;
    double noise = 0;
    for (const wire::TrialSeed& seed : trial.seeds) {
      difference += seed.after.losses[i] - seed.before.losses[i];
      noise += std::fabs(seed.noise.losses[i] - seed.before.losses[i]);
    }
    if (std::isfinite(noise)) widest = std::max(widest, noise / seeds);
    curve.push_back({trial.first_step + static_cast<std::int64_t>(i), difference / seeds, widest});
  }
  return curve;
}

}  // namespace binade::app
