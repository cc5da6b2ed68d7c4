// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/trial_basis.h"

#include "engine/wire/trial_divergence.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace binade::wire {

namespace {

std::vector<std::size_t> finite_in_all(const TrialSeed& seed) {
  const auto& before = seed.before.losses;
  const auto& after = seed.after.losses;
  const auto& noise = seed.noise.losses;
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < std::min({before.size(), after.size(), noise.size()}); ++i) {
    if (std::isfinite(before[i]) && std::isfinite(after[i]) && std::isfinite(noise[i])) steps.push_back(i);
  }
  return steps;
}

std::vector<std::size_t> first_steps(std::size_t count) {
  std::vector<std::size_t> steps(count);
  std::iota(steps.begin(), steps.end(), std::size_t{0});
  return steps;
}

/// Whether a training is the last one that was begun of a seed. If the Try was ended early, it was cut by that.
bool is_last_begun(const TrialSeed& seed, const TrialArm& training) {
  if (&training == &seed.before) return seed.after.losses.empty() && seed.noise.losses.empty();
  return &training == &seed.noise || seed.noise.losses.empty();
}

template <class StepsOf>
std::vector<PairedSteps> pair_up(const Trial& trial, const StepsOf& steps_of) {
  std::vector<PairedSteps> all;
  for (std::size_t i = 0; i < trial.seeds.size(); ++i) {
    std::vector<std::size_t> steps = steps_of(trial.seeds[i]);
    if (!steps.empty()) all.push_back({.seed = i, .steps = std::move(steps)});
  }
  return all;
}

}  // namespace

std::int64_t TrialBasis::steps() const {
  std::int64_t sum = 0;
  for (const PairedSteps& each : seeds) sum += std::ssize(each.steps);
  return sum;
}

bool can_judge(const TrialSeed& seed) {
  return seed.before.failure.empty() && !has_broken(seed.before) && seed.noise.failure.empty() &&
         !diverges_at(seed.noise, seed.before);
}

TrialBasis basis_of(const Trial& trial) {
  TrialBasis basis;
  basis.seeds = pair_up(
      trial, [](const TrialSeed& seed) { return can_judge(seed) ? finite_in_all(seed) : std::vector<std::size_t>{}; });
  basis.kind = TrialBasis::Kind::kJudged;
  if (!basis.seeds.empty()) return basis;
  basis.seeds = pair_up(trial, [](const TrialSeed& seed) {
    return first_steps(std::min(seed.before.losses.size(), seed.after.losses.size()));
  });
  basis.kind = TrialBasis::Kind::kBothPolicies;
  if (!basis.seeds.empty()) return basis;
  basis.seeds = pair_up(trial, [](const TrialSeed& seed) { return first_steps(seed.before.losses.size()); });
  basis.kind = TrialBasis::Kind::kPolicyBefore;
  return basis;
}

std::vector<double> losses_in(const Trial& trial, const PairedSteps& paired, TrialTraining training) {
  const std::vector<double>& all = (trial.seeds[paired.seed].*training).losses;
  if (all.size() <= paired.steps.back()) return {};
  std::vector<double> losses;
  for (const std::size_t step : paired.steps) losses.push_back(all[step]);
  return losses;
}

std::optional<std::int64_t> given_up_after(const Trial& trial, TrialTraining training) {
  for (const TrialSeed& seed : trial.seeds) {
    const TrialArm& arm = seed.*training;
    if (!trial.complete && &seed == &trial.seeds.back() && is_last_begun(seed, arm)) continue;
    const std::int64_t made = std::ssize(arm.losses);
    if (made > 0 && made < trial.steps && arm.failure.empty() && !std::isfinite(arm.losses.back())) return made;
  }
  return std::nullopt;
}

}  // namespace binade::wire
