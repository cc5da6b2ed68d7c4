// SPDX-License-Identifier: Apache-2.0
#include "engine/tuning/prove.h"

#include "engine/casts/tried_forward.h"
#include "engine/formats/error.h"
#include "engine/policy/base_policy.h"
#include "engine/wire/trial_divergence.h"
#include "profiler/step_estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace binade::tuning {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::int64_t kTimedSteps = 20;       // of the base, beside each policy whose time counts
constexpr double kLeastShareOfMemory = 0.001;  // of a step's peak
constexpr double kLeastShareOfTime = 0.01;     // of a step, below which two times of one policy differ as well

using Arm = wire::TrialArm wire::TrialSeed::*;

/// Median over the seeds of a figure of one arm; infinite if no arm has it.
double median_of(const wire::Trial& trial, Arm arm, double wire::TrialArm::*figure) {
  std::vector<double> all;
  for (const wire::TrialSeed& seed : trial.seeds) {
    const double value = seed.*arm.*figure;
    if (!std::isnan(value)) all.push_back(value);
  }
  if (all.empty()) return kInfinite;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>((all.size() - 1) / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

/// Seconds of the products and casts of a step on a GPU; infinite without an estimate.
double estimate_of(const wire::Trial& trial, Arm arm) {
  if (trial.estimates.empty()) return kInfinite;
  const wire::TrialEstimate& estimate = trial.estimates.front();
  return arm == &wire::TrialSeed::before ? estimate.before : estimate.after;
}

double cost_of(const wire::Trial& trial, Arm arm, const Proving& how) {
  switch (how.goal) {
    case search::Goal::kTime:
      return how.estimates_time ? estimate_of(trial, arm) : median_of(trial, arm, &wire::TrialArm::seconds);
    case search::Goal::kMemory:
      return median_of(trial, arm, &wire::TrialArm::peak_bytes);
    case search::Goal::kCasts:
      return median_of(trial, arm, &wire::TrialArm::casts);
    case search::Goal::kRepair:
      break;
  }
  return kInfinite;
}

/// Throws if the trainings that the policy was tried beside come to nothing, since no policy can then be proven.
void check_reference(const wire::Trial& trial, const Proving& how) {
  std::string reason;
  for (const wire::TrialSeed& seed : trial.seeds) {
    if (seed.before.failure.empty() && !wire::has_broken(seed.before)) return;
    if (reason.empty() && !seed.before.failure.empty()) reason = ": " + seed.before.failure;
  }
  while (reason.ends_with('.')) reason.pop_back();
  if (how.goal == search::Goal::kRepair && how.base == policy::float32_throughout()) {
    throw Error(ErrorCode::kBadRun, "The training fails in float32 throughout as well" + reason,
                "No format can repair that. Check the model, the data and the learning rate.");
  }
  if (how.goal == search::Goal::kRepair) {
    throw Error(ErrorCode::kBadRun, "The training fails without scaled formats as well" + reason,
                "Repair that first: start from the policy without them, or name wider formats with --formats.");
  }
  throw Error(
      ErrorCode::kBadRun,
      std::string("The policy that the search starts from does not ") + (reason.empty() ? "train" : "run") + reason,
      "Repair it first with --for repair, or start from another one with --policy.");
}

/// The cost of the base beside a policy that was just tried. A time is measured anew, since the Try may have taken it
/// from an earlier one, when the load of the machine was another.
double base_cost_of(const wire::Trial& trial, const Proving& how, trial::Trials& trials) {
  const bool holds = trial.verdict == wire::TrialVerdict::kInsideNoise || trial.verdict == wire::TrialVerdict::kBetter;
  if (how.goal == search::Goal::kTime && !how.estimates_time && holds) {
    const double now = trials.seconds_now(how.base, std::min(how.steps, kTimedSteps));
    if (!std::isnan(now)) return now;
  }
  return cost_of(trial, &wire::TrialSeed::before, how);
}

}  // namespace

search::Proof Prover::operator()(const policy::Policy& tried) {
  const bool repairs = how_.goal == search::Goal::kRepair;
  const wire::Trial trial = trials_.run(
      {.before = how_.base, .after = tried, .steps = how_.steps, .seeds = how_.seeds, .progress = how_.progress});
  if (!trial.complete) throw Error(ErrorCode::kCancelled, "The search was cancelled");
  check_reference(trial, how_);
  search::Proof proof;
  proof.verdict = trial.verdict;
  proof.gap = kInfinite;
  if (std::isfinite(trial.loss.mean)) {
    proof.gap = trial.loss.mean;
    proof.gap_noise = wire::band_of(trial.loss);
    proof.base_loss = trial.loss.before;
  }
  if (!repairs) {
    proof.cost = cost_of(trial, &wire::TrialSeed::after, how_);
    proof.base_cost = base_cost_of(trial, how_, trials_);
    // A policy that saves less is not worth its rules.
    if (how_.goal == search::Goal::kMemory && proof.base_cost)
      proof.cost_noise = kLeastShareOfMemory * *proof.base_cost;
    const bool timed = how_.goal == search::Goal::kTime && !how_.estimates_time;
    if (timed && trial.seconds) {
      proof.cost_noise = std::max(trial.seconds->noise, kLeastShareOfTime * *proof.base_cost);
    }
  }
  if (trial.evaluation) {
    proof.evaluation = trial.evaluation->after;
    proof.base_evaluation = trial.evaluation->before;
  }
  for (const wire::TrialSeed& seed : trial.seeds) {
    if (proof.reason.empty()) proof.reason = seed.after.failure;
    if (proof.reason.empty() && wire::skips_every_step(seed.after)) proof.reason = "Every step was skipped.";
  }
  return proof;
}

std::string estimated_gpu() {
  return std::string(profiler::quoted_peaks().front().gpu);  // the first of a Try's estimates too
}

bool times_are_of_emulation(const train::Training& training, const policy::Policy& base,
                            const formats::Format& candidate) {
  const auto emulates = [&training](const policy::Policy& policy) {
    return casts::is_emulated(*train::resolve(training, policy, 0));
  };
  policy::Policy everywhere = base;
  policy::SiteRule& rule = everywhere.sites.emplace_back();
  rule.match = "*";
  rule.format = candidate;
  return emulates(base) || emulates(everywhere);
}

}  // namespace binade::tuning
