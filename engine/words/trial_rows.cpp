// SPDX-License-Identifier: Apache-2.0
#include "engine/words/trial_rows.h"

#include "engine/words/numbers.h"
#include "engine/words/scale_text.h"
#include "engine/words/trial_means.h"

#include <cmath>
#include <optional>

namespace binade::words {

namespace {

constexpr std::int64_t kLastSteps = 20;

std::string text_if_known(double value, std::string (*text)(double)) {
  return std::isnan(value) ? std::string() : text(value);
}

/// Calls `figure` for each training.
template <class Figure>
void add_row(std::vector<TrialRow>& rows, const std::string& what, Figure figure) {
  TrialRow row{what, figure(&wire::TrialSeed::before), figure(&wire::TrialSeed::after),
               figure(&wire::TrialSeed::noise)};
  if (!row.before.empty() || !row.after.empty() || !row.noise.empty()) rows.push_back(row);
}

double mean_of_known(const wire::Trial& trial, Arm arm, std::optional<double> wire::TrialArm::*figure) {
  double sum = 0;
  double count = 0;
  for (const wire::TrialSeed& seed : trial.seeds) {
    if (const std::optional<double>& value = (seed.*arm).*figure) {
      sum += *value;
      ++count;
    }
  }
  return sum / count;  // NaN without any
}

}  // namespace

std::vector<TrialRow> trial_rows(const wire::Trial& trial) {
  using TrialArm = wire::TrialArm;
  std::vector<TrialRow> rows;
  // NaN is a loss here, not an unknown one.
  const char* loss = trial.steps > kLastSteps ? "loss, mean of the last 20 steps" : "loss, mean of the steps";
  add_row(rows, loss, [&](Arm arm) {
    return has_steps(trial, arm) ? figure(last_loss_of(trial, arm, kLastSteps)) : std::string();
  });
  add_row(rows, "loss on the test data",
          [&](Arm arm) { return text_if_known(mean_of_known(trial, arm, &TrialArm::evaluation), figure); });
  add_row(rows, "accuracy on the test data",
          [&](Arm arm) { return text_if_known(mean_of_known(trial, arm, &TrialArm::accuracy), percent); });
  const auto count = [&](std::int64_t TrialArm::*of) {
    return [&trial, of](Arm arm) {
      return has_steps(trial, arm) ? grouped(static_cast<std::uint64_t>(sum_of(trial, arm, of))) : std::string();
    };
  };
  const auto size = [&](double TrialArm::*of, std::string (*text)(double)) {
    return [&trial, of, text](Arm arm) { return text_if_known(mean_of(trial, arm, of), text); };
  };
  const std::string of_seeds =
      trial.seeds.size() > 1 ? ", sum of " + std::to_string(trial.seeds.size()) + " seeds" : std::string();
  add_row(rows, "overflows" + of_seeds, count(&TrialArm::overflows));
  add_row(rows, "skipped steps" + of_seeds, count(&TrialArm::skipped));
  add_row(rows, "loss scale at the end", [&](Arm arm) {
    const auto [low, high] = range_of(trial, arm, &TrialArm::scale);
    return low < high ? scale_text(low) + " to " + scale_text(high) : text_if_known(low, scale_text);
  });
  add_row(rows, "time of a step", [&](Arm arm) {
    const std::string time = text_if_known(mean_of(trial, arm, &TrialArm::seconds), duration);
    const bool emulated = arm == &wire::TrialSeed::after ? trial.emulated_after : trial.emulated_before;
    return emulated && !time.empty() ? time + " emulated" : time;
  });
  add_row(rows, "copies made by casts in a step", size(&TrialArm::casts, figure));
  add_row(rows, "bytes written by casts in a step", size(&TrialArm::cast_bytes, bytes));
  add_row(rows, "memory of a step", size(&TrialArm::peak_bytes, bytes));
  return rows;
}

}  // namespace binade::words
