// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/trial_divergence.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace binade::wire {

namespace {

constexpr double kRunaway = 10;         // times the largest loss before
constexpr std::size_t kLast = 3;        // steps at the end that have to show it, since single batches may stand out
constexpr std::int64_t kToSettle = 10;  // steps that a scale may skip until it fits

bool is_finite(double value) {
  return std::isfinite(value);
}

/// Number of steps at the end for which `shows` holds.
template <class Shows>
std::size_t last_steps(const std::vector<double>& losses, const Shows& shows) {
  const auto first = std::find_if_not(losses.rbegin(), losses.rend(), shows);
  return static_cast<std::size_t>(first - losses.rbegin());
}

/// Whether the arm never took a step, and the scale can no longer be on its way down.
bool finds_no_scale(const TrialArm& arm) {
  return skips_every_step(arm) && (arm.skipped >= kToSettle || arm.scale < 1);
}

}  // namespace

bool has_broken(const TrialArm& before) {
  const std::vector<double>& losses = before.losses;
  const std::size_t last = last_steps(losses, [](double loss) { return !is_finite(loss); });
  return !before.finite_weights || finds_no_scale(before) || (last > 0 && last >= std::min(kLast, losses.size()));
}

std::optional<std::size_t> diverges_at(const TrialArm& arm, const TrialArm& before) {
  const std::vector<double>& losses = arm.losses;
  if (losses.empty()) return std::nullopt;
  std::optional<std::size_t> first;
  std::size_t only_here = 0, only_before = 0;
  double largest = 0;
  for (std::size_t i = 0; i < std::min(losses.size(), before.losses.size()); ++i) {
    const double usual = before.losses[i];
    if (is_finite(usual)) largest = std::max(largest, std::abs(usual));
    if (!is_finite(losses[i]) && is_finite(usual)) {
      ++only_here;
      if (!first) first = i;
    }
    if (is_finite(losses[i]) && !is_finite(usual)) ++only_before;
  }
  if (only_here > only_before) return first;
  const std::size_t end = losses.size() - 1;
  if (!arm.finite_weights) return end;
  if (arm.evaluation && before.evaluation && !is_finite(*arm.evaluation) && is_finite(*before.evaluation)) return end;
  const double limit = kRunaway * largest;
  const std::size_t away = last_steps(losses, [limit](double loss) { return loss > limit; });
  if (largest > 0 && away > 0 && away >= std::min(kLast, losses.size())) return losses.size() - away;
  if (finds_no_scale(arm)) return 0;
  return std::nullopt;
}

}  // namespace binade::wire
