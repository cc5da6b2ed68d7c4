// SPDX-License-Identifier: Apache-2.0
#include "engine/words/trial_rows.h"

#include "engine/words/numbers.h"
#include "engine/words/scale_text.h"
#include "engine/words/trial_means.h"
#include "engine/words/trial_text.h"

#include <cmath>
#include <optional>

namespace binade::words {

namespace {

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

}  // namespace

std::vector<TrialRow> trial_rows(const wire::Trial& trial) {
  using TrialArm = wire::TrialArm;
  const TrialMeans means(trial);
  std::vector<TrialRow> rows;
  const auto losses = [&means](std::int64_t steps) {
    return [&means, steps](Arm arm) {
      const std::optional<double> loss = means.loss(arm, steps);
      return loss ? figure(*loss) : std::string();
    };
  };
  add_row(rows, "loss, mean of the steps", losses(TrialMeans::kAll));
  if (!rows.empty() && std::isfinite(trial.loss.mean)) {
    rows.push_back({"loss, mean difference", "", interval_text(trial.loss), band_text(trial.loss)});
  }
  if (trial.late_loss) {
    rows.push_back(
        {"loss, mean difference in the last half", "", interval_text(*trial.late_loss), band_text(*trial.late_loss)});
  }
  if (means.has_last()) {
    add_row(rows, "loss, mean of the last " + std::to_string(TrialMeans::kLast) + " steps", losses(TrialMeans::kLast));
  }
  const auto size = [&means](auto TrialArm::*of, std::string (*text)(double)) {
    return [&means, of, text](Arm arm) { return text_if_known(means.mean(arm, of), text); };
  };
  add_row(rows, "loss on the test data", size(&TrialArm::evaluation, figure));
  add_row(rows, "accuracy on the test data", size(&TrialArm::accuracy, percent));
  const bool differ = means.made_differ();
  const auto counted = [&means, differ](Arm arm, std::int64_t count) {
    const std::int64_t made = means.steps_made(arm);
    if (made == 0) return std::string();
    const std::string text = grouped(static_cast<std::uint64_t>(count));
    return differ ? text + " in " + grouped(static_cast<std::uint64_t>(made)) : text;
  };
  const auto count = [&](std::int64_t TrialArm::*of) {
    return [&counted, &means, of](Arm arm) { return counted(arm, means.sum(arm, of)); };
  };
  const std::string of_seeds = means.seeds() > 1 ? ", sum of " + std::to_string(means.seeds()) + " seeds" : "";
  const auto diverging = [&](Arm arm) { return means.steps_not_finite(arm) > 0; };
  if (diverging(&wire::TrialSeed::before) || diverging(&wire::TrialSeed::after) || diverging(&wire::TrialSeed::noise)) {
    add_row(rows, "steps without a finite loss" + of_seeds,
            [&](Arm arm) { return counted(arm, means.steps_not_finite(arm)); });
  }
  add_row(rows, "overflows" + of_seeds, count(&TrialArm::overflows));
  add_row(rows, "skipped steps" + of_seeds, count(&TrialArm::skipped));
  add_row(rows, "loss scale at the end", [&](Arm arm) {
    const auto [low, high] = means.range(arm, &TrialArm::scale);
    return low < high ? scale_text(low) + " to " + scale_text(high) : text_if_known(low, scale_text);
  });
  add_row(rows, "time of a step", [&](Arm arm) {
    const std::string time = text_if_known(means.mean(arm, &TrialArm::seconds), duration);
    const bool emulated = arm == &wire::TrialSeed::after ? trial.emulated_after : trial.emulated_before;
    return emulated && !time.empty() ? time + " emulated" : time;
  });
  add_row(rows, "copies made by casts in a step", size(&TrialArm::casts, figure));
  add_row(rows, "bytes written by casts in a step", size(&TrialArm::cast_bytes, bytes));
  add_row(rows, "memory of a step", size(&TrialArm::peak_bytes, bytes));
  return rows;
}

}  // namespace binade::words
