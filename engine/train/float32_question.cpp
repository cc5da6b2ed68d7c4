// SPDX-License-Identifier: Apache-2.0
#include "engine/train/float32_question.h"

#include "engine/train/checkpoint.h"
#include "engine/train/device.h"
#include "engine/train/random_state.h"
#include "engine/train/step.h"
#include "engine/train/switch_policy.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/linalg_vector_norm.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>

namespace binade::train {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMostSteps = 300;  // from the start to the step in question
constexpr std::int64_t kBeyond = 20;      // steps behind it: formats end before float32 does
constexpr double kMostSeconds = 60;
constexpr double kRise = 20;    // of the loss above the usual
constexpr double kGrowth = 30;  // of the weights' norm
constexpr double kSound = 1.2;  // the same of a learning rate that is proposed
constexpr double kRates[] = {0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6};

policy::Policy float32_policy() {
  policy::Policy policy;
  policy.base = policy::Base::kAllFloat32;
  policy::SiteRule& all = policy.sites.emplace_back();
  constexpr char kAny = '*';  // not assigned as a string: GCC 12 takes that for an overlap
  all.match.push_back(kAny);  // a rule for every site also overrules a model's own autocast blocks
  all.format = formats::kFloat32;
  return policy;
}

wire::RunConfig in_float32(wire::RunConfig config, double rate, const Float32Question& question) {
  config.policy = float32_policy();
  config.scaler.enabled = false;
  config.scaler_given = true;
  for (wire::ScalerConfig& scaler : config.scalers) scaler.enabled = false;
  config.observe = {};
  config.observe.level = "off";
  config.observe.live = 0;
  config.profile = {};
  config.checkpoint = {};
  config.run_file.clear();
  config.resume = question.checkpoint;
  config.data.prefetch = 0;
  config.evaluate_every = 0;
  config.optimizer.learning_rate *= rate;
  for (wire::ParameterGroup& group : config.optimizer.groups) {
    if (group.learning_rate) *group.learning_rate *= rate;
  }
  return config;
}

class Asking {
 public:
  Asking(const wire::RunConfig& config, const Float32Question& question) : config_(config), question_(question) {}

  Float32Answer answer() {
    Float32Answer answer;
    if (question_.step - question_.from > kMostSteps) {
      answer.why = "it would take " + std::to_string(question_.step - question_.from) +
                   " steps; with checkpoint.every it can be asked from the last checkpoint";
      return answer;
    }
    const auto as_it_is = follow(1, nullptr);
    if (!as_it_is) return unknown();
    answer.diverges = as_it_is->diverged;
    answer.at = as_it_is->at;
    answer.loss = as_it_is->loss;
    answer.growth = as_it_is->growth;
    if (!as_it_is->diverged) return answer;
    ReplacedRows replaced;
    const auto without = follow(1, &replaced);
    if (without && !replaced.empty() && !without->diverged) {
      answer.rows_step = replaced.begin()->first / std::max<std::int64_t>(1, config_.accumulate);
      answer.rows = replaced.begin()->second;
      return answer;
    }
    for (const double rate : kRates) {
      const auto slower = follow(rate, nullptr);
      if (!slower) break;
      if (slower->diverged) continue;
      if (answer.rate == 0) answer.rate = rate;
      if (slower->loss > kSound * std::abs(question_.usual_loss)) continue;  // it may not diverge, and learns nothing
      answer.rate = rate;
      break;
    }
    return answer;
  }

 private:
  struct Course {
    bool diverged = false;
    std::int64_t at = 0;
    double loss = 0;
    double growth = 0;
  };

  Float32Answer unknown() const {
    Float32Answer answer;
    answer.why = why_;
    return answer;
  }

  bool may_go_on() {
    if (question_.cancelled && question_.cancelled()) {
      why_ = "it was stopped";
      return false;
    }
    if (std::chrono::duration<double>(Clock::now() - start_).count() <= kMostSeconds) return true;
    why_ = "it takes more than a minute";
    return false;
  }

  /// Nothing where it was stopped, or takes too long.
  std::optional<Course> follow(double rate, ReplacedRows* replaced) {
    const auto training = set_up(in_float32(config_, rate, question_));
    if (!question_.checkpoint.empty()) {
      load_checkpoint(*training, question_.checkpoint);
      switch_policy(*training, float32_policy(), 0);
    }
    if (replaced != nullptr) training->data = without_huge_rows(std::move(training->data), *replaced);
    Stepper stepper(*training, /*replays=*/false);
    const std::int64_t last = std::min(question_.step + kBeyond, std::max(question_.step, config_.steps - 1));
    Course course;
    for (std::int64_t step = question_.from; step <= last; ++step) {
      if (!may_go_on()) return std::nullopt;
      if (question_.progress && step == question_.from) {
        question_.progress("Asking float32 whether it diverges too: " + std::to_string(last + 1 - question_.from) +
                           " steps" + (rate == 1 ? "" : " at a lower learning rate"));
      }
      const StepOutcome outcome = stepper.run(step);
      const double loss = outcome.record.loss;
      course.at = step;
      course.loss = loss;
      const bool far_above = loss > kRise * std::max(std::abs(question_.usual_loss), 1e-3);
      if (std::isfinite(loss) ? far_above : !outcome.without_label) {
        course.diverged = true;
        break;
      }
    }
    course.growth = question_.first_norm > 0 ? norm_of_weights(*training) / question_.first_norm : 0;
    course.diverged = course.diverged || !std::isfinite(course.growth) || course.growth > kGrowth;
    return course;
  }

  const wire::RunConfig& config_;
  const Float32Question& question_;
  const Clock::time_point start_ = Clock::now();
  std::string why_ = "it takes too long";
};

}  // namespace

double norm_of_weights(const Training& training) {
  const at::NoGradGuard no_history;
  double squares = 0;
  for (const auto& [name, parameter] : training.trainable) {
    const at::Tensor values = parameter.detach();
    if (!values.defined() || values.is_sparse() || !values.is_floating_point()) continue;
    squares += std::pow(at::linalg_vector_norm(values, 2, {}, false, at::kFloat).item<double>(), 2);
  }
  return std::sqrt(squares);
}

Float32Answer ask_float32(const wire::RunConfig& config, const Float32Question& question) {
  const RandomState random = RandomState::of(open_device(config.device));
  Float32Answer answer;
  try {
    answer = Asking(config, question).answer();
  } catch (const std::exception& error) {
    answer.diverges.reset();
    answer.why = error.what();
  }
  random.restore();
  return answer;
}

}  // namespace binade::train
