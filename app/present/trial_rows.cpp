// SPDX-License-Identifier: Apache-2.0
#include "app/present/trial_rows.h"

#include "app/model/translate.h"
#include "engine/words/trial_means.h"
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

using RowAnswer = TrialRow::Answer;

constexpr int kLossFigures = 4;
constexpr int kLastSteps = 20;  // show where the trainings arrive

/// A quantity in the three trainings; NaN: a training has none.
struct ArmValues {
  double before = 0;
  double after = 0;
  double noise = 0;

  double difference() const { return after - before; }
  /// How far rounding alone moves it.
  double band() const { return std::isfinite(noise) ? std::fabs(noise - before) : 0; }
  bool known() const { return !std::isnan(before) && !std::isnan(after); }
};

template <class OfArm>
ArmValues valuesOf(const OfArm& of) {
  return {of(&wire::TrialSeed::before), of(&wire::TrialSeed::after), of(&wire::TrialSeed::noise)};
}

ArmValues meansOf(const wire::Trial& trial, double wire::TrialArm::*figure) {
  return valuesOf([&](words::Arm arm) { return words::mean_of(trial, arm, figure); });
}

ArmValues sumsOf(const wire::Trial& trial, std::int64_t wire::TrialArm::*count) {
  return valuesOf([&](words::Arm arm) {
    return words::has_steps(trial, arm) ? static_cast<double>(words::sum_of(trial, arm, count)) : wire::kNotMeasured;
  });
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
  return {difference.mean, difference.low, difference.high, wire::band_of(difference)};
}

TrialRow lossRow(const wire::Trial& trial) {
  const wire::TrialDifference& loss = trial.loss;
  TrialRow row{.name = tr("Loss, mean"),
               .before = lossText(loss.before),
               .after = lossText(loss.after),
               .difference = withSign(loss.mean, views::figure(loss.mean, 2)),
               .word = {},
               .mark = markOf(loss)};
  // The verdict also knows a loss that runs away, and steps that were too few.
  switch (trial.verdict) {
    case wire::TrialVerdict::kInsideNoise:
      row.word = wire::floor_decides(loss) ? tr("counts as equal") : tr("within noise");
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

TrialRow evaluationRow(const wire::TrialDifference& evaluation) {
  TrialRow row{.name = tr("Test loss"),
               .before = lossText(evaluation.before),
               .after = lossText(evaluation.after),
               .difference = withSign(evaluation.mean, views::figure(evaluation.mean, 2)),
               .word = {},
               .mark = markOf(evaluation)};
  judgeLess(row);
  const bool equal = row.answer == RowAnswer::kNone && wire::floor_decides(evaluation);
  if (equal) row.word = tr("counts as equal");
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

/// `2^16`, or `2^15 to 2^16` of repetitions that ended at different scales: no training had their mean.
QString scaleRange(const wire::Trial& trial, words::Arm arm) {
  const auto [low, high] = words::range_of(trial, arm, &wire::TrialArm::scale);
  return low < high ? tr("%1 to %2").arg(views::scaleText(low), views::scaleText(high)) : views::scaleText(low);
}

/// The mark is on a scale of doublings.
TrialRow scaleRow(const wire::Trial& trial, const ArmValues& scales) {
  const double by = std::log2(scales.after / scales.before);
  const double band = scales.noise > 0 ? std::fabs(std::log2(scales.noise / scales.before)) : 0;
  const QString factor = views::scaleText(std::exp2(std::fabs(by)));
  TrialRow row = quantityRow(tr("Loss scale"), scales, views::scaleText,
                             by == 0  ? tr("the same")
                             : by > 0 ? tr("× %1").arg(factor)
                                      : tr("÷ %1").arg(factor));
  row.before = scaleRange(trial, &wire::TrialSeed::before);
  row.after = scaleRange(trial, &wire::TrialSeed::after);
  const bool vary = row.before != views::scaleText(scales.before) || row.after != views::scaleText(scales.after);
  if (vary) row.difference.clear();  // a factor of the means would be one that no training had
  row.mark = {by, by, by, band};
  row.word = by == 0                 ? tr("no difference")
             : std::fabs(by) <= band ? tr("within noise")
             : by > 0                ? tr("higher")
                                     : tr("lower");
  return row;
}

TrialRow lastLossRow(const ArmValues& losses) {
  const double by = losses.difference();
  TrialRow row = quantityRow(tr("Loss, last %1").arg(kLastSteps), losses, lossText, withSign(by, views::figure(by, 2)));
  row.word = std::fabs(by) <= losses.band() ? tr("within noise") : by < 0 ? tr("lower") : tr("higher");
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
    row.about = tr("The time of an emulated format says nothing about its speed");
    row.word = tr("emulated");
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
  return {.name = tr("On %1").arg(QString::fromStdString(estimate.gpu)),
          .before = views::duration(estimate.before),
          .after = views::duration(estimate.after),
          .difference = signedDuration(estimate.after - estimate.before),
          .word = tr("estimated"),
          .about = tr("What the products and casts of a step take at least, by the quoted figures of this GPU"),
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
  const double beyond = std::fabs(loss.mean) - wire::band_of(loss);
  const double half = (loss.high - loss.low) / 2;
  if (!std::isfinite(beyond) || !std::isfinite(half) || half <= 0) return {};
  if (beyond <= 0) {
    return wire::floor_decides(loss)
               ? tr("Rounding alone moves the loss less, but a difference this small does not matter in practice.")
               : tr("Rounding alone moves the loss as far, so more steps would not tell them apart.");
  }
  const double needed = static_cast<double>(trial.steps) * (half / beyond) * (half / beyond);
  if (needed <= static_cast<double>(trial.steps) || needed > kMost) return {};
  return tr("The loss needs about %1 steps to tell more.").arg(roundedUp(needed));
}

}  // namespace

QString TrialRow::sentence() const {
  const QString row = tr("%1: %2 before, %3 after, difference %4, %5").arg(name, before, after, difference, word);
  return about.isEmpty() ? row : row + QStringLiteral(". ") + about;
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
  const bool floor = trial.loss.floor.value_or(0) > trial.loss.noise;
  sentences << (floor ? tr("Grey: what counts as equal, 0.1 % of the loss; rounding alone moves it less.")
                      : tr("Grey: how far rounding alone moves the loss."));
  if (!trial.complete) sentences << tr("It ended early; this is what it had measured.");
  return sentences.join(u' ');
}

QList<TrialRow> trialRows(const wire::Trial& trial) {
  using Arm = wire::TrialArm;
  QList<TrialRow> rows;
  if (trial.seeds.empty()) return rows;
  rows << lossRow(trial);
  const ArmValues last = valuesOf([&](words::Arm arm) { return words::last_loss_of(trial, arm, kLastSteps); });
  if (last.known() && trial.steps > kLastSteps) rows << lastLossRow(last);
  if (trial.evaluation) rows << evaluationRow(*trial.evaluation);
  const bool several = trial.seeds.size() > 1;
  const auto of_seeds = static_cast<int>(trial.seeds.size());
  rows << countRow(several ? tr("Overflows, sum of %1").arg(of_seeds) : tr("Overflows"),
                   sumsOf(trial, &Arm::overflows));
  rows << countRow(several ? tr("Skipped, sum of %1").arg(of_seeds) : tr("Skipped steps"),
                   sumsOf(trial, &Arm::skipped));
  const ArmValues scales = meansOf(trial, &Arm::scale);
  if (scales.before > 0 && scales.after > 0 && (scales.before != 1 || scales.after != 1))
    rows << scaleRow(trial, scales);
  if (trial.seconds) rows << timeRow(trial);
  if (const ArmValues casts = meansOf(trial, &Arm::casts); casts.known()) rows << castRow(casts);
  if (const ArmValues bytes = meansOf(trial, &Arm::peak_bytes); bytes.known()) rows << memoryRow(bytes);
  for (const wire::TrialEstimate& estimate : trial.estimates) rows << estimateRow(estimate);
  return rows;
}

views::VerdictShape trialShape(wire::TrialVerdict verdict) {
  switch (verdict) {
    case wire::TrialVerdict::kInsideNoise:
    case wire::TrialVerdict::kBetter:
      return views::VerdictShape::kFits;
    case wire::TrialVerdict::kWorse:
      return views::VerdictShape::kTight;
    case wire::TrialVerdict::kDiverged:
    case wire::TrialVerdict::kDoesNotRun:
      return views::VerdictShape::kOverflow;
    case wire::TrialVerdict::kUnknown:
      break;
  }
  return views::VerdictShape::kNone;
}

QString trialVerdict(const wire::Trial& trial) {
  return views::typeset(words::sentence_of(trial));
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
