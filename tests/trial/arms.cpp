// SPDX-License-Identifier: Apache-2.0
#include "tests/trial/arms.h"

#include <cmath>
#include <numbers>
#include <random>
#include <utility>

namespace binade::test {

namespace {

/// Box and Muller's method: std::normal_distribution differs between libraries.
double normal(std::mt19937_64& random) {
  const auto uniform = [&random] { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; };
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

}  // namespace

std::vector<double> learning(std::size_t steps) {
  std::vector<double> losses;
  for (std::size_t i = 0; i < steps; ++i) {
    const auto step = static_cast<double>(i);
    losses.push_back(0.5 + 1.5 * std::exp(-step / 40) + 0.1 * std::sin(1.7 * step));
  }
  return losses;
}

std::vector<double> changed(std::vector<double> losses, const std::function<double(std::size_t step)>& by) {
  for (std::size_t i = 0; i < losses.size(); ++i) losses[i] += by(i);
  return losses;
}

wire::TrialArm armOf(std::vector<double> losses) {
  wire::TrialArm arm;
  arm.losses = std::move(losses);
  return arm;
}

wire::Trial trialOf(std::vector<double> before, std::vector<double> after, std::vector<double> noise) {
  wire::Trial trial;
  trial.first_step = 1000;
  trial.steps = static_cast<std::int64_t>(before.size());
  wire::TrialSeed& seed = trial.seeds.emplace_back();
  seed.before = armOf(std::move(before));
  seed.after = armOf(std::move(after));
  seed.noise = armOf(std::move(noise));
  return trial;
}

std::vector<double> drawn(std::uint64_t seed, std::size_t steps, double size, double correlation) {
  std::mt19937_64 random(seed);
  std::vector<double> all;
  const double fresh = std::sqrt(1 - correlation * correlation);
  double value = normal(random);
  for (std::size_t i = 0; i < steps; ++i) {
    all.push_back(size * value);
    value = correlation * value + fresh * normal(random);
  }
  return all;
}

}  // namespace binade::test
