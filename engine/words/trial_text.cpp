// SPDX-License-Identifier: Apache-2.0
#include "engine/words/trial_text.h"

#include "engine/wire/trial_basis.h"
#include "engine/words/numbers.h"
#include "engine/words/trial_means.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace binade::words {

namespace {

/// Writes a difference, its interval and its noise in one notation: two digits of the largest part after the point, or
/// all as powers of ten where that is small.
class Digits {
 public:
  explicit Digits(const wire::TrialDifference& difference) {
    double size = 0;
    for (const double part : {difference.mean, difference.low, difference.high, difference.noise}) {
      if (std::isfinite(part)) size = std::max(size, std::abs(part));
    }
    constexpr double kLargest = 1e6;
    plain_ = size == 0 || (size >= kSmallestPlain && size < kLargest);
    if (plain_ && size > 0) after_point_ = std::max(0, 1 - static_cast<int>(std::floor(std::log10(size))));
  }

  std::string operator()(double value, bool sign = false) const {
    std::array<char, 48> text{};
    if (plain_ && std::abs(value) < 0.5 * std::pow(10, -after_point_)) value = 0;  // never `-0.00`
    if (plain_ && std::isfinite(value)) {
      std::snprintf(text.data(), text.size(), sign ? "%+.*f" : "%.*f", after_point_, value);
    } else {
      std::snprintf(text.data(), text.size(), sign ? "%+.2g" : "%.2g", value);
    }
    return text.data();
  }

  /// A size: the noise or the floor. Where it is far smaller than the interval it has digits of its own, since it is
  /// not 0.
  std::string size(double value) const {
    const bool vanishes = plain_ && value > 0 && value < 0.5 * std::pow(10, -after_point_);
    if (!vanishes) return (*this)(value);
    return value < kSmallestPlain ? "less than 0.0001" : figure(value);
  }

 private:
  static constexpr double kSmallestPlain = 1e-4;
  bool plain_ = true;
  int after_point_ = 0;
};

std::string steps_of(std::int64_t steps) {
  return grouped(static_cast<std::uint64_t>(std::max<std::int64_t>(0, steps)));
}

bool has_losses(const wire::Trial& trial) {
  return std::any_of(trial.seeds.begin(), trial.seeds.end(), [](const wire::TrialSeed& each) {
    return !each.before.losses.empty() && !each.after.losses.empty();
  });
}

/// Whether both policies gave the same losses to the bit.
bool are_equal(const wire::Trial& trial) {
  return has_losses(trial) && std::all_of(trial.seeds.begin(), trial.seeds.end(), [](const wire::TrialSeed& each) {
           return each.before.losses == each.after.losses;
         });
}

/// The first failure of a policy; empty if none failed.
std::string failure_of(const wire::Trial& trial, const wire::TrialArm wire::TrialSeed::*arm) {
  for (const wire::TrialSeed& seed : trial.seeds) {
    if (!(seed.*arm).failure.empty()) return (seed.*arm).failure;
  }
  return {};
}

/// Texts of failures end with or without a full stop.
std::string closed(std::string text) {
  return text.empty() || text.back() == '.' ? text : std::move(text) + ".";
}

std::string loss_sentence(const wire::Trial& trial) {
  if (!has_losses(trial)) return "The policy tried made no step.";
  if (are_equal(trial)) return "The loss of every step is the same to the bit.";
  if (!std::isfinite(trial.loss.mean))
    return "Loss " + figure(trial.loss.before) + " before, " + figure(trial.loss.after) + " after.";
  return "Loss " + loss_text(trial) + ".";
}

/// A weight may be lost in the last step, which no loss shows.
bool lost_a_weight(const wire::Trial& trial) {
  return std::any_of(trial.seeds.begin(), trial.seeds.end(),
                     [](const wire::TrialSeed& each) { return !each.after.finite_weights; });
}

/// Whether a training comes to nothing: its last loss or a weight is not finite, or the optimizer made no step.
bool breaks(const wire::TrialArm& arm) {
  if (arm.losses.empty()) return false;
  return !std::isfinite(arm.losses.back()) || !arm.finite_weights || wire::skips_every_step(arm);
}

/// Whether the policy gives no op call another format than float32, by what it states.
bool is_float32_throughout(const policy::Policy& policy) {
  return policy.base == policy::Base::kAllFloat32 && policy.ops.empty() && policy.sites.empty();
}

std::string why_unknown(const wire::Trial& trial) {
  const std::string failure = failure_of(trial, &wire::TrialSeed::before);
  if (!failure.empty()) return "The policy before fails: " + closed(failure);
  const auto some_break = [&trial](const wire::TrialArm wire::TrialSeed::*arm) {
    return std::any_of(trial.seeds.begin(), trial.seeds.end(),
                       [arm](const wire::TrialSeed& each) { return breaks(each.*arm); });
  };
  if (some_break(&wire::TrialSeed::before)) {
    if (some_break(&wire::TrialSeed::after)) return "The policy before diverges as well.";
    if (is_float32_throughout(trial.after)) {
      return "The policy before diverges, and float32 throughout does not. Search for the smallest repair (search "
             "--for "
             "repair), or try the policies the other way round.";
    }
    return "The policy before diverges, and the one tried does not. Compare it with float32.";
  }
  const auto skips = [](const wire::TrialSeed& each) { return wire::skips_every_step(each.after); };
  if (std::any_of(trial.seeds.begin(), trial.seeds.end(), skips))
    return "Every step of the policy tried was skipped, since its loss scale does not fit yet. More steps can tell.";
  if (some_break(&wire::TrialSeed::noise)) return "Rounding alone makes the policy before diverge.";
  return has_losses(trial) ? "More steps or seeds can tell." : "";
}

std::string time_sentence(const wire::Trial& trial) {
  const wire::TrialDifference& time = *trial.seconds;
  const auto one = [](double seconds, bool emulated) { return duration(seconds) + (emulated ? " emulated" : ""); };
  std::string text = "A step takes " + one(time.before, trial.emulated_before) + " before, " +
                     one(time.after, trial.emulated_after) + " after";
  if (trial.emulated_before || trial.emulated_after)
    return text + ". A time that is emulated says nothing about the formats.";
  if (!(time.before > 0)) return text + ".";
  const auto share = [&](double seconds) { return 100 * seconds / time.before; };
  std::array<char, 96> change{};
  if (time.low < time.high) {
    std::snprintf(change.data(), change.size(), " (%+.1f %%, 95 %%: %+.1f to %+.1f %%).", share(time.mean),
                  share(time.low), share(time.high));
  } else {
    std::snprintf(change.data(), change.size(), " (%+.1f %%).", share(time.mean));
  }
  return text + change.data();
}

std::string incomplete_sentence(const wire::Trial& trial) {
  std::int64_t made = 0;
  for (const wire::TrialSeed& seed : trial.seeds) {
    for (const auto* arm : {&seed.before, &seed.after, &seed.noise}) made += std::ssize(arm->losses);
  }
  return "It was ended early, after " + steps_of(made) + " steps of its trainings.";
}

std::string kind_text(wire::TrialBasis::Kind kind) {
  switch (kind) {
    case wire::TrialBasis::Kind::kJudged:
      return "those that all three trainings have, with a finite loss";
    case wire::TrialBasis::Kind::kBothPolicies:
      return "those that both policies have";
    case wire::TrialBasis::Kind::kPolicyBefore:
      return "those that the policy before has";
  }
  return {};
}

/// Which steps and seeds the figures rest on; empty if these are all.
std::string basis_sentence(const wire::Trial& trial) {
  const wire::TrialBasis basis = wire::basis_of(trial);
  const std::int64_t seeds = std::ssize(trial.seeds);
  const std::int64_t all = seeds * trial.steps;
  if (basis.seeds.empty() || basis.steps() >= all) return {};
  std::string text = "The figures rest on " + steps_of(basis.steps()) + " of " + steps_of(all) + " steps";
  if (std::ssize(basis.seeds) < seeds)
    text += " and " + steps_of(std::ssize(basis.seeds)) + " of " + steps_of(seeds) + " seeds";
  return text + ": " + kind_text(basis.kind) + ".";
}

void add_given_up(const wire::Trial& trial, const char* which, wire::TrialTraining training,
                  std::vector<std::string>& facts) {
  const auto made = wire::given_up_after(trial, training);
  if (!made) return;
  facts.push_back("The training " + std::string(which) + " was given up after " + steps_of(*made) + " of " +
                  steps_of(trial.steps) + " steps, since its losses were no longer finite.");
}

/// By how many the overflows differ, beyond what rounding alone does: `removes 3 overflows`. Empty: they do not, or the
/// trainings made different numbers of steps.
std::string overflows_change(const wire::Trial& trial) {
  const TrialMeans means(trial);
  if (means.seeds() == 0 || means.made_differ()) return {};
  const auto overflows = [&means](Arm arm) { return means.sum(arm, &wire::TrialArm::overflows); };
  const std::int64_t before = overflows(&wire::TrialSeed::before);
  const std::int64_t by = overflows(&wire::TrialSeed::after) - before;
  const bool has_noise = means.steps_made(&wire::TrialSeed::noise) > 0;
  const std::int64_t band = has_noise ? std::abs(overflows(&wire::TrialSeed::noise) - before) : 0;
  if (std::abs(by) <= band) return {};
  const std::string count = steps_of(std::abs(by)) + (std::abs(by) == 1 ? " overflow" : " overflows");
  return (by < 0 ? "removes " : "adds ") + count;
}

}  // namespace

std::string verdict_text(wire::TrialVerdict verdict, std::optional<std::int64_t> worse_from) {
  const auto at = [&worse_from](const char* word, const char* preposition) {
    return word + (worse_from ? std::string(preposition) + steps_of(*worse_from) : std::string());
  };
  switch (verdict) {
    case wire::TrialVerdict::kInsideNoise:
      return "inside the noise";
    case wire::TrialVerdict::kBetter:
      return "better";
    case wire::TrialVerdict::kWorse:
      return at("worse", " from step ");
    case wire::TrialVerdict::kDiverged:
      return at("diverged", " at step ");
    case wire::TrialVerdict::kDoesNotRun:
      return "does not run";
    case wire::TrialVerdict::kUnknown:
      return "unknown";
  }
  return {};
}

std::string verdict_text(const wire::Trial& trial) {
  return verdict_text(trial.verdict, trial.worse_from);
}

std::string interval_text(const wire::TrialDifference& difference) {
  const Digits digits(difference);
  const std::string text = digits(difference.mean, true);
  if (!(difference.low < difference.high)) return text;
  return text + " (" + digits(difference.low) + " to " + digits(difference.high) + ")";
}

std::string band_text(const wire::TrialDifference& difference) {
  const double band = wire::band_of(difference);
  if (std::isnan(band)) return {};
  const std::string text = Digits(difference).size(band);
  return band > difference.noise ? text + " (floor)" : text;
}

std::string difference_text(const wire::TrialDifference& difference) {
  const std::string text = interval_text(difference);
  if (std::isnan(difference.noise)) return text;
  return text + ", rounding alone moves it by " + Digits(difference).size(difference.noise);
}

std::string loss_text(const wire::Trial& trial) {
  const std::string text = difference_text(trial.loss);
  const bool by_floor = trial.verdict == wire::TrialVerdict::kInsideNoise && wire::floor_decides(trial.loss);
  return by_floor ? text + "; " + floor_text(trial.loss) : text;
}

std::string floor_text(const wire::TrialDifference& difference) {
  const double floor = difference.floor.value_or(0);
  const double whole = std::abs(difference.before);
  return "differences below " + (whole > 0 ? percent(floor / whole) + " of the loss" : figure(floor)) +
         " count as equal";
}

std::string sentence_of(const wire::Trial& trial) {
  std::string text = verdict_sentence(trial) + " " + verdict_basis(trial);
  if (trial.name.empty()) return text;
  text.front() = static_cast<char>(text.front() - 'A' + 'a');
  return trial.name + ": " + text;
}

std::string verdict_sentence(const wire::Trial& trial) {
  std::string text = verdict_text(trial);
  const std::string change = overflows_change(trial);
  const bool leads = trial.verdict == wire::TrialVerdict::kInsideNoise || trial.verdict == wire::TrialVerdict::kBetter;
  if (!change.empty() && leads) text = change + "; the loss is " + text;
  if (!change.empty() && trial.verdict == wire::TrialVerdict::kWorse) text += "; " + change;
  text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text + ".";
}

std::string verdict_basis(const wire::Trial& trial) {
  if (trial.verdict == wire::TrialVerdict::kDoesNotRun) {
    const std::string failure = failure_of(trial, &wire::TrialSeed::after);
    return failure.empty() ? "A step failed." : closed(failure);
  }
  const std::string text = loss_sentence(trial);
  if (trial.verdict == wire::TrialVerdict::kDiverged && lost_a_weight(trial))
    return text + " At the end a weight is NaN or infinite.";
  if (trial.verdict != wire::TrialVerdict::kUnknown) return text;
  const std::string why = why_unknown(trial);
  return why.empty() ? text : text + " " + why;
}

std::vector<std::string> facts_of(const wire::Trial& trial) {
  std::vector<std::string> facts;
  if (!trial.complete) facts.push_back(incomplete_sentence(trial));
  add_given_up(trial, "before", &wire::TrialSeed::before, facts);
  add_given_up(trial, "after", &wire::TrialSeed::after, facts);
  add_given_up(trial, "for the noise", &wire::TrialSeed::noise, facts);
  if (const std::string basis = basis_sentence(trial); !basis.empty()) facts.push_back(basis);
  if (trial.late_loss)
    facts.push_back("The verdict rests on the last half of the steps, with a loss of " +
                    difference_text(*trial.late_loss) + ".");
  if (trial.evaluation) facts.push_back("Evaluation " + difference_text(*trial.evaluation) + ".");
  if (trial.seconds) facts.push_back(time_sentence(trial));
  for (const wire::TrialEstimate& each : trial.estimates) {
    facts.push_back("On " + each.gpu + " the products and casts of a step take at least " + duration(each.before) +
                    " before, " + duration(each.after) + " after: an estimate from quoted figures.");
  }
  for (const std::string& note : trial.notes) facts.push_back("Note: " + closed(note));
  return facts;
}

}  // namespace binade::words
