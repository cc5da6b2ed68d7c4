// SPDX-License-Identifier: Apache-2.0
#include "engine/trial/arm.h"

#include "engine/formats/error.h"
#include "engine/graph/failure.h"
#include "engine/run/evaluation.h"
#include "engine/run/float32_question.h"
#include "engine/run/step.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace binade::trial {

namespace {

constexpr std::int64_t kNeverFinite = 10;  // losses in a row after which none is expected to be finite any more

double median(std::vector<double> values) {
  if (values.empty()) return wire::kNotMeasured;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// `seconds`: of each step made.
void add_scale_and_time(const train::Training& training, std::vector<double> seconds, wire::TrialArm& arm) {
  const bool scaled = training.scalers.size() > 0 && training.scalers.enabled(0);
  arm.scale = scaled ? training.scalers.scale(0) : wire::kNotMeasured;
  arm.seconds = median(std::move(seconds));
}

void evaluate(train::Training& training, std::int64_t step, wire::TrialArm& arm, const std::function<bool()>& stopped) {
  const auto evaluated = run::evaluate(training, step, stopped);
  if (!evaluated) return;
  arm.evaluation = evaluated->loss;
  if (!std::isnan(evaluated->accuracy)) arm.accuracy = evaluated->accuracy;
}

}  // namespace

std::string failure_of(const std::exception& error) {
  if (const auto* known = dynamic_cast<const Error*>(&error)) {
    switch (known->code) {
      case ErrorCode::kBadData:
      case ErrorCode::kBadFile:
      case ErrorCode::kCancelled:
      case ErrorCode::kInternal:
        throw;
      default:
        break;
    }
  }
  return graph::reason_of(error);
}

ArmRun run_arm(train::Training& training, std::int64_t first_step, std::int64_t steps, const ArmWatch& watch) {
  ArmRun result;
  wire::TrialArm& arm = result.arm;
  std::vector<double> seconds;
  std::int64_t not_finite = 0;  // losses in a row
  const ArmSoFar so_far = [&] {
    wire::TrialArm now = arm;
    now.finite_weights = std::isfinite(run::norm_of_weights(training));
    add_scale_and_time(training, seconds, now);
    return now;
  };
  try {
    run::Stepper stepper(training, /*replays=*/false);
    for (std::int64_t made = 0; made < steps && not_finite < kNeverFinite && !result.cancelled; ++made) {
      const run::StepOutcome outcome = stepper.run(first_step + made);
      const wire::StepRecord& record = outcome.record;
      arm.losses.push_back(record.loss);
      arm.overflows += record.found_inf ? 1 : 0;
      arm.skipped += record.stepped ? 0 : 1;
      seconds.push_back(record.seconds);
      const bool counts = !std::isfinite(record.loss) && !outcome.without_label;
      not_finite = counts ? not_finite + 1 : 0;
      result.cancelled = !watch(made + 1, so_far);
    }
    arm.finite_weights = std::isfinite(run::norm_of_weights(training));
    if (!result.cancelled && not_finite < kNeverFinite) {
      const auto stopped = [&] { return result.cancelled = result.cancelled || !watch(steps, so_far); };
      evaluate(training, first_step + steps, arm, stopped);
    }
  } catch (const std::exception& error) {
    arm.failure = failure_of(error);
  }
  add_scale_and_time(training, std::move(seconds), arm);
  return result;
}

}  // namespace binade::trial
