// SPDX-License-Identifier: Apache-2.0
#include "engine/trial/judge.h"

#include "engine/trial/sample_interval.h"
#include "engine/wire/trial_basis.h"
#include "engine/wire/trial_divergence.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace binade::trial {

namespace {

constexpr std::size_t kBlocks = 10;
constexpr std::size_t kFewest = 3;         // steps
constexpr std::size_t kFewestHalved = 20;  // steps, so that their last half has as many samples
constexpr std::size_t kSeeds = 3;          // from which the seeds' means serve as samples
constexpr double kBand = 2;                // times the root mean square of what rounding alone moves
constexpr double kMatters = 1e-3;          // of the mean loss: smaller differences do not matter in practice
constexpr double kUlps = 8 * static_cast<double>(std::numeric_limits<float>::epsilon());

/// The losses of a seed in the steps that all three trainings made with finite losses.
struct Paired {
  std::vector<std::size_t> steps;
  std::vector<double> before, after;
  std::vector<double> difference;  ///< after - before
  std::vector<double> noise;       ///< noise - before

  std::size_t size() const { return steps.size(); }
};

Paired pair_up(const wire::Trial& trial, const wire::PairedSteps& steps) {
  Paired paired;
  paired.steps = steps.steps;
  paired.before = wire::losses_in(trial, steps, &wire::TrialSeed::before);
  paired.after = wire::losses_in(trial, steps, &wire::TrialSeed::after);
  const std::vector<double> noise = wire::losses_in(trial, steps, &wire::TrialSeed::noise);
  for (std::size_t i = 0; i < paired.size(); ++i) {
    paired.difference.push_back(paired.after[i] - paired.before[i]);
    paired.noise.push_back(noise[i] - paired.before[i]);
  }
  return paired;
}

std::span<const double> last_part(const std::vector<double>& values, std::size_t skipped) {
  return std::span(values).subspan(skipped);
}

void append(std::vector<double>& to, const std::vector<double>& values) {
  to.insert(to.end(), values.begin(), values.end());
}

/// The difference over the steps of each seed from its middle on if `late`, otherwise over all.
wire::TrialDifference loss_difference(const std::vector<Paired>& seeds, bool late) {
  std::vector<double> before, after, means, blocks, noise;
  double size = 0, largest = 0;
  for (const Paired& seed : seeds) {
    const std::size_t skipped = late ? seed.size() / 2 : 0;
    const std::span<const double> differences = last_part(seed.difference, skipped);
    before.push_back(mean_of(last_part(seed.before, skipped)));
    after.push_back(mean_of(last_part(seed.after, skipped)));
    means.push_back(mean_of(differences));
    append(blocks, block_means(differences, kBlocks));
    append(noise, block_means(last_part(seed.noise, skipped), kBlocks));
    double magnitude = 0;
    for (const double loss : seed.before) {
      magnitude += std::abs(loss) / static_cast<double>(seed.size());
      largest = std::max(largest, std::abs(loss));
    }
    size += magnitude / static_cast<double>(seeds.size());
  }
  const Interval interval = interval_of(seeds.size() >= kSeeds ? means : blocks);
  wire::TrialDifference difference;
  difference.before = mean_of(before);
  difference.after = mean_of(after);
  // Blocks may differ in size by a step, so the mean of their means is not that of the steps.
  difference.mean = mean_of(means);
  difference.low = difference.mean - (interval.mean - interval.low);
  difference.high = difference.mean + (interval.high - interval.mean);
  difference.noise = kBand * rms_of(noise);
  difference.floor = std::max(kMatters * size, kUlps * largest);
  return difference;
}

/// Differences of a quantity that each arm has once. nullopt: no seed has it in all arms.
template <class Figure>
std::optional<wire::TrialDifference> figure_difference(const std::vector<const wire::TrialSeed*>& seeds, double floor,
                                                       const Figure& figure) {
  std::vector<double> before, after, differences, noise;
  for (const wire::TrialSeed* seed : seeds) {
    const double old = figure(seed->before), tried = figure(seed->after), moved = figure(seed->noise);
    if (!std::isfinite(old) || !std::isfinite(tried) || !std::isfinite(moved)) continue;
    before.push_back(old);
    after.push_back(tried);
    differences.push_back(tried - old);
    noise.push_back(moved - old);
  }
  if (before.empty()) return std::nullopt;
  const Interval interval = interval_of(differences);
  return wire::TrialDifference{.before = mean_of(before),
                               .after = mean_of(after),
                               .mean = interval.mean,
                               .low = interval.low,
                               .high = interval.high,
                               .noise = kBand * rms_of(noise),
                               .floor = floor > 0 ? std::optional(floor * std::abs(mean_of(before))) : std::nullopt};
}

/// Whether every training of the Try was made to its end, so that its times can be compared.
bool is_whole(const wire::Trial& trial) {
  const auto whole = [&trial](const wire::TrialArm& arm) {
    return static_cast<std::int64_t>(arm.losses.size()) == trial.steps;
  };
  return !trial.seeds.empty() && std::all_of(trial.seeds.begin(), trial.seeds.end(), [&](const wire::TrialSeed& seed) {
    return whole(seed.before) && whole(seed.after) && whole(seed.noise);
  });
}

/// The difference of the mean losses over the steps that both policies made, where none is comparable with the noise:
/// losses are not finite, or a training was cut short.
wire::TrialDifference unjudged_difference(const wire::Trial& trial, const wire::TrialBasis& basis) {
  std::vector<double> before, after;
  for (const wire::PairedSteps& each : basis.seeds) {
    const std::vector<double> tried = wire::losses_in(trial, each, &wire::TrialSeed::after);
    if (tried.empty()) continue;
    before.push_back(mean_of(wire::losses_in(trial, each, &wire::TrialSeed::before)));
    after.push_back(mean_of(tried));
  }
  const double was = mean_of(before), is = mean_of(after);  // NaN without any
  return {.before = was, .after = is, .mean = is - was, .low = is - was, .high = is - was, .noise = wire::kNotMeasured};
}

/// Index of the first step from which the means of blocks, over all seeds, stay above `band`; `otherwise` if the last
/// block does not.
std::size_t stays_above(const std::vector<Paired>& seeds, double band, std::size_t otherwise) {
  const std::size_t end = 1 + std::max_element(seeds.begin(), seeds.end(), [](const Paired& a, const Paired& b) {
                                return a.steps.back() < b.steps.back();
                              })->steps.back();
  const std::size_t blocks = std::min(kBlocks, end);
  std::vector<double> sums(blocks), counts(blocks);
  for (const Paired& seed : seeds) {
    std::size_t block = 0;
    for (std::size_t i = 0; i < seed.size(); ++i) {
      while (seed.steps[i] >= block_begin(end, blocks, block + 1)) ++block;
      sums[block] += seed.difference[i];
      ++counts[block];
    }
  }
  std::size_t first = blocks;
  while (first > 0 && (counts[first - 1] == 0 || sums[first - 1] > band * counts[first - 1])) --first;
  return first == blocks ? otherwise : block_begin(end, blocks, first);
}

/// Whether `test` holds for the difference of all seeds together or, of three or more, for that of each alone:
/// Student's interval of few seeds is wide, and would hide harm that all show but that is larger in some.
template <class Test>
bool shows(const std::vector<Paired>& seeds, const wire::TrialDifference& together, bool late, const Test& test) {
  if (test(together)) return true;
  return seeds.size() >= kSeeds && std::all_of(seeds.begin(), seeds.end(),
                                               [&](const Paired& seed) { return test(loss_difference({seed}, late)); });
}

void judge_losses(wire::Trial& trial) {
  const wire::TrialBasis basis = wire::basis_of(trial);
  if (basis.kind != wire::TrialBasis::Kind::kJudged) {
    trial.loss = unjudged_difference(trial, basis);
    return;
  }
  std::vector<Paired> seeds;
  for (const wire::PairedSteps& each : basis.seeds) seeds.push_back(pair_up(trial, each));
  trial.loss = loss_difference(seeds, /*late=*/false);
  const auto equal = [](const Paired& seed) {
    return std::all_of(seed.difference.begin(), seed.difference.end(), [](double each) { return each == 0; });
  };
  if (std::all_of(seeds.begin(), seeds.end(), equal)) {
    trial.verdict = wire::TrialVerdict::kInsideNoise;
    return;
  }
  std::size_t fewest = seeds.front().size();
  for (const Paired& seed : seeds) fewest = std::min(fewest, seed.size());
  if (fewest < kFewest) return;
  const bool halved = fewest >= kFewestHalved;
  const wire::TrialDifference late = halved ? loss_difference(seeds, /*late=*/true) : trial.loss;
  const auto is_above = [](const wire::TrialDifference& each) { return each.low > wire::band_of(each); };
  const auto is_below = [](const wire::TrialDifference& each) { return each.high < -wire::band_of(each); };
  const bool worse = shows(seeds, trial.loss, /*late=*/false, is_above);
  const bool worse_late = shows(seeds, late, halved, is_above);
  const bool better = shows(seeds, trial.loss, /*late=*/false, is_below);
  const bool better_late = shows(seeds, late, halved, is_below);
  // What it does in the end decides where both halves contradict each other.
  if (worse_late || (worse && !better_late)) {
    trial.verdict = wire::TrialVerdict::kWorse;
    const bool is_late = !worse;
    const std::size_t otherwise = is_late ? seeds.front().steps[seeds.front().size() / 2] : seeds.front().steps.front();
    const double band = wire::band_of(is_late ? late : trial.loss);
    trial.worse_from = trial.first_step + static_cast<std::int64_t>(stays_above(seeds, band, otherwise));
    if (is_late) trial.late_loss = late;
  } else if (better_late || better) {
    trial.verdict = wire::TrialVerdict::kBetter;
    if (!better) trial.late_loss = late;
  } else if (std::abs(trial.loss.mean) > wire::band_of(trial.loss)) {
    trial.verdict = wire::TrialVerdict::kUnknown;  // the interval is too wide to tell
  } else {
    trial.verdict = wire::TrialVerdict::kInsideNoise;
  }
}

}  // namespace

void judge(wire::Trial& trial) {
  trial.verdict = wire::TrialVerdict::kUnknown;
  trial.worse_from.reset();
  trial.late_loss.reset();
  std::vector<const wire::TrialSeed*> usable;
  std::optional<std::size_t> diverged;
  bool fails = false;
  for (const wire::TrialSeed& seed : trial.seeds) {
    fails = fails || !seed.after.failure.empty();
    if (!wire::can_judge(seed)) continue;
    if (const auto at = wire::diverges_at(seed.after, seed.before)) diverged = std::min(*at, diverged.value_or(*at));
    usable.push_back(&seed);
  }
  judge_losses(trial);
  trial.evaluation = figure_difference(
      usable, kMatters, [](const wire::TrialArm& arm) { return arm.evaluation.value_or(wire::kNotMeasured); });
  trial.seconds = is_whole(trial) ? figure_difference(usable, 0, [](const wire::TrialArm& arm) { return arm.seconds; })
                                  : std::nullopt;
  if (fails) {
    trial.verdict = wire::TrialVerdict::kDoesNotRun;
    trial.worse_from.reset();
    trial.late_loss.reset();
  } else if (diverged) {
    trial.verdict = wire::TrialVerdict::kDiverged;
    trial.late_loss.reset();
    trial.worse_from = trial.first_step + static_cast<std::int64_t>(*diverged);
  } else if (std::any_of(usable.begin(), usable.end(), [](const wire::TrialSeed* seed) {
               return wire::skips_every_step(seed->before) || wire::skips_every_step(seed->after);
             })) {
    // The scale is still on its way down: nothing was trained, and equal losses show nothing.
    trial.verdict = wire::TrialVerdict::kUnknown;
    trial.worse_from.reset();
    trial.late_loss.reset();
  }
}

}  // namespace binade::trial
