// SPDX-License-Identifier: Apache-2.0
#include "engine/words/trial_means.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace binade::words {

namespace {

double mean(double sum, std::int64_t count) {
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

}  // namespace

double mean_of(const wire::Trial& trial, Arm arm, double wire::TrialArm::*figure) {
  double sum = 0;
  std::int64_t known = 0;
  for (const wire::TrialSeed& seed : trial.seeds) {
    const double value = (seed.*arm).*figure;
    if (std::isnan(value) || (seed.*arm).losses.empty()) continue;
    sum += value;
    ++known;
  }
  return mean(sum, known);
}

std::pair<double, double> range_of(const wire::Trial& trial, Arm arm, double wire::TrialArm::*figure) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::pair<double, double> range{kNone, kNone};
  for (const wire::TrialSeed& seed : trial.seeds) {
    const double value = (seed.*arm).*figure;
    if (std::isnan(value) || (seed.*arm).losses.empty()) continue;
    range.first = std::fmin(range.first, value);  // a NaN gives way
    range.second = std::fmax(range.second, value);
  }
  return range;
}

std::int64_t sum_of(const wire::Trial& trial, Arm arm, std::int64_t wire::TrialArm::*count) {
  std::int64_t sum = 0;
  for (const wire::TrialSeed& seed : trial.seeds) sum += (seed.*arm).*count;
  return sum;
}

bool has_steps(const wire::Trial& trial, Arm arm) {
  return std::any_of(trial.seeds.begin(), trial.seeds.end(),
                     [arm](const wire::TrialSeed& seed) { return !(seed.*arm).losses.empty(); });
}

double last_loss_of(const wire::Trial& trial, Arm arm, std::int64_t steps) {
  double sum = 0;
  std::int64_t known = 0;
  for (const wire::TrialSeed& seed : trial.seeds) {
    const std::vector<double>& losses = (seed.*arm).losses;
    const std::int64_t taken = std::min<std::int64_t>(steps, std::ssize(losses));
    if (taken <= 0) continue;
    double last = 0;
    for (auto loss = losses.end() - taken; loss != losses.end(); ++loss) last += *loss;
    sum += mean(last, taken);
    ++known;
  }
  return mean(sum, known);
}

}  // namespace binade::words
