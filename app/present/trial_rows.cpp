// SPDX-License-Identifier: Apache-2.0
#include "app/present/trial_rows.h"

#include "app/model/translate.h"
#include "engine/wire/trial_basis.h"
#include "engine/words/trial_means.h"
#include "views/values/numbers.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace binade::app {

namespace {

using RowAnswer = TrialRow::Answer;

constexpr int kLossFigures = 4;

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

ArmValues meansOf(const words::TrialMeans& means, double wire::TrialArm::*figure) {
  return valuesOf([&](words::Arm arm) { return means.mean(arm, figure); });
}

ArmValues sumsOf(const words::TrialMeans& means, std::int64_t wire::TrialArm::*count) {
  return valuesOf([&](words::Arm arm) {
    return means.steps_made(arm) > 0 ? static_cast<double>(means.sum(arm, count)) : wire::kNotMeasured;
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

/// The word for a difference that is no larger than the band: of the noise or, if that is smaller, of the floor.
QString equalWord(double difference, double noise) {
  return std::fabs(difference) <= noise ? tr("within noise") : tr("counts as equal");
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

/// The ends of an interval, and the band of the noise if `banded`. Empty without an interval.
QString intervalText(const wire::TrialDifference& difference, bool banded, const std::function<QString(double)>& text) {
  if (!std::isfinite(difference.low) || !std::isfinite(difference.high) || !(difference.low < difference.high))
    return {};
  const QString ends = tr("95 %: %1 to %2").arg(text(difference.low), text(difference.high));
  const double band = wire::band_of(difference);
  return banded && std::isfinite(band) ? tr("%1 · equal up to %2").arg(ends, text(band)) : ends;
}

QString differenceText(double difference) {
  return views::figure(difference, 2);
}

TrialRow lossRow(const wire::Trial& trial) {
  const wire::TrialDifference& loss = trial.loss;
  TrialRow row{.name = tr("Loss, mean"),
               .before = lossText(loss.before),
               .after = lossText(loss.after),
               .difference = withSign(loss.mean, differenceText(loss.mean)),
               .interval = intervalText(loss, true, differenceText),
               .told = trial.verdict != wire::TrialVerdict::kDoesNotRun,
               .word = {},
               .mark = markOf(loss)};
  // The verdict also knows a loss that runs away, and steps that were too few.
  switch (trial.verdict) {
    case wire::TrialVerdict::kInsideNoise:
      row.word = equalWord(loss.mean, loss.noise);
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

// Printed, not judged: the verdict follows from the losses of the steps, and one evaluation may differ by chance.
TrialRow evaluationRow(const wire::TrialDifference& evaluation) {
  TrialRow row{.name = tr("Test loss"),
               .before = lossText(evaluation.before),
               .after = lossText(evaluation.after),
               .difference = withSign(evaluation.mean, differenceText(evaluation.mean)),
               .interval = intervalText(evaluation, false, differenceText),
               .word = {},
               .about = tr("The loss on the test data is shown, but not judged"),
               .mark = markOf(evaluation)};
  const bool equal = std::fabs(evaluation.mean) <= wire::band_of(evaluation);
  row.word = equal                         ? equalWord(evaluation.mean, evaluation.noise)
             : std::isnan(evaluation.mean) ? tr("not known")
             : evaluation.mean < 0         ? tr("lower")
                                           : tr("higher");
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

/// A row of a Try that was ended before both policies made a step. There is nothing to compare, so it has no mark.
TrialRow unknownRow(const QString& name, const ArmValues& values, const std::function<QString(double)>& text) {
  const QString none = QStringLiteral("–");
  const auto shown = [&](double value) { return std::isnan(value) ? none : text(value); };
  return {.name = name,
          .before = shown(values.before),
          .after = shown(values.after),
          .difference = none,
          .word = tr("not known"),
          .measured = false};
}

TrialRow countRow(const QString& name, const ArmValues& values) {
  if (!values.known()) return unknownRow(name, values, trialCount);
  const double by = values.difference();
  TrialRow row = quantityRow(name, values, trialCount, withSign(by, trialCount(by)));
  judgeLess(row);
  return row;
}

/// `2^16`, or `2^15 to 2^16` of repetitions that ended at different scales: no training had their mean.
QString scaleRange(const words::TrialMeans& means, words::Arm arm) {
  const auto [low, high] = means.range(arm, &wire::TrialArm::scale);
  return low < high ? tr("%1 to %2").arg(views::scaleText(low), views::scaleText(high)) : views::scaleText(low);
}

/// The mark is on a scale of doublings.
TrialRow scaleRow(const words::TrialMeans& means, const ArmValues& scales) {
  const double by = std::log2(scales.after / scales.before);
  const double band = scales.noise > 0 ? std::fabs(std::log2(scales.noise / scales.before)) : 0;
  const QString factor = views::scaleText(std::exp2(std::fabs(by)));
  TrialRow row = quantityRow(tr("Loss scale"), scales, views::scaleText,
                             by == 0  ? tr("the same")
                             : by > 0 ? tr("× %1").arg(factor)
                                      : tr("÷ %1").arg(factor));
  row.before = scaleRange(means, &wire::TrialSeed::before);
  row.after = scaleRange(means, &wire::TrialSeed::after);
  const bool vary = row.before != views::scaleText(scales.before) || row.after != views::scaleText(scales.after);
  if (vary) row.difference.clear();  // a factor of the means would be one that no training had
  row.mark = {by, by, by, band};
  row.word = by == 0                 ? tr("no difference")
             : std::fabs(by) <= band ? tr("within noise")
             : by > 0                ? tr("higher")
                                     : tr("lower");
  return row;
}

/// In the band of the verdict: the last steps alone have no band of their own that could be told from chance.
TrialRow lastLossRow(const ArmValues& losses, const wire::TrialDifference& all) {
  const double by = losses.difference();
  TrialRow row = quantityRow(tr("Loss, last %1").arg(words::TrialMeans::kLast), losses, lossText,
                             withSign(by, views::figure(by, 2)));
  row.mark.noise = wire::band_of(all);
  row.word = std::isnan(row.mark.noise) || std::isnan(by) ? tr("not known")
             : std::fabs(by) <= row.mark.noise            ? equalWord(by, all.noise)
             : by < 0                                     ? tr("lower")
                                                          : tr("higher");
  return row;
}

TrialRow lateLossRow(const wire::TrialDifference& late) {
  TrialRow row{.name = tr("Loss, last half"),
               .before = lossText(late.before),
               .after = lossText(late.after),
               .difference = withSign(late.mean, differenceText(late.mean)),
               .interval = intervalText(late, true, differenceText),
               .word = {},
               .about = tr("The verdict rests on this half of the steps"),
               .mark = markOf(late)};
  judgeLess(row);
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
    row.interval = intervalText(seconds, true, [](double time) -> QString {
      if (time < 0) return u'−' + views::duration(-time);
      return views::duration(time);
    });
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

}  // namespace

QString TrialRow::sentence() const {
  QString row = tr("%1: %2 before, %3 after, difference %4, %5").arg(name, before, after, difference, word);
  if (!interval.isEmpty()) row += QStringLiteral(", ") + interval;
  return about.isEmpty() ? row : row + QStringLiteral(". ") + about;
}

QList<TrialRow> trialRows(const wire::Trial& trial) {
  using Arm = wire::TrialArm;
  QList<TrialRow> rows;
  if (trial.seeds.empty()) return rows;
  const words::TrialMeans means(trial);
  const ArmValues losses = valuesOf([&](words::Arm arm) { return means.loss(arm).value_or(wire::kNotMeasured); });
  const bool ended =
      trial.verdict == wire::TrialVerdict::kUnknown &&
      (means.steps_made(&wire::TrialSeed::before) == 0 || means.steps_made(&wire::TrialSeed::after) == 0);
  rows << (ended ? unknownRow(tr("Loss, mean"), losses, lossText) : lossRow(trial));
  if (trial.late_loss) rows << lateLossRow(*trial.late_loss);
  const bool several = means.seeds() > 1;
  const auto of_seeds = static_cast<int>(means.seeds());
  rows << countRow(several ? tr("Overflows, sum of %1").arg(of_seeds) : tr("Overflows"),
                   sumsOf(means, &Arm::overflows));
  if (const ArmValues casts = meansOf(means, &Arm::casts); casts.known()) rows << castRow(casts);
  if (trial.seconds) rows << timeRow(trial);
  rows << countRow(several ? tr("Skipped, sum of %1").arg(of_seeds) : tr("Skipped steps"),
                   sumsOf(means, &Arm::skipped));
  if (const ArmValues bytes = meansOf(means, &Arm::peak_bytes); bytes.known()) rows << memoryRow(bytes);
  const ArmValues last =
      valuesOf([&](words::Arm arm) { return means.loss(arm, words::TrialMeans::kLast).value_or(wire::kNotMeasured); });
  if (last.known() && means.has_last()) rows << lastLossRow(last, trial.loss);
  if (trial.evaluation) rows << evaluationRow(*trial.evaluation);
  const ArmValues scales = meansOf(means, &Arm::scale);
  if (scales.before > 0 && scales.after > 0 && (scales.before != 1 || scales.after != 1))
    rows << scaleRow(means, scales);
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

std::vector<TrialPoint> trialCurve(const wire::Trial& trial) {
  const wire::TrialBasis basis = wire::basis_of(trial);
  std::vector<TrialPoint> curve;
  double widest = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::max<std::int64_t>(trial.steps, 0)); ++i) {
    double difference = 0;
    double noise = 0;
    double seeds = 0;
    for (const wire::PairedSteps& each : basis.seeds) {
      const wire::TrialSeed& seed = trial.seeds[each.seed];
      const bool has_noise = i < seed.noise.losses.size();
      const bool counts = has_noise || basis.kind != wire::TrialBasis::Kind::kJudged;
      if (!counts || i >= seed.before.losses.size() || i >= seed.after.losses.size()) continue;
      difference += seed.after.losses[i] - seed.before.losses[i];
      if (has_noise) noise += std::fabs(seed.noise.losses[i] - seed.before.losses[i]);
      ++seeds;
    }
    if (seeds == 0) break;
    if (std::isfinite(noise)) widest = std::max(widest, noise / seeds);
    curve.push_back({trial.first_step + static_cast<std::int64_t>(i), difference / seeds, widest});
  }
  return curve;
}

}  // namespace binade::app
