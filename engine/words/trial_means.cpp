// SPDX-License-Identifier: Apache-2.0
#include "engine/words/trial_means.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

namespace binade::words {

namespace {

constexpr std::array<Arm, 3> kTrainings{&wire::TrialSeed::before, &wire::TrialSeed::after, &wire::TrialSeed::noise};

template <class Values>
double mean_of_all(const Values& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());  // NaN without any
}

}  // namespace

std::optional<double> TrialMeans::loss(Arm arm, std::int64_t steps) const {
  std::vector<double> means;
  for (const wire::PairedSteps& each : basis_.seeds) {
    std::vector<double> losses = wire::losses_in(trial_, each, arm);
    if (losses.empty()) return std::nullopt;
    const std::int64_t skipped = std::max<std::int64_t>(0, std::ssize(losses) - steps);
    losses.erase(losses.begin(), losses.begin() + skipped);
    means.push_back(mean_of_all(losses));
  }
  return means.empty() ? std::nullopt : std::optional(mean_of_all(means));
}

bool TrialMeans::has_last() const {
  return !basis_.seeds.empty() &&
         std::all_of(basis_.seeds.begin(), basis_.seeds.end(),
                     [](const wire::PairedSteps& each) { return std::ssize(each.steps) > kLast; });
}

template <class Known>
std::vector<double> TrialMeans::known(Arm arm, const Known& of) const {
  const auto knows = [&of](const wire::TrialSeed& seed, Arm each) {
    return !(seed.*each).losses.empty() && !std::isnan(of(seed.*each));
  };
  const auto in_all = [&knows](const wire::TrialSeed& seed) {
    return std::all_of(kTrainings.begin(), kTrainings.end(), [&](Arm each) { return knows(seed, each); });
  };
  const auto in_both = [&knows](const wire::TrialSeed& seed) {
    return knows(seed, &wire::TrialSeed::before) && knows(seed, &wire::TrialSeed::after);
  };
  const auto some = [this](const auto& test) {
    return std::any_of(basis_.seeds.begin(), basis_.seeds.end(),
                       [&](const wire::PairedSteps& each) { return test(trial_.seeds[each.seed]); });
  };
  const bool all = some(in_all);
  const bool both = !all && some(in_both);
  std::vector<double> values;
  for (const wire::PairedSteps& each : basis_.seeds) {
    const wire::TrialSeed& seed = trial_.seeds[each.seed];
    if ((all && !in_all(seed)) || (both && !in_both(seed)) || !knows(seed, arm)) continue;
    values.push_back(of(seed.*arm));
  }
  return values;
}

double TrialMeans::mean(Arm arm, double wire::TrialArm::*figure) const {
  return mean_of_all(known(arm, [figure](const wire::TrialArm& each) { return each.*figure; }));
}

double TrialMeans::mean(Arm arm, std::optional<double> wire::TrialArm::*figure) const {
  return mean_of_all(
      known(arm, [figure](const wire::TrialArm& each) { return (each.*figure).value_or(wire::kNotMeasured); }));
}

std::pair<double, double> TrialMeans::range(Arm arm, double wire::TrialArm::*figure) const {
  const std::vector<double> values = known(arm, [figure](const wire::TrialArm& each) { return each.*figure; });
  if (values.empty()) return {wire::kNotMeasured, wire::kNotMeasured};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {*low, *high};
}

std::int64_t TrialMeans::sum(Arm arm, std::int64_t wire::TrialArm::*count) const {
  std::int64_t all = 0;
  for (const wire::PairedSteps& each : basis_.seeds) all += (trial_.seeds[each.seed].*arm).*count;
  return all;
}

std::int64_t TrialMeans::steps_made(Arm arm) const {
  std::int64_t made = 0;
  for (const wire::PairedSteps& each : basis_.seeds) made += std::ssize((trial_.seeds[each.seed].*arm).losses);
  return made;
}

std::int64_t TrialMeans::steps_not_finite(Arm arm) const {
  std::int64_t count = 0;
  for (const wire::PairedSteps& each : basis_.seeds) {
    const std::vector<double>& losses = (trial_.seeds[each.seed].*arm).losses;
    count += std::count_if(losses.begin(), losses.end(), [](double loss) { return !std::isfinite(loss); });
  }
  return count;
}

bool TrialMeans::made_differ() const {
  std::int64_t made = 0;
  for (const Arm arm : kTrainings) {
    const std::int64_t here = steps_made(arm);
    if (here > 0 && made > 0 && here != made) return true;
    made = std::max(made, here);
  }
  return false;
}

}  // namespace binade::words
